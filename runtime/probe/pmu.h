// pmu.h - a group of hardware counters of the calling thread, read without the kernel.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The kernel keeps a page about each counter: where it is now, and what to add to its register.
// Sources: perf_event_open(2), struct perf_event_mmap_page; docs/decisions/0016-topdown.md.
#ifndef RETICLE_RUNTIME_PROBE_PMU_H
#define RETICLE_RUNTIME_PROBE_PMU_H

#include <stdint.h>

enum { RRT_PMU_COUNTERS_MOST = 12 };
/// In rrt_pmu_page.capabilities: the register may be read by an instruction (cap_user_rdpmc).
#define RRT_PMU_CAN_READ UINT64_C(4)

/// The beginning of the kernel's struct perf_event_mmap_page.
struct rrt_pmu_page {
  uint32_t version, compat_version;
  uint32_t lock;  ///< changes whenever the rest does
  uint32_t index; ///< register + 1; 0: the counter is not scheduled
  int64_t offset; ///< add it to the register
  uint64_t time_enabled, time_running;
  uint64_t capabilities;
  uint16_t pmc_width; ///< bits of the register
};

/// Why a visit counts, or is dropped.
enum rrt_pmu_status {
  RRT_PMU_READ,
  RRT_PMU_NOT_SCHEDULED, ///< a counter was not in a register
  RRT_PMU_NOT_READABLE,  ///< the kernel doesn't grant the instruction
  RRT_PMU_RESTLESS,      ///< the page changed at every try
  RRT_PMU_PARTLY,        ///< others had the register for a part of the visit
  RRT_PMU_BACKWARDS,     ///< a counter went backwards: a guest whose PMU lies
  RRT_PMU_SWITCHED,      ///< another group had its turn before the visit ended
  RRT_PMU_COARSE,        ///< too short for the steps of PERF_METRICS
  RRT_PMU_STATUSES
};

/// Where registers are read, if not from the processor: a file's
/// (runtime/feature/topdown/pmu_fake.h).
struct rrt_pmu_source {
  /// Called before each reading of a group, at a visit's begin or its end. Async-signal-safe.
  void (*before)(void *context, int is_end);
  /// Reads the register of that number. Async-signal-safe.
  uint64_t (*read)(void *context, uint32_t number);
  /// 1 if there is such a register.
  int (*can_read)(uint32_t number);
};

/// Counters that are scheduled together, for one thread.
struct rrt_pmu_group {
  const struct rrt_pmu_source *source; ///< null: the processor
  void *context;
  uint32_t count;  ///< of counters; the first is the clock
  uint32_t fields; ///< not 0: counter 0 is slots, 1 is PERF_METRICS with as many fields
  const volatile struct rrt_pmu_page *pages[RRT_PMU_COUNTERS_MOST]; ///< [count]
};

/// What a visit reads of a group: its clock, and `count` counters from `first` on.
struct rrt_pmu_part {
  uint32_t first, count;
};

/// Parts of a group of which a visit reads so many registers at most, at least 2. 1: its whole.
static inline uint32_t rrt_pmu_parts(uint32_t counters, uint32_t registers) {
  return counters <= registers ? 1 : (counters - 1 + registers - 2) / (registers - 1);
}
/// number  0: all of the group; else from 1 to rrt_pmu_parts
static inline struct rrt_pmu_part rrt_pmu_part(uint32_t counters, uint32_t registers,
                                               uint32_t number) {
  struct rrt_pmu_part part = {1, counters - 1};
  if (number) {
    part.first = 1 + (number - 1) * (registers - 1);
    part.count = counters - part.first < registers - 1 ? counters - part.first : registers - 1;
  }
  return part;
}

/// Of counters that weren't read, nothing is set.
struct rrt_pmu_reading {
  enum rrt_pmu_status status; ///< RRT_PMU_READ, or why the rest means nothing
  uint64_t counts[RRT_PMU_COUNTERS_MOST];
  uint64_t missed_ns[RRT_PMU_COUNTERS_MOST]; ///< time enabled, but not in a register
};

/// What all visits of one loop with one group came to.
struct rrt_pmu_totals {
  uint64_t visits;
  uint64_t dropped[RRT_PMU_STATUSES]; ///< by reason; [RRT_PMU_READ] stays 0
  uint64_t counts[RRT_PMU_COUNTERS_MOST];
};

/// Reads a part of a group. Bounded time; no system call. By the group's thread alone.
void rrt_pmu_read(const struct rrt_pmu_group *group, struct rrt_pmu_part part, int is_end,
                  struct rrt_pmu_reading *out);

/// Whether two readings of a part tell what lies between them.
enum rrt_pmu_status rrt_pmu_judge(const struct rrt_pmu_group *group, struct rrt_pmu_part part,
                                  const struct rrt_pmu_reading *begin,
                                  const struct rrt_pmu_reading *end);

/// What lies between them, by events: the clock's, and those of the part's counters, in order. A
/// thread that moved to another processor meanwhile is counted: the page says what to add. Slots of
/// a field of PERF_METRICS may be below 0 by a step; over all visits they aren't.
///
/// Returns how many there are.
uint32_t rrt_pmu_counts(const struct rrt_pmu_group *group, struct rrt_pmu_part part,
                        const struct rrt_pmu_reading *begin, const struct rrt_pmu_reading *end,
                        uint64_t counts[RRT_PMU_COUNTERS_MOST]);

#endif
