// topdown.h - groups of counters that sampled visits to loops read, for one thread.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A visit reads one group at both ends, outside of the readings of its clock. Which group is
// changed between visits, by the thread itself, so no visit has counts of two of them. Of a group
// with many counters a short visit reads a part, another one each time: its clock, and as many more
// as fit into 100 ns. Visits that aren't sampled have none of it.
#ifndef RETICLE_RUNTIME_PROBE_TOPDOWN_H
#define RETICLE_RUNTIME_PROBE_TOPDOWN_H

#include "runtime/probe/pmu.h"
#include "runtime/probe/thread.h"

enum { RRT_TOPDOWN_GROUPS = 32, RRT_TOPDOWN_RING = 128 };

/// What one visit counted, on its way to the tables (runtime/feature/topdown/topdown.c).
struct rrt_topdown_record {
  uint32_t index; ///< of the loop, as in struct rrt_record
  uint8_t group;
  uint8_t part;                           ///< number of the group's part, see rrt_pmu_part
  uint16_t status;                        ///< enum rrt_pmu_status
  uint64_t counts[RRT_PMU_COUNTERS_MOST]; ///< see rrt_pmu_counts
};

/// A visit that has begun.
struct rrt_topdown_visit {
  uint32_t group, turn, number;
  struct rrt_pmu_part part; ///< of that number
  struct rrt_pmu_reading begin;
};

/// In memory that a fork wipes: the kernel's pages don't go with the child.
struct rrt_topdown {
  uint32_t group_count; ///< 0: nothing is read
  uint32_t registers;   ///< that a short visit reads at most, from 2
  uint32_t forced;      ///< 1 + the part that all visits read; 0: each chooses
  uint32_t group;       ///< that visits read now
  uint32_t turn;        ///< grows whenever that changes
  uint32_t coarse;      ///< visits of this turn that were too short for PERF_METRICS
  uint32_t taken;       ///< bit i: visits[i] is in use
  uint32_t ring_head;   ///< release on store, by the thread
  uint32_t ring_tail;   ///< release on store, by the drain
  uint64_t random;
  uint64_t due_ticks; ///< clock from which another group has its turn
  uint64_t lost;      ///< visits without a place in the ring
  struct rrt_pmu_group groups[RRT_TOPDOWN_GROUPS];
  struct rrt_topdown_visit visits[RRT_OPEN_MAX];
  struct rrt_topdown_record ring[RRT_TOPDOWN_RING];
};

/// A place for a visit's first reading: 1 + its number; 0 if nothing is read.
uint32_t rrt_topdown_take(struct rrt_topdown *topdown);
/// Gives the place back; 0 is fine.
void rrt_topdown_give(struct rrt_topdown *topdown, uint32_t place);

/// The readings at a visit's ends. place: not 0
/// visits          of the loop that this thread has sampled before
/// duration_ticks  that the last of them took
void rrt_topdown_begin(struct rrt_topdown *topdown, uint32_t place, uint64_t visits,
                       uint64_t duration_ticks);
void rrt_topdown_end(struct rrt_topdown *topdown, uint32_t place, uint32_t index);

/// 1 if the ring needs a drain.
int rrt_topdown_is_full(const struct rrt_topdown *topdown);

/// 1 if it is time for another group, and no visit is open that isn't longer than many turns.
int rrt_topdown_is_due(const struct rrt_topdown *topdown, uint64_t now_ticks);
/// Chooses that group, at random: turn by turn, two loops that take turns would have a group each.
uint32_t rrt_topdown_choose(struct rrt_topdown *topdown);

#endif
