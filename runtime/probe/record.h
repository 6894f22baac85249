// record.h - a timed execution as a record in its thread's ring.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_RUNTIME_PROBE_RECORD_H
#define RETICLE_RUNTIME_PROBE_RECORD_H

#include "runtime/probe/thread.h"

static inline uint32_t rrt_saturated(uint64_t value) {
  return value < UINT32_MAX ? (uint32_t)value : UINT32_MAX;
}

/// A reading as a clock with a coarser tick would give it, where a test asks for one.
static inline uint64_t rrt_masked(uint64_t ticks) {
  return rrt_probe.mask_ticks ? ticks - ticks % rrt_probe.mask_ticks : ticks;
}

/// Puts it into the ring, behind the facts of its execution; facts null: not known. 0 where the
/// ring has no room: nothing was put.
int rrt_record_put(struct rrt_thread *t, const struct rrt_record *record,
                   const struct rrt_record *facts);

/// Puts the sample of a closed execution into the ring, behind its facts; a delay while these were
/// read becomes a sample of its own.
///
/// end      ticks
/// covered  executions since the sample before. A recursive loop is timed from its outermost entry:
///          of the executions covered, as many are outermost as in the sample itself
/// flags    RETICLE_SAMPLE_*; what it tells of denormals is added
/// facts    null: not known
///
/// Returns 0 where the ring has no room.
int rrt_record_push(struct rrt_thread *t, const struct rrt_open *o, uint64_t end, uint64_t covered,
                    uint32_t flags, const struct rrt_record *facts);

#endif
