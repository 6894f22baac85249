// rank_judge.h - which ranks of a parallel job are slow in which loops, and of what kind that is.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Method, constants and limits: docs/method/ranks.md.
#ifndef RETICLE_TOOLS_ANALYSIS_RANK_RANK_JUDGE_H
#define RETICLE_TOOLS_ANALYSIS_RANK_RANK_JUDGE_H

#include "tools/analysis/rank/rank_cell.h"
#include "tools/analysis/stats/quantity.h"

#include <stdbool.h>
#include <stddef.h>

/// Probability that any rank is named in any loop where all are alike.
#define RANK_FAMILY_ERROR 0.01
/// A rank is named from so much more on: iterations or CPU time for one, ...
#define RANK_RELEVANT 0.1
/// ... waiting for a processor, of which even equal ranks get unequal parts.
#define RANK_RELEVANT_WAIT 0.25
/// Its loops without calls must have waited more, too: by so many standard errors (1 % of one
/// side),
/// ...
#define RANK_CONFIRM 2.33
/// ... or by anything relevant where it computes in them at least this part of what the median rank
/// does. A rank with little to do gives way in MPI time and again, and so waits for a processor
/// there.
#define RANK_BUSY 0.8
/// What it costs the rank at least, of its run time.
#define RANK_RELEVANT_SHARE 0.01
/// ... in one loop, or so much in all of its loops together.
#define RANK_RELEVANT_SUM 0.05

enum rank_kind {
  RANK_WORK,   ///< more iterations than the others
  RANK_NODE,   ///< the same work waits for a processor, or all loops and the core itself are slow
  RANK_MEMORY, ///< the same iterations take more CPU time, and the core isn't slow
  RANK_CODE,   ///< the same, and the rank runs another build
  RANK_KINDS,
};

/// What a loop is compared by.
enum rank_channel {
  RANK_BY_WORK, ///< iterations in all
  RANK_BY_CPU,  ///< CPU time of an iteration; where the kernel wasn't asked, median time of one
  RANK_BY_WAIT, ///< (CPU time + waited for a processor) / CPU time; tested once for all loops
  RANK_CHANNELS,
};

/// What is known of a rank beside its loops.
struct rank_facts {
  /// (CPU time + waited for a processor) / CPU time of the whole process, a logarithm; exact; NaN:
  /// not known.
  double queued_log;
  struct rank_level waited; ///< the same in its loops without calls: rank_waited_of
  double cycle_ns;          ///< rank_cycle_ns
  double run_ns;            ///< wall-clock time; NaN: not known
  uint32_t host;            ///< ranks of one host have one number, from 0
  bool is_odd;              ///< another build than most ranks have
};

/// A rank that is slow in a loop.
struct rank_finding {
  size_t loop, rank; ///< positions
  enum rank_kind kind;
  struct quantity factor; ///< of the channel that its kind is told by, over the others' median
  struct quantity by[RANK_CHANNELS]; ///< each channel's
  struct quantity excess_ns;         ///< wall-clock time that this costs the rank
  bool by_host; ///< its host stands out against other hosts, it not among all ranks
};

/// A loop over all ranks.
struct rank_loop_view {
  size_t entered;                 ///< ranks that entered it
  size_t compared[RANK_CHANNELS]; ///< ranks with a level; under OUTLIERS_LEAST none is named
  struct quantity total_ns;       ///< of all ranks together
  struct quantity mean_ns;        ///< of those that entered it
  struct quantity most_ns;        ///< the longest of them
  struct quantity imbalance;      ///< most over mean
  struct quantity lost_ns;        ///< most less mean: wall time that an even share would save
  bool is_asked;                  ///< RANK_BY_CPU is of executions that the kernel was asked about
};

/// Start with rank_judge, end with rank_judged_release.
struct rank_judged {
  struct rank_loop_view *loops;  ///< [loops]
  struct rank_finding *findings; ///< [count] most excess first
  size_t count;
  size_t tests; ///< comparisons that the family error was shared among
};

/// cells  [loop_count] each [rank_count]
/// ranks  [rank_count]
/// out    the caller releases it
void rank_judge(const struct rank_cell *const *cells, size_t loop_count,
                const struct rank_facts *ranks, size_t rank_count, struct rank_judged *out);
void rank_judged_release(struct rank_judged *judged);

/// "work", "node", "memory" or "code", as in JSON.
const char *rank_kind_name(enum rank_kind kind);

#endif
