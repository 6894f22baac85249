// bound_list.h - which loops a study has run again in isolation, as the compiler's list.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_MODEL_STUDY_BOUND_LIST_H
#define RETICLE_TOOLS_MODEL_STUDY_BOUND_LIST_H

#include "tools/model/measurement/measurement.h"
#include "tools/support/text.h"

/// Adds the list as -fplugin-arg-reticle-bound= reads it: loops with code that takes 3 % of the CPU
/// time and more, the hottest twelve; in place of one whose executions are too short to be told the
/// nearest around it that isn't.
///
/// Returns how many loops are in it; nothing is added for none.
size_t bound_list_add(const struct measurement *measurement, struct text *out);

#endif
