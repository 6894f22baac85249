// pmu_totals.h - what visits to one loop count, for tests.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TEST_SESSION_PMU_TOTALS_H
#define RETICLE_TEST_SESSION_PMU_TOTALS_H

#include "runtime/probe/pmu.h"

/// Adds what lies between two readings, or counts why they say nothing.
static inline void add_visit(struct rrt_pmu_totals *totals, const struct rrt_pmu_group *group,
                             struct rrt_pmu_part part, const struct rrt_pmu_reading *begin,
                             const struct rrt_pmu_reading *end) {
  uint64_t counts[RRT_PMU_COUNTERS_MOST];
  enum rrt_pmu_status status = rrt_pmu_judge(group, part, begin, end);
  if (status != RRT_PMU_READ) {
    totals->dropped[status]++;
    return;
  }
  totals->visits++;
  uint32_t count = rrt_pmu_counts(group, part, begin, end, counts);
  for (uint32_t i = 0; i < count; i++)
    totals->counts[i] += counts[i];
}

#endif
