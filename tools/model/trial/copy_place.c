// copy_place.c - executions of a loop that are long and many enough, or parts of them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/model/trial/copy_place.h"

#include "include/reticle/abi.h"
#include "include/reticle/form.h"
#include "tools/model/heat/heat.h"

#include <math.h>

/// Shorter ones tell the timer's cost as much as the loop's time.
#define DURATION_LEAST_NS 2000
/// In a run: of eight copies each has some dozens.
#define EXECUTIONS_LEAST 400
/// Of a part of a long execution. What a copy begins anew, as a prefetch does, is little of it.
#define CHUNK_NS 200e3
/// Iterations of a part: 16 times as far as a prefetch looks ahead at most.
#define CHUNK_LEAST 1024.0

double copy_place_iteration_ns(const struct measurement *m, const struct measured_loop *loop) {
  double ns = 0, work = 0, tick_ns = 1e9 / (double)m->input.profile.env.timer_hz;
  for (uint64_t i = 0; i < loop->loop->raw_count; i++) {
    const struct profile_sample *sample = &loop->loop->raw[i];
    if (sample->work == RETICLE_WORK_UNKNOWN)
      continue;
    ns += (double)sample->weight * (double)sample->duration_ticks * tick_ns;
    work += (double)sample->weight * (double)sample->work;
  }
  return work > 0 ? ns / work : 0;
}

/// Whether parts of so many iterations would be enough; where trip counts aren't known, all that is
/// known is that the loop runs long.
static bool find_chunk(const struct measurement *m, const struct measured_loop *loop, double all_ns,
                       uint64_t *chunk) {
  double ns = copy_place_iteration_ns(m, loop);
  double iterations = ns > 0 ? fmax(CHUNK_NS / ns, CHUNK_LEAST) : CHUNK_LEAST;
  double log = fmin(ceil(log2(iterations)), RETICLE_CHUNK_MOST_LOG2);
  *chunk = UINT64_C(1) << (unsigned)log;
  return all_ns >= EXECUTIONS_LEAST * (ns > 0 ? ns * (double)*chunk : CHUNK_NS);
}

bool copy_place_find(const struct measurement *m, const struct measured_loop *loop,
                     struct copy_place *out) {
  const struct heat *heat = heat_get(m);
  for (; loop; loop = measurement_outer_loop(m, loop)) {
    double all_ns = heat->loops[loop - m->loops].user_ns;
    double executions = (double)loop->stats.executions;
    *out = (struct copy_place){.loop = loop->loop->id};
    if (loop->region || !(executions > 0) || all_ns < DURATION_LEAST_NS * executions)
      continue;
    if (executions >= EXECUTIONS_LEAST || find_chunk(m, loop, all_ns, &out->chunk))
      return true;
  }
  return false;
}
