// diff_words.h - phrases of a comparison, for every form.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_MODEL_COMPARE_DIFF_WORDS_H
#define RETICLE_TOOLS_MODEL_COMPARE_DIFF_WORDS_H

#include "tools/model/compare/diff_input.h"
#include "tools/support/units.h"

/// "+12.3 %", "-4.0 %", "+0.1 %", and from a factor of two on "x2.40", "/3.1"; of a logarithm.
struct units diff_change(double log_change);

/// The 95 % interval of a change, both ends in the form that diff_change has for the change itself:
/// "+1.2 % to +3.4 %", "/3.1 to /1.8".
struct units diff_interval(const struct diff_outcome *outcome);

/// Adds how many have which verdict: "1 slower, 0 faster, ..."; [DIFF_ONLY_B + 1].
void diff_verdicts_words(const size_t *verdicts, struct text *out);

/// On what the verdicts rest: floor and number of tests, and whether runs were taken in turn.
void diff_design_words(const struct comparison *c, struct text *floor, struct text *turns);

/// What to doubt of all verdicts, number i; null: there is no more.
const char *diff_doubt(const struct diff *diff, size_t i);

/// Adds how executions, trip counts and place of a loop changed; nothing where they did not.
void diff_work_words(const struct diff_loop *loop, struct text *line);

#endif
