// replay_gain.h - what a program would gain, of replays between which the truth lies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_ANALYSIS_REPLAY_REPLAY_GAIN_H
#define RETICLE_TOOLS_ANALYSIS_REPLAY_REPLAY_GAIN_H

#include "tools/analysis/replay/replay_wait.h"
#include "tools/analysis/stats/paired.h"

/// Shares of the program's time of all visits that a change saves, by how much of it is waiting;
/// [pairs] each.
struct replay_saved {
  double *by[REPLAY_WAITS];
};

/// The gain lies between those of the ends, on a scale of ratios; its interval is that of all of
/// them. No gain is told where it holds 1.
///
/// ends   [end_count], at least 1
/// share  of the program's time that the visits take
struct paired replay_gain_find(const struct replay_saved *ends, size_t end_count, double share,
                               size_t pairs);

#endif
