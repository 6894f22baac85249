// finding_costs.h - what costs time beside what pays: one finding a place, the most important ones.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_MODEL_FINDING_FINDING_COSTS_H
#define RETICLE_TOOLS_MODEL_FINDING_FINDING_COSTS_H

#include "tools/model/finding/finding.h"
#include "tools/model/trial/program_trials.h"

/// Findings in their order, without what is only possible where a study has others, what a trial
/// has decided, what is about less than 1 % of the time, what says no more than heat, and a second
/// one of the same place, or of the same kind where it is only possible.
///
/// is_study  of whom; else of one run
/// rows      gets [result] of them, at most `most`
size_t finding_costs(const struct findings *findings, const struct program_trials *trials,
                     bool is_study, const struct finding **rows, size_t most);

#endif
