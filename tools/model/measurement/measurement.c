// measurement.c - names and shares of what was measured, and its end.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/model/measurement/measurement.h"

#include "tools/model/measurement/lazy.h"
#include "tools/profile/iterations.h"
#include "tools/support/names.h"
#include "tools/support/text.h"

#include <stdlib.h>
#include <string.h>

void measurement_show_shares(struct measurement *m) {
  m->outside_loops = m->shares_wall ? m->outside_wall : m->outside_cpu;
  for (size_t i = 0; i < m->loop_count; i++)
    m->loops[i].share = m->shares_wall ? m->loops[i].stats.share : m->loops[i].cpu_share;
}

void measurement_share_wall(struct measurement *measurement) {
  measurement->shares_wall = true;
  measurement_show_shares(measurement);
}

void measurement_release(struct measurement *measurement) {
  lazy_free(measurement->lazy);
  samples_release(&measurement->samples);
  for (size_t i = 0; i < measurement->loop_count; i++) {
    free(measurement->loops[i].function);
    free(measurement->loops[i].inlined_into);
  }
  free(measurement->loops);
  free(measurement->blocks);
  struct_uses_release(&measurement->structs);
  site_uses_release(&measurement->sites);
  sharing_release(&measurement->sharing);
  site_names_release(&measurement->site_names);
  control_release(&measurement->control);
  notes_release(&measurement->notes);
  program_files_free(measurement->files);
  program_release(&measurement->program);
  input_release(&measurement->input);
}

bool measurement_is_instrumented(const struct measurement *m, const char *path) {
  const struct profile *profile = &m->input.profile;
  for (size_t i = 0; i < profile->module_count; i++)
    if (profile->modules[i].instrumented && strcmp(profile->modules[i].path, path) == 0)
      return true;
  return false;
}

const struct measured_loop *measurement_of(const struct measurement *m,
                                           const struct profile_loop *loop) {
  const struct measured_loop *found = m->loops;
  while (found->loop != loop)
    found++;
  return found;
}

const struct measured_loop *measurement_whole_loop(const struct measurement *m,
                                                   const struct measured_loop *loop) {
  const struct profile *profile = &m->input.profile;
  const struct profile_loop *whole =
      loop->is_iteration ? profile_loop_of(profile->loops, profile->loop_count, loop->loop) : NULL;
  return whole ? measurement_of(m, whole) : loop;
}

const struct measured_loop *measurement_outer_loop(const struct measurement *m,
                                                   const struct measured_loop *loop) {
  uint64_t wanted = loop->loop->flags >> RETICLE_LOOP_OUTER_SHIFT;
  for (size_t i = 0; wanted && i < m->loop_count; i++) {
    const struct profile_loop *other = m->loops[i].loop;
    if ((other->id & UINT16_MAX) == wanted && other->depth < loop->loop->depth &&
        !m->loops[i].is_iteration && other->object == loop->loop->object &&
        strcmp(other->function, loop->loop->function) == 0)
      return &m->loops[i];
  }
  return NULL;
}

void measurement_add_name(const struct measured_loop *loop, struct text *out) {
  if (loop->region)
    text_printf(out, "region %s", loop->region);
  else {
    text_add(out, loop->is_iteration ? "iteration " : "");
    text_add_name(out, loop->function);
  }
}

void measurement_add_place(const struct profile_loop *loop, struct text *out) {
  if (!*loop->file || !loop->line) {
    text_add(out, "?");
    return;
  }
  text_printf(out, "%s:%u", base_name(loop->file), loop->line);
  if (loop->column)
    text_printf(out, ":%u", loop->column);
}
