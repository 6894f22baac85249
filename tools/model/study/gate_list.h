// gate_list.h - the list of loops that a build leaves without gates, from a profile.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_MODEL_STUDY_GATE_LIST_H
#define RETICLE_TOOLS_MODEL_STUDY_GATE_LIST_H

#include "tools/analysis/run/gate_choice.h"
#include "tools/model/measurement/measurement.h"
#include "tools/support/text.h"

/// What the gates that stay may take of the CPU time, unless one says otherwise.
#define GATE_BUDGET_PERMILLE 5

/// Adds the list as -fplugin-arg-reticle-ignorelist= reads it: a comment and a line "loop:ID" for
/// each loop, behind comments that say what it is.
///
/// budget_permille  of the CPU time, for the gates that stay
/// choice           gets what was chosen
///
/// Returns null, or why the profile can't tell.
const char *gate_list_add(const struct measurement *measurement, uint64_t budget_permille,
                          struct text *out, struct gate_choice *choice);
/// Adds a note where gates of short loops take a few percent of the CPU time.
void gate_list_note(struct measurement *measurement);

#endif
