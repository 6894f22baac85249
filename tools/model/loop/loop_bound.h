// loop_bound.h - what memory costs a loop, measured on copies of it, in words.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_MODEL_LOOP_LOOP_BOUND_H
#define RETICLE_TOOLS_MODEL_LOOP_LOOP_BOUND_H

#include "tools/analysis/bound/bound_cost.h"
#include "tools/model/measurement/measurement.h"
#include "tools/support/text.h"

/// Of a loop that had copies or was to have them: 1. 0: the program wasn't compiled with bound=.
bool loop_bound_get(const struct measurement *m, const struct measured_loop *loop,
                    struct bound_cost *out);

/// "21.9 ms as it is, 1.14 ms with its data in the first cache, 1.37 ms in the second, medians of 6
/// executions"
void loop_bound_add_times(const struct bound_cost *cost, struct text *out);
/// "95 % (94 to 97 %) of its time, measured; loads alone 95 %, stores alone 0 %"
void loop_bound_add_shares(const struct bound_cost *cost, struct text *out);

#endif
