// loop_own.c - takes inner loops off an outer one.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/model/loop_own.h"

#include <math.h>
#include <string.h>

static bool is_inside(const struct profile_loop *inner, const struct profile_loop *outer) {
  return inner->flags >> RETICLE_LOOP_OUTER_SHIFT == (outer->id & UINT16_MAX) &&
         inner->id != outer->id && strcmp(inner->function, outer->function) == 0;
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
  for (size_t i = 0; found && i < m->loop_count; i++)
    if (!m->loops[i].is_iteration && is_inside(m->loops[i].loop, found))
      share -= m->loops[i].cpu_share.status == QUANTITY_OK ? m->loops[i].cpu_share.value : NAN;
  return !found || isnan(share) ? NAN : fmax(share, 0);
}
