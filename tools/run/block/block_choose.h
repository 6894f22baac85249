// block_choose.h - the machine blocks of a profile's hot loops, as jobs.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_RUN_BLOCK_BLOCK_CHOOSE_H
#define RETICLE_TOOLS_RUN_BLOCK_BLOCK_CHOOSE_H

#include "tools/model/block/block_view.h"
#include "tools/run/block/block_run.h"
#include "tools/support/problem.h"

/// Blocks of one loop at most: those that each iteration runs come first.
#define BLOCK_CHOOSE_PER_LOOP 6

struct block_place {
  const char *module;
  uint64_t address;
};

/// What was chosen, and what came of it. Start with {0}; end with block_choice_release, before the
/// jobs and the measurement.
struct block_choice {
  struct profile_block *blocks; ///< [count] block i is job i
  size_t count, capacity;
  struct block_views views;
  bool quiet;                 ///< says nothing about loops without blocks
  struct block_place *marked; ///< [marked_count] left out: marks of shadow memory cut them
  size_t marked_count;
};

/// Adds the blocks with most samples of the program counter, where the profile has samples and the
/// program labels. Behind them blocks of the loops that take most time by themselves: without timed
/// loops inside, and those that call functions last. Inner loops that were not timed stand for the
/// one around them. Blocks that hold marks of shadow memory are left out, as their cycles would be
/// those of both; it is told how many. Loops without blocks are named with the reason.
///
/// only  of this loop alone; null: of all
/// most  blocks
void block_choose(const struct measurement *m, const struct measured_loop *only, size_t most,
                  struct block_choice *choice, struct block_jobs *jobs, struct problems *problems);

/// Keeps a result. outcome: of one of the jobs.
void block_choice_take(struct block_choice *choice, const struct block_jobs *jobs,
                       const struct block_outcome *outcome);

/// Writes the results into a profile file, in place of those it has for the same loops. Returns
/// false after saying why it can't.
bool block_choice_save(struct block_choice *choice, const char *path, struct problems *problems);

void block_choice_release(struct block_choice *choice);

#endif
