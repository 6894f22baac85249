// on_demand.c - keeps what sections of a report have asked for.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/model/measurement/on_demand.h"

#include "tools/model/loop/loop_delay.h"
#include "tools/support/memory.h"

#include <stdlib.h>

/// Null: not asked for yet.
struct on_demand {
  struct stalls *stalls;
  struct field_times *fields;
  struct call_tree *calls;
  struct waits *waits;
  struct topdown_view *topdown;
  struct study_view *study;
  struct loop_cause **causes; ///< [loop_count]
  struct loop_sites **sites;  ///< [loop_count]
  struct slow_causes **slow;  ///< [loop_count]
  struct loop_delays *delays;
  struct function_code **codes; ///< [code_count] by place in m->samples.functions
  size_t code_count;
};

struct on_demand *on_demand_new(size_t loop_count) {
  struct on_demand *made = memory_zeroed(1, sizeof(*made));
  made->causes = memory_zeroed(loop_count + 1, sizeof(*made->causes));
  made->sites = memory_zeroed(loop_count + 1, sizeof(*made->sites));
  made->slow = memory_zeroed(loop_count + 1, sizeof(*made->slow));
  return made;
}

void on_demand_free(struct on_demand *made, size_t loop_count) {
  if (!made)
    return;
  for (size_t i = 0; i < loop_count; i++) {
    if (made->causes[i])
      loop_cause_release(made->causes[i]);
    if (made->sites[i])
      loop_sites_release(made->sites[i]);
    free(made->causes[i]);
    free(made->sites[i]);
    free(made->slow[i]);
  }
  if (made->topdown)
    topdown_view_release(made->topdown);
  if (made->study)
    study_view_release(made->study);
  free(made->causes);
  free(made->sites);
  free(made->slow);
  for (size_t i = 0; i < made->code_count; i++) {
    if (made->codes[i])
      function_code_release(made->codes[i]);
    free(made->codes[i]);
  }
  free(made->codes);
  if (made->delays)
    loop_delays_release(made->delays);
  free(made->delays);
  free(made->study);
  free(made->topdown);
  if (made->stalls)
    stalls_release(made->stalls);
  free(made->stalls);
  if (made->fields)
    field_times_release(made->fields);
  free(made->fields);
  if (made->calls)
    call_tree_release(made->calls);
  free(made->calls);
  if (made->waits)
    waits_release(made->waits);
  free(made->waits);
  free(made);
}

const struct stalls *stalls_get(const struct measurement *m) {
  struct on_demand *made = m->on_demand;
  if (!made->stalls) {
    made->stalls = memory_zeroed(1, sizeof(*made->stalls));
    stalls_read(m, made->stalls);
  }
  return made->stalls;
}

const struct field_times *field_times_get(const struct measurement *m) {
  struct on_demand *made = m->on_demand;
  if (!made->fields) {
    made->fields = memory_zeroed(1, sizeof(*made->fields));
    field_times_read(m, made->fields);
  }
  return made->fields;
}

const struct call_tree *call_tree_get(const struct measurement *m) {
  struct on_demand *made = m->on_demand;
  if (!made->calls) {
    made->calls = memory_zeroed(1, sizeof(*made->calls));
    call_tree_read(m, made->calls);
  }
  return made->calls;
}

const struct waits *waits_get(const struct measurement *m) {
  struct on_demand *made = m->on_demand;
  if (!made->waits) {
    made->waits = memory_zeroed(1, sizeof(*made->waits));
    if (wait_tally_add(&made->waits->tally, &m->input.profile) != 0)
      memory_exhausted();
    waits_finish(made->waits, m->files);
  }
  return made->waits;
}

const struct topdown_view *topdown_view_get(const struct measurement *m) {
  struct on_demand *made = m->on_demand;
  if (!made->topdown) {
    made->topdown = memory_zeroed(1, sizeof(*made->topdown));
    topdown_view_read(m, made->topdown);
  }
  return made->topdown;
}

const struct study_view *study_view_get(const struct measurement *m) {
  struct on_demand *made = m->on_demand;
  if (!made->study) {
    made->study = memory_zeroed(1, sizeof(*made->study));
    study_view_make(m, made->study);
  }
  return made->study;
}

const struct loop_cause *loop_cause_get(const struct measurement *m,
                                        const struct measured_loop *loop) {
  struct loop_cause **made = &m->on_demand->causes[loop - m->loops];
  if (!*made) {
    *made = memory_zeroed(1, sizeof(**made));
    loop_cause_read(m, loop, *made);
  }
  return *made;
}

const struct loop_sites *loop_sites_get(const struct measurement *m,
                                        const struct measured_loop *loop) {
  struct loop_sites **made = &m->on_demand->sites[loop - m->loops];
  if (!*made) {
    *made = memory_zeroed(1, sizeof(**made));
    loop_sites_read(m, loop, *made);
  }
  return *made;
}

const struct slow_causes *slow_causes_get(const struct measurement *m,
                                          const struct measured_loop *loop) {
  struct on_demand *made = m->on_demand;
  struct slow_causes **slow = &made->slow[loop - m->loops];
  if (!made->delays) {
    made->delays = memory_zeroed(1, sizeof(*made->delays));
    loop_delays_index(m, made->delays);
  }
  if (!*slow) {
    *slow = memory_zeroed(1, sizeof(**slow));
    loop_delay_read(m, made->delays, loop, *slow);
  }
  return *slow;
}

const struct function_code *function_code_get(const struct measurement *m,
                                              const struct sampled_function *function) {
  struct on_demand *made = m->on_demand;
  size_t at = (size_t)(function - m->samples.functions);
  if (!made->codes) {
    made->code_count = m->samples.function_count;
    made->codes = memory_zeroed(made->code_count, sizeof(*made->codes));
  }
  if (!made->codes[at]) {
    made->codes[at] = memory_zeroed(1, sizeof(**made->codes));
    function_code_read(m, function, made->codes[at]);
  }
  return made->codes[at];
}
