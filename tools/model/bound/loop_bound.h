// loop_bound.h - what memory costs a loop, measured on copies of it: numbers, and words for them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_MODEL_BOUND_LOOP_BOUND_H
#define RETICLE_TOOLS_MODEL_BOUND_LOOP_BOUND_H

#include "tools/analysis/bound/bound_cost.h"
#include "tools/model/measurement/measurement.h"
#include "tools/support/text.h"

/// Of a loop that had copies or was to have them: 1. 0: the program wasn't compiled with bound=.
bool loop_bound_get(const struct measurement *m, const struct measured_loop *loop,
                    struct bound_cost *out);

/// The nearest loop of which it was measured: itself, or one around it in its function. Null: none.
const struct measured_loop *loop_bound_measured(const struct measurement *m,
                                                const struct measured_loop *loop,
                                                struct bound_cost *out);

/// Time of the loop's own code, without loops inside of it, that waits for memory, of its sampled
/// time in user mode, ns. Not known: nothing was measured there, or others in the loop that was may
/// have all of it.
///
/// own_ns  gets that sampled time
struct quantity loop_bound_own(const struct measurement *m, const struct measured_loop *loop,
                               double *own_ns);

/// The same; with the functions that it calls where most of its time is in them and it was measured
/// itself.
struct quantity loop_bound_reach(const struct measurement *m, const struct measured_loop *loop,
                                 double *ns);

/// Holds stall causes of some of the loop's own code to it.
void loop_bound_narrow(const struct measurement *m, const struct measured_loop *loop,
                       struct stall_tally *tally);

/// Of a function's sampled time, what may have been waiting for memory at most by what was measured
/// of its loops, ns.
///
/// linkage, time_ns  of the function
double loop_bound_function_most(const struct measurement *m, const char *linkage, double time_ns);

/// "21.9 ms as it is, 1.14 ms with its data in the first cache, 1.37 ms in the second, medians of 6
/// executions"
void loop_bound_add_times(const struct bound_cost *cost, struct text *out);
/// "95 % (94 % to 97 %) of its time, measured; loads alone 95 %, stores alone 0 %"
void loop_bound_add_shares(const struct bound_cost *cost, struct text *out);

#endif
