// pmu.c - see pmu.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/probe/pmu.h"

#include "runtime/probe/timer.h"

// The kernel changes a page when it schedules the thread or its counters, mostly once in
// milliseconds. A page that changes at each of so many tries will at the next one too.
enum { TRIES = 16 };

// One barrier for the whole group: two around each counter took more than the counters. What comes
// behind the last one may begin early; at a visit's begin the clock's own barrier is there.
static void before_hardware(void *context, int is_end) {
  (void)context;
  (void)is_end;
  rrt_core_barrier();
}

static uint64_t read_hardware(void *context, uint32_t number) {
  (void)context;
  return rrt_core_glance(number);
}

const struct rrt_pmu_source rrt_pmu_hardware = {before_hardware, read_hardware, rrt_core_can_read};

// The compiler shall not move readings of the page across readings of its lock. The kernel changes
// it on the thread's own processor, so the hardware needs no barrier.
static void barrier(void) { __asm__ volatile("" : : : "memory"); }

// Registers are narrower than 64 bits, and the kernel starts them below zero, so that they overflow
// when it wants to know: their top bit is a sign.
static uint64_t extended(uint64_t value, unsigned width) {
  if (width == 0 || width >= 64)
    return value;
  uint64_t sign = UINT64_C(1) << (width - 1);
  value &= (sign << 1) - 1;
  return (value ^ sign) - sign;
}

// One try; *steady is 0 if the page changed meanwhile.
static enum rrt_pmu_status try_counter(const struct rrt_pmu_group *group, uint32_t i,
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
  else if (!(page->capabilities & RRT_PMU_CAN_READ) || !group->source->can_read(index - 1))
    status = RRT_PMU_NOT_READABLE;
  else
    value = group->source->read(group->context, index - 1);
  barrier();
  *steady = page->lock == sequence && !(sequence & 1);
  out->counts[i] = (uint64_t)offset + extended(value, width);
  return status;
}

static enum rrt_pmu_status read_counter(const struct rrt_pmu_group *group, uint32_t i,
                                        struct rrt_pmu_reading *out) {
  for (int tries = 0; tries < TRIES; tries++) {
    int steady;
    enum rrt_pmu_status status = try_counter(group, i, out, &steady);
    if (steady)
      return status;
  }
  return RRT_PMU_RESTLESS;
}

void rrt_pmu_read(const struct rrt_pmu_group *group, int is_end, struct rrt_pmu_reading *out) {
  group->source->before(group->context, is_end);
  out->status = RRT_PMU_READ;
  for (uint32_t i = 0; i < group->count && out->status == RRT_PMU_READ; i++)
    out->status = read_counter(group, i, out);
}

enum rrt_pmu_status rrt_pmu_judge(const struct rrt_pmu_group *group,
                                  const struct rrt_pmu_reading *begin,
                                  const struct rrt_pmu_reading *end) {
  if (begin->status != RRT_PMU_READ)
    return begin->status;
  if (end->status != RRT_PMU_READ)
    return end->status;
  for (uint32_t i = 0; i < group->count; i++) {
    if (end->missed_ns[i] != begin->missed_ns[i])
      return RRT_PMU_PARTLY;
    if ((int64_t)(end->counts[i] - begin->counts[i]) < 0)
      return RRT_PMU_BACKWARDS;
  }
  return RRT_PMU_READ;
}

void rrt_pmu_add(struct rrt_pmu_totals *totals, const struct rrt_pmu_group *group,
                 const struct rrt_pmu_reading *begin, const struct rrt_pmu_reading *end) {
  enum rrt_pmu_status status = rrt_pmu_judge(group, begin, end);
  if (status != RRT_PMU_READ) {
    totals->dropped[status]++;
    return;
  }
  totals->visits++;
  for (uint32_t i = 0; i < group->count; i++)
    totals->counts[i] += end->counts[i] - begin->counts[i];
}
