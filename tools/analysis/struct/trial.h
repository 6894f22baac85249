// trial.h - what `reticle try` measured of a struct's layout, and whether it still holds.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_ANALYSIS_STRUCT_TRIAL_H
#define RETICLE_TOOLS_ANALYSIS_STRUCT_TRIAL_H

#include "tools/analysis/stats/quantity.h"
#include "tools/analysis/struct/struct_use.h"

/// Whether a trial is of the program that a profile shows.
enum trial_state {
  TRIAL_CURRENT,
  TRIAL_OTHER_STRUCT, ///< stale: the struct's fields, their places or sizes have changed
  TRIAL_OTHER_BUILD,  ///< stale: the program was built anew, from other sources or otherwise
  TRIAL_UNSURE,       ///< there is no build id to tell builds by
};

/// Hash of the struct's size and of its fields' names, places and sizes. Never 0.
uint64_t trial_definition(const struct struct_use *use);

/// Build id of the profile's executable; "" if it has none.
const char *trial_build_id(const struct profile *profile);

/// The last trial of a struct of that name that built and ran; null if there is none.
const struct profile_trial *trial_find(const struct profile *profile, const char *name);

/// The last replay of its visits; null if there is none.
///
/// change  what was replayed, as layout_change_add() calls it; null: anything
const struct profile_trial *trial_replay_find(const struct profile *profile, const char *name,
                                              const char *change);

/// What the trial says of one loop; null: it didn't change by more than runs differ.
///
/// profile  that holds the trial
const struct profile_trialloop *trial_loop_find(const struct profile *profile,
                                                const struct profile_trial *trial, uint64_t loop);

/// profile, use  what is shown
enum trial_state trial_judge(const struct profile_trial *trial, const struct profile *profile,
                             const struct struct_use *use);

/// Time as written over time changed, with its 95 % interval: 1.5 is half as much again.
struct quantity trial_gain(const struct profile_trial *trial);
/// The same of one loop, by its mean duration.
struct quantity trial_loop_gain(const struct profile_trialloop *loop);
/// As the file has a ratio.
uint64_t trial_millionths(double ratio);

/// "gain", "worse" or "no_measurable_gain"; "unknown" for what a newer version may write.
const char *trial_verdict_name(uint32_t verdict);
/// "current", "other_struct", "other_build" or "unsure".
const char *trial_state_name(enum trial_state state);

#endif
