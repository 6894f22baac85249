// ranks.h - the profiles of a parallel job, read one at a time and reduced to loops by ranks.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_MODEL_RANK_RANKS_H
#define RETICLE_TOOLS_MODEL_RANK_RANKS_H

#include "tools/analysis/rank/rank_judge.h"
#include "tools/model/rank/waits.h"
#include "tools/profile/rank.h"
#include "tools/support/notes.h"
#include "tools/support/problem.h"
#include "tools/support/text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// A process, as its profile says.
struct rank_row {
  uint32_t rank;             ///< PROFILE_RANK_UNKNOWN: it was none
  uint32_t size, local_rank; ///< PROFILE_RANK_UNKNOWN: not told
  uint64_t pid, start_time_s, elapsed_ticks;
  const char *host, *executable, *cpu_model, *build_id, *job, *path; ///< owned by struct ranks
  double run_ns, cpu_ns;     ///< wall-clock and CPU time; NaN: not known
  double runnable_ns;        ///< its threads waited for a processor; NaN: not measured
  double faults, migrations; ///< counts; NaN: not measured
  struct rank_level waited;  ///< for a processor, in its loops without calls
  double cycle_ns;           ///< of the core, by the control chain; NaN: not timed
  bool is_odd;               ///< another build or processor than most
};

/// A loop in all of them.
struct rank_loop {
  uint64_t id;
  const char *function, *file; ///< short name; owned by struct ranks
  const char *region;          ///< name of a region by hand; "" of a loop
  uint32_t line, column;
  bool is_iteration;
  uint64_t executions;     ///< of all ranks; saturated
  struct rank_cell *cells; ///< [ranks.count] in the order of ranks.rows; zeroed where not entered
  size_t number;           ///< 1 for L1
};

/// A rank that is slow in some loop: the loop that costs it most.
struct slow_rank {
  const struct rank_finding *worst;
  size_t others; ///< further loops in which it is
};

/// Start with ranks_load, end with ranks_release.
struct ranks {
  struct rank_row *rows; ///< [count] by rank
  size_t count;
  struct rank_loop *loops; ///< [loop_count] most time lost to imbalance first: loops[0] is L1
  size_t loop_count;
  uint32_t size; ///< of the job; PROFILE_RANK_UNKNOWN: not told, or there are several sizes
  size_t hosts;
  const char *executable; ///< of the first rank
  struct rank_judged judged;
  struct slow_rank *slow; ///< [slow_count] most time lost first
  size_t slow_count;
  struct waits waits; ///< of all ranks
  struct notes notes;
  struct string_table *texts;
};

/// Reads profiles one after the other; none is held longer than that.
///
/// paths  [count]
///
/// Returns PROBLEM_NONE, or PROBLEM_UNREADABLE after saying why; `out` can be released in any case.
int ranks_load(char *const *paths, size_t count, struct ranks *out, struct problems *problems);
/// The same from a database.
///
/// operand  postgresql://...#KEY=VALUE,...; without keys the newest job's runs
int ranks_load_fleet(const char *operand, struct ranks *out, struct problems *problems);
void ranks_release(struct ranks *ranks);

/// "rank 3", "process 4711".
void ranks_add_name(const struct rank_row *row, struct text *out);
/// "compute ranks.c:40:3"
void ranks_add_loop(const struct rank_loop *loop, struct text *out);
/// What the kind is told by, in words: "3.00x the iterations, each as long as in the others".
void ranks_add_reason(const struct ranks *ranks, const struct rank_finding *finding,
                      struct text *out);
/// What the slow ranks of one kind have in common and the others don't: "all ranks of host n17",
/// "all on host n17", "all run another build"; nothing where nothing is.
void ranks_add_common(const struct ranks *ranks, enum rank_kind kind, struct text *out);

#endif
