// loop_nest.h - totals of nested loops that agree: a loop takes no less time than those inside it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_ANALYSIS_LOOP_LOOP_NEST_H
#define RETICLE_TOOLS_ANALYSIS_LOOP_LOOP_NEST_H

#include "tools/analysis/loop/loop.h"

/// Makes total_ns and share of loops and of those inside them, in the same function, agree.
///
/// What was measured of both is combined where the inner ones' samples say more than the outer
/// one's; where that is more than chance makes, the intervals hold both, with a reason. A loop
/// whose own total isn't known takes at least as long as those inside.
///
/// loops  [count] of a profile
/// env    of the same profile
/// stats  [count] of the same loops
void loop_nest(const struct profile_loop *loops, size_t count, const struct profile_env *env,
               struct loop_stats *stats);

/// The same where all of them together took lives_ns; not > 0: not known, shares stay as they are.
void loop_nest_within(const struct profile_loop *loops, size_t count, double lives_ns,
                      struct loop_stats *stats);

/// What loops don't explain: of the same time as their shares, 0 to 1. Its interval is as wide as
/// loops of called functions may lie inside of others, which nobody knows. loop_nest comes first.
struct quantity loop_nest_outside(const struct profile_loop *loops, size_t count,
                                  const struct loop_stats *stats);

#endif
