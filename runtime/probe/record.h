// record.h - a timed execution as a record in its thread's ring.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_RUNTIME_PROBE_RECORD_H
#define RETICLE_RUNTIME_PROBE_RECORD_H

#include "runtime/probe/denormals.h"
#include "runtime/probe/thread.h"

static inline uint32_t rrt_saturated(uint64_t value) {
  return value < UINT32_MAX ? (uint32_t)value : UINT32_MAX;
}

/// A reading as a clock with a coarser tick would give it, where a test asks for one.
static inline uint64_t rrt_masked(uint64_t ticks) {
  return rrt_probe.mask_ticks ? ticks - ticks % rrt_probe.mask_ticks : ticks;
}

/// What the sample tells of denormals.
static inline uint32_t rrt_record_denormals(void) {
  enum rrt_denormals now = rrt_denormals();
  return now == RRT_DENORMALS_NONE  ? RETICLE_SAMPLE_NO_DENORMALS
         : now == RRT_DENORMALS_MET ? RETICLE_SAMPLE_DENORMALS
                                    : 0;
}

/// covered: executions since the sample before. A recursive loop is timed from its outermost entry:
/// of the executions covered, as many are outermost as in the sample itself.
static inline struct rrt_record rrt_record_of(const struct rrt_open *o, uint64_t end,
                                              uint64_t covered, uint32_t flags) {
  uint64_t duration = rrt_masked(end) - rrt_masked(o->begin_ticks);
  uint64_t weight = covered / (1 + (uint64_t)o->recursions);
  return (struct rrt_record){.duration_ticks =
                                 duration > o->nested_ticks ? duration - o->nested_ticks : 0,
                             .work = o->work,
                             .when = rrt_record_when(o->begin_ticks),
                             .weight = rrt_saturated(weight ? weight : 1),
                             .covered = rrt_saturated(covered),
                             .index = o->index,
                             .flags = flags};
}

/// Puts the record into the ring, behind the facts of its execution; facts null: not known. 0 where
/// the ring has no room.
static inline int rrt_record_put(struct rrt_thread *t, const struct rrt_record *record,
                                 const struct rrt_record *facts) {
  uint32_t head = t->ring_head;
  uint32_t used = head - __atomic_load_n(&t->ring_tail, __ATOMIC_ACQUIRE);
  if (used + (facts != NULL) >= RRT_RING_RECORDS)
    return 0;
  if (facts)
    t->ring[head++ % RRT_RING_RECORDS] = *facts;
  t->ring[head % RRT_RING_RECORDS] = *record;
  __atomic_store_n(&t->ring_head, head + 1, __ATOMIC_RELEASE);
  return 1;
}

#endif
