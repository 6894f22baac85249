// topdown.h - the feature `topdown`: groups of counters for each thread, and what visits counted.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_RUNTIME_FEATURE_TOPDOWN_TOPDOWN_H
#define RETICLE_RUNTIME_FEATURE_TOPDOWN_TOPDOWN_H

#include "runtime/probe/topdown.h"

/// 1 if visits shall read counters.
int rrt_topdown_is_on(void);

/// Gives the calling thread, whose record this is, its groups. Async-signal-safe.
void rrt_topdown_enter(struct rrt_thread *thread);
/// Gives the thread's counters back; what it counted stays to be drained.
void rrt_topdown_leave(struct rrt_thread *thread);
/// After fork, in the child. Behind rrt_threads_forked.
void rrt_topdown_forked(void);

/// Begins and ends the measurement of visits to a region without code, by the calling thread alone.
/// visit  executes such a region some times
void rrt_topdown_calibrate(struct rrt_thread *thread, void (*visit)(void));

// --- what visits counted; all of this needs the drain lock (topdown_table.c)

struct rrt_topdown_group {
  uint64_t codes[RRT_PMU_COUNTERS_MOST]; ///< [code_count] the clock's first
  uint32_t code_count;
  uint32_t fields;   ///< codes 1 to `fields` are of PERF_METRICS, and have one counter
  uint32_t counters; ///< that it needs
  uint32_t first;    ///< place of codes[1] in the group that it is a part of
  uint32_t is_cut;   ///< 1: it is such a part, scheduled by itself
  uint32_t whole;    ///< all codes as text, in the string table
  uint32_t events[RRT_PMU_COUNTERS_MOST]; ///< as profiles have them, by part, in the string table
  uint32_t first_total;                   ///< place of its whole among a loop's totals
  uint32_t error;                ///< errno for the first thread that could not have it (atomic)
  uint64_t threads_missed, lost; ///< (atomic)
};
/// What was asked for.
struct rrt_topdown_asked {
  uint32_t group_count;
  uint32_t total_count; ///< totals of a loop: of all groups and their parts
  uint32_t registers;   ///< that a short visit reads at most, from 2
  uint32_t tree;        ///< in the string table
  int is_fake;          ///< rrt_pmu_player plays the counters
  struct rrt_topdown_group groups[RRT_TOPDOWN_GROUPS];
};
extern struct rrt_topdown_asked rrt_topdown_asked;

/// Reads the options topdown and pmu.
void rrt_topdown_read_options(void);
/// Parts of which a short visit reads one; 1: it reads the whole.
uint32_t rrt_topdown_parts(const struct rrt_topdown_group *group);
/// The codes of a part but for the clock; returns how many.
///
/// part   0: the whole
/// first  gets the place of the first one among the group's codes
uint32_t rrt_topdown_part_codes(const struct rrt_topdown_group *group, uint32_t part,
                                uint32_t *first);
/// Puts the parts' events into the string table; anew once the registers are known.
void rrt_topdown_name_parts(void);

/// Takes what is in a thread's ring into the tables.
void rrt_topdown_drain(struct rrt_thread *thread);
/// Forgets what loops counted, from that number on; 0: empty regions, too.
void rrt_topdown_restart(uint32_t first);
/// Calls `visit` with each record of the chunk "topdown".
void rrt_topdown_visit(void (*visit)(const struct reticle_file_topdown *record));
uint64_t rrt_topdown_bytes(void);

#endif
