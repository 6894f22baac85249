// known_trial.c - looks for the newest trial of a struct in what was read.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/model/struct/known_trial.h"

struct known_trial known_trial_find(const struct input *input, const struct struct_use *use) {
  struct known_trial known = {.trial = trial_find(&input->profile, use->record->name),
                              .profile = &input->profile};
  if (known.trial)
    known.state = trial_judge(known.trial, &input->profile, use);
  return known;
}

struct known_trial known_replay_find(const struct input *input, const struct struct_use *use,
                                     const char *change) {
  struct known_trial known = {.trial =
                                  trial_replay_find(&input->profile, use->record->name, change),
                              .profile = &input->profile};
  if (known.trial)
    known.state = trial_judge(known.trial, &input->profile, use);
  return known;
}
