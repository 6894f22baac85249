// bound_stall.h - what memory was measured to cost, laid on stall causes that were ruled out.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_ANALYSIS_BOUND_BOUND_STALL_H
#define RETICLE_TOOLS_ANALYSIS_BOUND_BOUND_STALL_H

#include "tools/analysis/stall/stall_cause.h"
#include "tools/analysis/stats/quantity.h"

/// Time that a part of a loop waits for memory, where that of all of it was measured. The rest of
/// the loop may have as much of it as it takes.
///
/// memory       share of the loop's time
/// whole, part  time of the loop and of its part, any unit; part at most whole
struct quantity bound_stall_of(struct quantity memory, double whole, double part);

/// Holds the ranges of a tally to it: data from beyond the first cache, looked up addresses and
/// full store buffers take no more, and for sure no more than its middle, all of memory no less,
/// and what isn't memory at most the rest.
///
/// memory  time of the tally's blocks
void bound_stall_narrow(struct quantity memory, struct stall_tally *tally);

#endif
