// replay_run.h - runs the lists of two layouts over real memory, in turn.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_RUN_REPLAY_RUN_H
#define RETICLE_TOOLS_RUN_REPLAY_RUN_H

#include "tools/analysis/replay_list.h"

/// Times of one layout, of memory alone. [pairs] each; freed by the caller.
struct replay_times {
  double *run_ns;   ///< memory time of all visits that the run made: weighted
  double *visit_ns; ///< of a visit that was timed
  double list_ns;   ///< what the list alone takes a visit
};

/// The lists of the layouts as written and changed.
struct replay_lists {
  const struct replay_list *written, *changed;
};

/// Bytes of memory that this machine can give now; NaN: not known.
double replay_memory_bytes(void);

/// Of the program's time of all visits, what the change saves, by how much of it is waiting for
/// memory. A visit that takes T in the program, W of memory in the replay and L in the list waits
enum replay_wait {
  REPLAY_WAIT_LEAST,  ///< W, but no more than T - L: the list's own time is the program's, too
  REPLAY_WAIT_LIKELY, ///< W + L, but no more than 2 W and T - L: the processor was at the list
                      ///< meanwhile
  REPLAY_WAIT_MOST,   ///< the same, but no more than T
  REPLAY_WAITS
};

/// Runs both lists so many times each, in turn, on one processor.
///
/// program_ns        [window_count] of the program, a visit; null: not known
/// written, changed  get arrays; null on error
/// saved             [REPLAY_WAITS][pairs] gets shares of the program's time of all visits
///
/// Returns 0, or RETICLE_E_MEMORY.
int replay_run(const struct replay_lists *lists, const double *program_ns, size_t pairs,
               struct replay_times *written, struct replay_times *changed,
               double *const saved[REPLAY_WAITS]);

#endif
