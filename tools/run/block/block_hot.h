// block_hot.h - reticle block on a profile: which blocks, and keeping the results in it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_RUN_BLOCK_BLOCK_HOT_H
#define RETICLE_TOOLS_RUN_BLOCK_BLOCK_HOT_H

#include "tools/run/block/block_choose.h"
#include "tools/support/problem.h"

/// Start with {0}; end with block_hot_release, before the jobs.
struct block_hot {
  struct measurement measurement;
  struct block_choice choice;
  bool is_loaded;
};

/// Whether a profile is meant: a file that is one, or the number of a loop ("L1").
bool block_hot_is_meant(const char *operand);

/// Adds the hottest blocks of a profile, those of one loop, or one block of a report.
///
/// id    "L1", the loop's place or function, "B1"; null: the hottest of all
/// path  null: the newest profile here
/// most  blocks
///
/// Returns PROBLEM_NONE, or another kind of problem after saying why there are none.
int block_hot_add(struct block_hot *hot, const char *id, const char *path, size_t most,
                  struct block_jobs *jobs, struct problems *problems);

/// Writes the results into the profile. Returns false after saying why not.
bool block_hot_save(struct block_hot *hot, struct problems *problems);

void block_hot_release(struct block_hot *hot);

#endif
