// replay.h - replays a struct's visits in the layout as it is and as changed: reticle try --replay.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_RUN_TRIAL_REPLAY_H
#define RETICLE_TOOLS_RUN_TRIAL_REPLAY_H

#include "tools/model/measurement/measurement.h"
#include "tools/model/replay/replay_result.h"
#include "tools/support/problem.h"

/// What is replayed beside the layout as written: order, or where it is null advice->parts.
struct replay_change {
  const struct struct_advice *advice;
  const size_t *order;     ///< [advice->item_count]
  const char *words;       ///< what it is
  double program_ns;       ///< CPU time of a run of the program without counters; NaN: not measured
  double fastest, slowest; ///< of its runs, over program_ns; 1 and 1: of one run
};

/// Returns PROBLEM_NONE, or PROBLEM_UNREADABLE or PROBLEM_USAGE after saying why.
int replay_struct(const struct measurement *m, const struct replay_change *change, size_t pairs,
                  struct replay_result *out, struct problems *problems);

#endif
