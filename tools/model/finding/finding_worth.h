// finding_worth.h - what all findings together are worth, and what was looked for and not found.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_MODEL_FINDING_FINDING_WORTH_H
#define RETICLE_TOOLS_MODEL_FINDING_FINDING_WORTH_H

#include "tools/model/finding/finding.h"

/// What saves less of the time isn't told beside findings whose gain isn't known.
#define FINDINGS_WORTH_LEAST 0.01

/// Part of the CPU time that the changes of all findings save, by the middles of their gains, 0
/// to 1. Findings whose loops overlap count once, by the one that saves most; those that are only
/// possible, that are refuted or have no gain, and what isn't on a CPU, not at all.
///
/// only_gained  of changes alone that were made, and the program measured
double findings_worth(const struct measurement *m, const struct findings *findings,
                      bool only_gained);

/// "false sharing (2 threads, 41 samples of touched memory), ...": what was measured and gave no
/// finding.
void findings_add_absent(const struct measurement *m, const struct findings *findings,
                         struct text *out);
/// "layouts (no build counts fields), ...": what can't be said, and why.
void findings_add_unknown(const struct measurement *m, struct text *out);

#endif
