// find_loop.h - the loop that a user names.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_MODEL_LOOP_FIND_LOOP_H
#define RETICLE_TOOLS_MODEL_LOOP_FIND_LOOP_H

#include "tools/model/measurement/measurement.h"
#include "tools/support/problem.h"

/// Finds a loop by its number in the report ("L1"), its stable id (16 hex digits), its place
/// ("book.c:8", "src/book.c:8:3"), or the function it is in, where that has only one.
///
/// Returns the loop; null after saying that none or several match, and which there are.
const struct measured_loop *find_loop(const struct measurement *measurement, const char *name,
                                      struct problems *problems);

#endif
