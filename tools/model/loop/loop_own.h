// loop_own.h - a loop's time without the loops inside it, and the loop around it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_MODEL_LOOP_LOOP_OWN_H
#define RETICLE_TOOLS_MODEL_LOOP_LOOP_OWN_H

#include "tools/model/measurement/measurement.h"

/// Share of all CPU time that the loop takes outside of loops with probes in the same function; of
/// functions that it calls nothing is taken off. 0 to 1; NaN: not known.
///
/// loop  stable id
double loop_own_share(const struct measurement *m, uint64_t loop);

/// The stable id of the nearest loop around it with probes in the same function; 0: none.
uint64_t loop_own_outer(const struct measurement *m, uint64_t loop);

#endif
