// replay_side.h - one layout's list at work: a window is timed over real memory.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_RUN_TRIAL_REPLAY_SIDE_H
#define RETICLE_TOOLS_RUN_TRIAL_REPLAY_SIDE_H

#include "tools/analysis/replay/replay_list.h"

/// Start with replay_side_open, end with replay_side_close.
struct replay_side {
  const struct replay_list *list;
  char *memory;        ///< not owned; all 0, and stays so
  double *window_ns;   ///< [window_count] of the last pass
  double *list_ns;     ///< [window_count] of the list alone
  bool *window_writes; ///< [window_count]
  /// [window_count] instructions of the program for a visit, of which those that an entry doesn't
  /// have run beside it: how far ahead a processor sees is so many instructions; null: not known
  const double *instructions;
  double work_share; ///< of what an entry lacks so much, 0 to 1
};

/// The memory is for the caller to give. Returns 0 or RETICLE_E_MEMORY.
int replay_side_open(struct replay_side *side, const struct replay_list *list);
void replay_side_close(struct replay_side *side);

/// Times window i, the caches warmed, as the thread's CPU time, into window_ns, and behind it the
/// same list over a few lines, into list_ns.
void replay_side_time(struct replay_side *side, size_t i);

/// The program's instructions for a visit of window i over those that the list has, work included,
/// up to 1; NaN where they aren't known.
double replay_side_instruction_share(const struct replay_side *side, size_t i);

/// Times all windows over a few lines that stay in the first cache, into list_ns: what the list
/// alone takes. Returns it for a visit, on average.
double replay_side_time_lists(struct replay_side *side);

#endif
