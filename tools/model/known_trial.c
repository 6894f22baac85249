// known_trial.c - looks for the newest trial of a struct among those kept.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/model/known_trial.h"

struct known_trial known_trial_find(const struct trials *trials, const struct input *input,
                                    const struct struct_use *use) {
  struct known_trial known = {.trial = trial_find(&input->profile, use->record->name),
                              .profile = &input->profile};
  for (size_t i = 0; !known.trial && i < trials->count; i++) {
    known.trial = trial_find(&trials->profiles[i], use->record->name);
    known.profile = &trials->profiles[i];
    known.path = trials->paths[i];
  }
  if (known.trial)
    known.state = trial_judge(known.trial, &input->profile, use);
  return known;
}
