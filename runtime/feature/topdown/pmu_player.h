// pmu_player.h - where counters that a file tells come in; programs have none, tests link them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_RUNTIME_FEATURE_TOPDOWN_PMU_PLAYER_H
#define RETICLE_RUNTIME_FEATURE_TOPDOWN_PMU_PLAYER_H

#include "runtime/feature/topdown/topdown.h"

/// Counters in place of the processor's, for each thread and group.
struct rrt_pmu_player {
  uint32_t group_bytes; ///< of the memory that a group needs, a multiple of 8
  /// Reads what the option pmu= names, once at start. Returns the registers that a short visit
  /// reads at most, or 0 after a warning: nothing is counted then.
  uint32_t (*start)(const char *path);
  /// Makes a group in its memory. Returns 0 or an errno.
  int (*open)(const struct rrt_topdown_group *asked, void *memory, struct rrt_pmu_group *group);
  /// Has the registers of slots and PERF_METRICS begin at 0.
  void (*reset)(void *memory);
  /// From now on, visits are to regions without code; or to loops.
  void (*set_empty)(void *memory, int is_empty);
};

/// libreticle_pmu_fake.a (runtime/feature/topdown/pmu_player.c) defines it; its address is null
/// where that isn't linked.
extern const struct rrt_pmu_player rrt_pmu_player __attribute__((weak));

#endif
