// layout_words.h - another layout of a struct, in words.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_MODEL_TRIAL_LAYOUT_WORDS_H
#define RETICLE_TOOLS_MODEL_TRIAL_LAYOUT_WORDS_H

#include "tools/support/text.h"

/// Adds "a and b in an array of their own, under the same index".
///
/// change  as layout_change_add calls it; any other text is added as it is
void layout_words_add(const char *change, struct text *out);

#endif
