// replay_trial.h - a replay from the choice of the layout to a record in the profile.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_RUN_TRIAL_REPLAY_TRIAL_H
#define RETICLE_TOOLS_RUN_TRIAL_REPLAY_TRIAL_H

#include "tools/model/struct/layout_choose.h"
#include "tools/run/trial/replay.h"
#include "tools/support/problem.h"
#include "tools/support/text.h"

struct replay_settings {
  struct problems *problems; ///< get what is to be told
  const char *structure;     ///< its name
  const char *layout;        ///< a layout file: its order is replayed; null: what is advised
  const char
      *array; ///< fields, divided by commas, that get an array of their own; null: as advised
  char *const
      *command; ///< [..., NULL] runs the program, whose CPU time counts; null: the profile's
  struct layout_wish wish;
  size_t pairs;
  char *const *files; ///< [file_count] profiles, or a study; none: the newest profile here
  size_t file_count;
};

/// Start with replay_trial_make, end with replay_trial_release.
struct replay_trial {
  const struct replay_settings *settings;
  struct measurement measurement;
  bool is_loaded; ///< the measurement is
  struct struct_advice advice;
  struct replay_change change;
  size_t *order;
  struct text words; ///< of the change
  struct replay_result result;
};

/// Chooses what is replayed beside the layout as written, and replays it.
///
/// Returns PROBLEM_NONE; another kind after saying why; 128 + signal where the program was
/// interrupted. `out` can be released in any case.
int replay_trial_make(const struct replay_settings *settings, struct replay_trial *out);

/// Keeps the result in the first of the files (replay_keep).
void replay_trial_keep(const struct replay_trial *trial);

void replay_trial_release(struct replay_trial *trial);

#endif
