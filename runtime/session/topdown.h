// topdown.h - the feature `topdown`: groups of counters for each thread, and what visits counted.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_RUNTIME_SESSION_TOPDOWN_H
#define RETICLE_RUNTIME_SESSION_TOPDOWN_H

#include "runtime/probe/topdown.h"

/// Reads the options topdown and pmu, once, before the first thread enters.
void rrt_topdown_start(void);

/// 1 if visits shall read counters.
int rrt_topdown_is_on(void);

/// Gives the calling thread, whose record this is, its groups. Async-signal-safe.
void rrt_topdown_enter(struct rrt_thread *thread);
/// Gives the thread's counters back; what it counted stays to be drained.
void rrt_topdown_leave(struct rrt_thread *thread);
/// After fork, in the child. self  null where its thread isn't known
void rrt_topdown_forked(struct rrt_thread *self);

/// Begins and ends the measurement of visits to a region without code, by the calling thread alone.
/// visit  executes such a region some times
void rrt_topdown_calibrate(struct rrt_thread *thread, void (*visit)(void));

// --- what visits counted; all of this needs the drain lock (topdown_table.c)

struct rrt_topdown_group {
  uint64_t codes[RRT_PMU_COUNTERS_MOST];
  uint32_t code_count;
  uint32_t events;               ///< the codes as text, in the string table
  uint32_t error;                ///< errno for the first thread that could not have it (atomic)
  uint64_t threads_missed, lost; ///< (atomic)
};
/// What was asked for.
struct rrt_topdown_asked {
  uint32_t group_count;
  uint32_t tree; ///< in the string table
  int is_fake;
  struct rrt_topdown_group groups[RRT_TOPDOWN_GROUPS];
};
extern struct rrt_topdown_asked rrt_topdown_asked;

/// Takes what is in a thread's ring into the tables.
void rrt_topdown_drain(struct rrt_thread *thread);
/// Forgets what loops counted, from that number on; 0: empty regions, too.
void rrt_topdown_restart(uint32_t first);
/// Calls `visit` with each record of the chunk "topdown".
void rrt_topdown_visit(void (*visit)(const struct reticle_file_topdown *record));
uint64_t rrt_topdown_bytes(void);

#endif
