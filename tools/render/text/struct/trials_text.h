// trials_text.h - what reticle try has measured, as text.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_RENDER_TEXT_STRUCT_TRIALS_TEXT_H
#define RETICLE_TOOLS_RENDER_TEXT_STRUCT_TRIALS_TEXT_H

#include "tools/model/struct/known_trial.h"
#include "tools/support/text.h"

/// "gain 1.21x (95 % interval 1.18 to 1.25), 10 pairs of runs, CPU time, 5 min ago: order a, b";
/// what is stale says so first. loop: id; 0: none
void trials_add(const struct known_trial *known, uint64_t loop, struct text *out);

#endif
