// loop_parts.h - the tables of a loop's card: percentiles, distribution, trip counts, threads.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_RENDER_TEXT_LOOP_LOOP_PARTS_H
#define RETICLE_TOOLS_RENDER_TEXT_LOOP_LOOP_PARTS_H

#include "tools/model/measurement/measurement.h"
#include "tools/ui/terminal.h"

/// Adds the tables, each with an empty line around it; those that would say nothing are left out.
void loop_parts_add(const struct measurement *measurement, const struct measured_loop *loop,
                    const struct terminal *terminal, struct text *out);

#endif
