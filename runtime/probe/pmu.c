// pmu.c - opens groups of counters, and reads them by rdpmc.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/probe/pmu.h"

#include "runtime/probe/clock/timer.h"

#include <stddef.h>

// The kernel changes a page when it schedules the thread or its counters, mostly once in
// milliseconds. A page that changes at each of so many tries will at the next one too.
enum { TRIES = 16 };

// A visit of which PERF_METRICS can tell: a fifth of the slots since its registers began at 0. A
// field has 8 bits, so a reading is wrong by up to 1/255 of those slots, and a share of such a
// visit by 2 points.
enum { COARSE_FACTOR = 5, FIELD_BITS = 8, FIELD_MOST = 255 };

// The compiler shall not move readings of the page across readings of its lock. The kernel changes
// it on the thread's own processor, so the hardware needs no barrier.
static void barrier(void) { __asm__ volatile("" : : : "memory"); }

// Registers are narrower than 64 bits, and the kernel starts them below zero, so that they overflow
// when it wants to know: their top bit is a sign.
static inline uint64_t extended(uint64_t value, unsigned width) {
  unsigned unused = (64 - width) & 63; // none where the kernel doesn't say
  return (uint64_t)((int64_t)(value << unused) >> unused);
}

#define INLINE static inline __attribute__((always_inline))

// One try; *steady is 0 if the page changed meanwhile. source: the group's.
INLINE enum rrt_pmu_status try_counter(const struct rrt_pmu_group *group,
                                       const struct rrt_pmu_source *source, uint32_t i,
                                       struct rrt_pmu_reading *out, int *steady) {
  const volatile struct rrt_pmu_page *page = group->pages[i];
  enum rrt_pmu_status status = RRT_PMU_READ;
  uint64_t value = 0;
  uint32_t sequence = page->lock;
  barrier();
  uint32_t index = page->index;
  int64_t offset = page->offset;
  unsigned width = page->pmc_width;
  out->missed_ns[i] = page->time_enabled - page->time_running;
  if (!index)
    status = RRT_PMU_NOT_SCHEDULED;
  else if (!(page->capabilities & RRT_PMU_CAN_READ) ||
           !(source ? source->can_read(index - 1) : rrt_core_can_read(index - 1)))
    status = RRT_PMU_NOT_READABLE;
  else
    value = source ? source->read(group->context, index - 1) : rrt_core_glance(index - 1);
  barrier();
  *steady = page->lock == sequence && !(sequence & 1);
  // The kernel keeps the two registers of PERF_METRICS as they are when it moves the thread: what
  // one says is a share of what the other has.
  out->counts[i] = group->fields && i < 2 ? value : (uint64_t)offset + extended(value, width);
  return status;
}

INLINE enum rrt_pmu_status read_counter(const struct rrt_pmu_group *group,
                                        const struct rrt_pmu_source *source, uint32_t i,
                                        struct rrt_pmu_reading *out) {
  for (int tries = 0; tries < TRIES; tries++) {
    int steady;
    enum rrt_pmu_status status = try_counter(group, source, i, out, &steady);
    if (__builtin_expect(steady, 1))
      return status;
  }
  return RRT_PMU_RESTLESS;
}

INLINE void read_part(const struct rrt_pmu_group *group, const struct rrt_pmu_source *source,
                      struct rrt_pmu_part part, struct rrt_pmu_reading *out) {
  out->status = read_counter(group, source, 0, out);
  for (uint32_t i = part.first; i < part.first + part.count && out->status == RRT_PMU_READ; i++)
    out->status = read_counter(group, source, i, out);
}

// The processor's registers are read without a call: those of six took longer than the registers.
// One barrier for all of them: two around each counter took more than the counters. What comes
// behind the last one may begin early; at a visit's begin the clock's own barrier is there.
void rrt_pmu_read(const struct rrt_pmu_group *group, struct rrt_pmu_part part, int is_end,
                  struct rrt_pmu_reading *out) {
  if (group->source) {
    group->source->before(group->context, is_end);
    read_part(group, group->source, part, out);
    return;
  }
  rrt_core_barrier();
  read_part(group, NULL, part, out);
}

static enum rrt_pmu_status judge_counter(const struct rrt_pmu_group *group, uint32_t i,
                                         const struct rrt_pmu_reading *begin,
                                         const struct rrt_pmu_reading *end) {
  if (end->missed_ns[i] != begin->missed_ns[i])
    return RRT_PMU_PARTLY;
  if (group->fields && i == 1)
    return end->counts[0] - begin->counts[0] < end->counts[0] / COARSE_FACTOR ? RRT_PMU_COARSE
                                                                              : RRT_PMU_READ;
  return (int64_t)(end->counts[i] - begin->counts[i]) < 0 ? RRT_PMU_BACKWARDS : RRT_PMU_READ;
}

enum rrt_pmu_status rrt_pmu_judge(const struct rrt_pmu_group *group, struct rrt_pmu_part part,
                                  const struct rrt_pmu_reading *begin,
                                  const struct rrt_pmu_reading *end) {
  if (begin->status != RRT_PMU_READ)
    return begin->status;
  if (end->status != RRT_PMU_READ)
    return end->status;
  enum rrt_pmu_status status = judge_counter(group, 0, begin, end);
  for (uint32_t i = part.first; i < part.first + part.count && status == RRT_PMU_READ; i++)
    status = judge_counter(group, i, begin, end);
  return status;
}

// Slots that a field of PERF_METRICS stands for: it is their share since both registers began.
static uint64_t field_slots(const struct rrt_pmu_reading *reading, uint32_t field) {
  uint64_t share = reading->counts[1] >> (field * FIELD_BITS) & FIELD_MOST;
  uint64_t slots = reading->counts[0]; // times 255 they would wrap after a month
  return slots / FIELD_MOST * share + slots % FIELD_MOST * share / FIELD_MOST;
}

uint32_t rrt_pmu_counts(const struct rrt_pmu_group *group, struct rrt_pmu_part part,
                        const struct rrt_pmu_reading *begin, const struct rrt_pmu_reading *end,
                        uint64_t counts[RRT_PMU_COUNTERS_MOST]) {
  uint32_t n = 0;
  counts[n++] = end->counts[0] - begin->counts[0];
  for (uint32_t i = part.first; i < part.first + part.count; i++)
    if (group->fields && i == 1) {
      for (uint32_t f = 0; f < group->fields; f++)
        counts[n++] = field_slots(end, f) - field_slots(begin, f);
    } else {
      counts[n++] = end->counts[i] - begin->counts[i];
    }
  return n;
}
