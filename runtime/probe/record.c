// record.c - puts a timed execution into its thread's ring.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/probe/record.h"

#include "runtime/probe/denormals.h"
#include "runtime/probe/facts.h"

static uint32_t denormals(void) {
  enum rrt_denormals now = rrt_denormals();
  return now == RRT_DENORMALS_NONE  ? RETICLE_SAMPLE_NO_DENORMALS
         : now == RRT_DENORMALS_MET ? RETICLE_SAMPLE_DENORMALS
                                    : 0;
}

static struct rrt_record record_of(const struct rrt_open *o, uint64_t end, uint64_t covered,
                                   uint32_t flags) {
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

int rrt_record_put(struct rrt_thread *t, const struct rrt_record *record,
                   const struct rrt_record *facts) {
  uint32_t head = t->ring_head;
  uint32_t used = head - __atomic_load_n(&t->ring_tail, __ATOMIC_ACQUIRE);
  if (used + (facts != NULL) >= RRT_RING_RECORDS)
    return 0;
  *rrt_ring_next(t) = facts ? *facts : *record;
  if (facts)
    *rrt_ring_at(t, ++head) = *record;
  __atomic_store_n(&t->ring_head, head + 1, __ATOMIC_RELEASE);
  return 1;
}

// A delay while facts were read is one execution's, whichever: of those that the sample stands for,
// one had it. 1: there is nothing else to tell.
static int push_late(struct rrt_thread *t, const struct rrt_open *o, struct rrt_record *record,
                     const struct rrt_record *facts) {
  uint64_t delay_ticks = (uint64_t)o->facts.delay_units << RRT_WHEN_SHIFT;
  if (!delay_ticks || !facts || facts->flags & RRT_FACTS_ALONE)
    return 0;
  struct rrt_record late = *record, its_facts = rrt_facts_late(facts, delay_ticks);
  late.duration_ticks += delay_ticks;
  late.weight = late.covered = 1;
  if (!rrt_record_put(t, &late, &its_facts) || record->weight < 2 || record->covered < 2)
    return record->weight < 2 || record->covered < 2;
  record->weight--;
  record->covered--;
  return 0;
}

int rrt_record_push(struct rrt_thread *t, const struct rrt_open *o, uint64_t end, uint64_t covered,
                    uint32_t flags, const struct rrt_record *facts) {
  struct rrt_record record = record_of(o, end, covered, flags | denormals());
  return push_late(t, o, &record, facts) || rrt_record_put(t, &record, facts);
}
