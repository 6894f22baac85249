// diff_fleet.h - a side of a comparison from a database: levels of runs, without their samples.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_MODEL_COMPARE_DIFF_FLEET_H
#define RETICLE_TOOLS_MODEL_COMPARE_DIFF_FLEET_H

#include "tools/model/compare/diff_input.h"
#include "tools/support/problem.h"

/// Reads the runs that one operand chooses: side->runs gets a profile for each process, with its
/// environment and loops and without samples, and side->fleet what is known of them.
///
/// operands  [count]; count above 1 is a mistake
///
/// Returns PROBLEM_NONE, or PROBLEM_UNREADABLE after saying why; the side can be released in any
/// case.
int diff_fleet_read(char *const *operands, size_t count, struct compared_side *side,
                    struct problems *problems);
/// Says that files and databases can't stand on one side. Returns PROBLEM_UNREADABLE.
int diff_fleet_mixed(const char *side, struct problems *problems);

/// What diff_compare asks; null where the side is of files.
///
/// out  filled in; refers to `fleet`
const struct diff_known *diff_fleet_known(const struct diff_fleet *fleet, struct diff_known *out);
/// The timing floor as the runs have told it.
enum floor_source diff_fleet_floor(const struct diff_fleet *fleet, struct timing_floor *out);

void diff_fleet_free(struct diff_fleet *fleet);

#endif
