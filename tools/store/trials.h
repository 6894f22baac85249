// trials.h - what `reticle try` has measured, from the profiles at hand and those beside them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_STORE_TRIALS_H
#define RETICLE_TOOLS_STORE_TRIALS_H

#include "tools/analysis/trial.h"
#include "tools/store/input.h"
#include "tools/support/text.h"

/// Profiles of earlier runs of the program, in the same directory, that hold trials. Start with
/// trials_load, end with trials_release.
struct trials {
  struct profile *profiles; ///< [count] newest first
  char **paths;             ///< [count]
  size_t count;
};

/// Looks for profiles beside the first one of the input. Quiet about files that can't be read.
void trials_load(const struct input *input, struct trials *out);
void trials_release(struct trials *trials);

/// What of a layout file tells people which layout it is: "order a, b, c ...".
void trials_describe(const char *layout, struct text *out);

#endif
