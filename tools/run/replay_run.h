// replay_run.h - runs the lists of two layouts over real memory, in turn.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_RUN_REPLAY_RUN_H
#define RETICLE_TOOLS_RUN_REPLAY_RUN_H

#include "tools/analysis/replay_list.h"
#include "tools/analysis/replay_wait.h"

/// Times of one layout, of memory alone. [pairs] each; freed by the caller.
struct replay_times {
  double *run_ns;    ///< memory time of all visits that the run made: weighted
  double *visit_ns;  ///< of a visit that was timed
  double list_ns;    ///< what the list alone takes a visit
  double program_ns; ///< what the program takes for one that was timed; NaN: not known
};

/// The lists of the layouts as written and changed.
struct replay_lists {
  const struct replay_list *written, *changed;
};

/// Bytes of memory that this machine can give now; NaN: not known.
double replay_memory_bytes(void);

/// Runs both lists so many times each, in turn, on one processor.
///
/// program_ns        [window_count] of the program, a visit; null: not known
/// written, changed  get arrays; null on error
/// saved             [REPLAY_WAITS][pairs] gets what the change saves, as shares of the program's
/// time of
///                   all visits
///
/// Returns 0, or RETICLE_E_MEMORY.
int replay_run(const struct replay_lists *lists, const double *program_ns, size_t pairs,
               struct replay_times *written, struct replay_times *changed,
               double *const saved[REPLAY_WAITS]);

#endif
