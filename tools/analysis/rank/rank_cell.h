// rank_cell.h - what one rank of a parallel job says of one loop: work, CPU time for it, waiting.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Method and limits: docs/method/ranks.md.
#ifndef RETICLE_TOOLS_ANALYSIS_RANK_RANK_CELL_H
#define RETICLE_TOOLS_ANALYSIS_RANK_RANK_CELL_H

#include "tools/profile/profile.h"

#include <stdbool.h>

/// Executions that a level needs: two in each of the parts that tell its error.
#define RANK_CELL_LEAST 16
/// Parts of the run, with as many executions in each.
#define RANK_CELL_PARTS 8

/// A level as a logarithm, as what slows a rank does so by a factor.
struct rank_level {
  double log;   ///< NaN: not known
  double error; ///< standard error of `log`, from how parts of the run differ
};

struct rank_cell {
  uint64_t executions; ///< exact; 0: the rank never entered the loop, and the rest is not known
  uint64_t samples;
  double total_ns;    ///< wall-clock time of all executions; NaN: none was timed
  double total_error; ///< standard error of total_ns, as a part of it
  double work;        ///< iterations of all executions together; NaN: not counted in all samples
  struct rank_level
      asked; ///< CPU time of an iteration, ns, of executions that the kernel was asked about
  struct rank_level waited; ///< of the same: (CPU time + waited for a processor) / CPU time
  struct rank_level timed;  ///< median duration of an iteration, ns, of timed executions
};

/// Reads a cell. Of loops with calls only work and total time are known: what is called may wait
/// for other ranks, and a rank that has little to do spins there the longest.
///
/// loop   of a profile of one process, its copies merged (profile_merge)
/// env    of the same profile, timer_hz above 0
/// facts  [count] those of the loop; they are put into the order of time
struct rank_cell rank_cell_of(const struct profile_loop *loop, const struct profile_env *env,
                              struct profile_fact *facts, size_t count);

/// The cell of a rank of which only that is known; executions above 0.
struct rank_cell rank_cell_none(uint64_t executions);

/// What a rank waited for a processor in all its loops without calls: (CPU time + waiting) / CPU
/// time.
///
/// facts  [count] of such loops; they are put into the order of time
struct rank_level rank_waited_of(struct profile_fact *facts, size_t count);

/// Whether the loop's code calls nothing, and so can wait for no other rank.
static inline bool rank_loop_is_alone(const struct profile_loop *loop) {
  return !(loop->flags & RETICLE_LOOP_HAS_CALLS);
}

/// What an addition of the longest chains took in the median, ns: a cycle of the core. NaN where
/// fewer than RANK_CELL_LEAST were timed.
double rank_cycle_ns(const struct profile *profile);

#endif
