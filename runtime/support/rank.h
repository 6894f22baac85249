// rank.h - which rank of a parallel job the process is, as its launcher says in the environment.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_RUNTIME_SUPPORT_RANK_H
#define RETICLE_RUNTIME_SUPPORT_RANK_H

#include <stdint.h>

/// Where the launcher said nothing of a number.
#define RRT_RANK_UNKNOWN UINT32_MAX

struct rrt_rank {
  const char *text;     ///< the rank as the launcher wrote it; null: the process is none
  const char *launcher; ///< "Open MPI", "PMIx", "PMI" or "Slurm"
  const char *job;      ///< "" if not told
  uint32_t rank;
  uint32_t size, local_rank; ///< RRT_RANK_UNKNOWN: not told
};

/// Reads variables that launchers set for each process that they start; no library of theirs is
/// needed. Those of Slurm count only in a step: a batch script has them, too, and all that it
/// starts inherits rank 0.
///
/// environment  its texts must stay as they are
void rrt_rank_read(char *const *environment, struct rrt_rank *out);

#endif
