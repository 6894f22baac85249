// block_heat.h - which loops of a profile are worth looking into: time of their own.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_ANALYSIS_BLOCK_BLOCK_HEAT_H
#define RETICLE_TOOLS_ANALYSIS_BLOCK_BLOCK_HEAT_H

#include <stdbool.h>
#include <stddef.h>

/// A loop that may be hot.
struct block_heat {
  size_t loop;     ///< the caller's number of it
  size_t rank;     ///< in the report, from 1: decides where times are equal
  bool calls;      ///< calls functions: its time is partly theirs
  double total_ns; ///< inner loops included
  double self_ns;  ///< without timed loops inside
};

/// A timed loop inside another one.
struct block_inner {
  size_t loop; ///< one loop may be found several times: it counts once
  double total_ns;
};

/// ns of a loop without those inside of it, at least 0: each is estimated from samples of its own.
double block_heat_self_ns(double total_ns, const struct block_inner *inner, size_t count);

/// Sorts by total time, longest first.
void block_heat_sort_by_total(struct block_heat *loops, size_t count);
/// Sorts by time of their own, longest first; those that call functions last.
void block_heat_sort_by_self(struct block_heat *loops, size_t count);

#endif
