// replay_run.h - runs the lists of two layouts over real memory, in turn.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_RUN_TRIAL_REPLAY_RUN_H
#define RETICLE_TOOLS_RUN_TRIAL_REPLAY_RUN_H

#include "tools/analysis/replay/replay_list.h"
#include "tools/analysis/replay/replay_wait.h"

/// Times of one layout, of memory alone. [pairs] each; freed by the caller.
struct replay_times {
  double *run_ns;              ///< memory time of all visits that the run made: weighted
  double *visit_ns;            ///< of a visit that was timed
  double list_ns;              ///< what the list alone takes a visit
  double program_ns;           ///< what the program takes for one that was timed; NaN: not known
  double program_instructions; ///< the same
};

/// The lists of the layouts as written and changed.
struct replay_lists {
  const struct replay_list *written, *changed;
};

/// What the program takes for a visit of each window. [window_count] each.
struct replay_program {
  const double *ns;           ///< null: not known
  const double *instructions; ///< NaN, or all null: not known
};

/// Bytes of memory that this machine can give now; NaN: not known.
double replay_memory_bytes(void);

/// How many times as long as in the program visits take in a list, its arithmetic included.
///
/// program  ns is known
/// ratio    gets it; NaN where the program's visits take no time
///
/// Returns 0, or RETICLE_E_MEMORY.
int replay_run_ratio(const struct replay_list *list, const struct replay_program *program,
                     double *ratio);

/// Runs both lists so many times each, in turn, on one processor.
///
/// written, changed  get arrays; null on error
/// saved             [REPLAY_WAITS][pairs] gets what the change saves, as shares of the program's
/// time of
///                   all visits
///
/// Returns 0, or RETICLE_E_MEMORY.
int replay_run(const struct replay_lists *lists, const struct replay_program *program, size_t pairs,
               struct replay_times *written, struct replay_times *changed,
               double *const saved[REPLAY_WAITS]);

#endif
