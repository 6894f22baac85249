// loop_own.c - takes inner loops off an outer one.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/model/loop/loop_own.h"

#include <math.h>
#include <string.h>

static bool is_inside(const struct profile_loop *inner, const struct profile_loop *outer) {
  return inner->flags >> RETICLE_LOOP_OUTER_SHIFT == (outer->id & UINT16_MAX) &&
         inner->id != outer->id && strcmp(inner->function, outer->function) == 0;
}

/// Whether it may be inside: of merged copies it isn't known where each was.
static bool may_be_inside(const struct profile_loop *inner, const struct profile_loop *outer) {
  return inner->flags & RETICLE_LOOP_OUTERS && inner->depth > outer->depth &&
         strcmp(inner->function, outer->function) == 0;
}

/// Records of one id are copies that the optimiser made; the inner loops of one are those of all.
double loop_own_share(const struct measurement *m, uint64_t loop) {
  const struct profile_loop *found = NULL;
  double share = 0;
  for (size_t i = 0; i < m->loop_count; i++) {
    if (m->loops[i].loop->id != loop || m->loops[i].is_iteration)
      continue;
    found = m->loops[i].loop;
    share += m->loops[i].cpu_share.status == QUANTITY_OK ? m->loops[i].cpu_share.value : NAN;
  }
  for (size_t i = 0; found && i < m->loop_count; i++) {
    const struct measured_loop *inner = &m->loops[i];
    if (!inner->is_iteration && is_inside(inner->loop, found))
      share -= inner->cpu_share.status == QUANTITY_OK ? inner->cpu_share.value : NAN;
    else if (!inner->is_iteration && may_be_inside(inner->loop, found))
      return NAN;
  }
  return !found || isnan(share) ? NAN : fmax(share, 0);
}

uint64_t loop_own_outer(const struct measurement *m, uint64_t loop) {
  const struct profile_loop *inner = NULL;
  for (size_t i = 0; !inner && i < m->loop_count; i++)
    if (m->loops[i].loop->id == loop && !m->loops[i].is_iteration)
      inner = m->loops[i].loop;
  for (size_t i = 0; inner && i < m->loop_count; i++)
    if (!m->loops[i].is_iteration && is_inside(inner, m->loops[i].loop))
      return m->loops[i].loop->id;
  return 0;
}
