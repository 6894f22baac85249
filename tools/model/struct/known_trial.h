// known_trial.h - the last what-if of a struct that reticle try has measured.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_MODEL_STRUCT_KNOWN_TRIAL_H
#define RETICLE_TOOLS_MODEL_STRUCT_KNOWN_TRIAL_H

#include "tools/analysis/struct/trial.h"
#include "tools/store/input.h"

/// The last trial of a struct.
struct known_trial {
  const struct profile_trial *trial; ///< null: there is none
  const struct profile *profile;     ///< that holds it
  enum trial_state state;
};

/// The trial of that struct that ended last, of those kept in the profiles or the study at hand.
struct known_trial known_trial_find(const struct input *input, const struct struct_use *use);

/// The last replay of the struct's visits, the same way.
///
/// change  of this layout, as layout_change_add() calls it; null: of any
struct known_trial known_replay_find(const struct input *input, const struct struct_use *use,
                                     const char *change);

#endif
