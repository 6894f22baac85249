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
  RRT_PMU_STATUSES
};

/// Where registers are read: the processor's, or a file's (runtime/session/pmu_fake.h).
struct rrt_pmu_source {
  /// Called before each reading of a group, at a visit's begin or its end. Async-signal-safe.
  void (*before)(void *context, int is_end);
  /// Reads the register of that number. Async-signal-safe.
  uint64_t (*read)(void *context, uint32_t number);
  /// 1 if there is such a register.
  int (*can_read)(uint32_t number);
};
extern const struct rrt_pmu_source rrt_pmu_hardware;

/// Counters that are scheduled together, for one thread.
struct rrt_pmu_group {
  const struct rrt_pmu_source *source;
  void *context;
  uint32_t count;
  const volatile struct rrt_pmu_page *pages[RRT_PMU_COUNTERS_MOST]; ///< [count]
};

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

/// Reads all counters of a group. Bounded time; no system call. By the group's thread alone.
void rrt_pmu_read(const struct rrt_pmu_group *group, int is_end, struct rrt_pmu_reading *out);

/// Whether two readings of a group tell what lies between them.
enum rrt_pmu_status rrt_pmu_judge(const struct rrt_pmu_group *group,
                                  const struct rrt_pmu_reading *begin,
                                  const struct rrt_pmu_reading *end);

/// Adds what lies between two readings, or counts why they say nothing. A thread that moved to
/// another processor meanwhile is counted: the page says what to add.
void rrt_pmu_add(struct rrt_pmu_totals *totals, const struct rrt_pmu_group *group,
                 const struct rrt_pmu_reading *begin, const struct rrt_pmu_reading *end);

#endif
