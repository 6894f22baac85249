// remedy.h - what helps against a cause, where nothing better is known.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_MODEL_REMEDY_REMEDY_H
#define RETICLE_TOOLS_MODEL_REMEDY_REMEDY_H

#include "tools/analysis/loop/slow_cause.h"
#include "tools/analysis/stall/stall_cause.h"

enum remedy {
  REMEDY_NONE,
#define REMEDY(ID, words) REMEDY_##ID,
#include "tools/model/remedy/remedy.def"
};

/// What to do, a sentence without a full stop; null: none.
const char *remedy_words(enum remedy remedy);

/// REMEDY_NONE where no cause is named.
enum remedy remedy_of_stall(enum stall_cause cause);
enum remedy remedy_of_slow(enum slow_cause cause);

#endif
