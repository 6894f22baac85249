// order.h - loops in the order that the reader asks for.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_ANALYSIS_LOOP_ORDER_H
#define RETICLE_TOOLS_ANALYSIS_LOOP_ORDER_H

#include "tools/analysis/loop/loop.h"

enum loop_key {
  LOOP_KEY_LOST,  ///< time lost to variation
  LOOP_KEY_SHARE, ///< total time
  LOOP_KEY_P50,   ///< median duration
  LOOP_KEY_RUNS,  ///< executions
};

/// Largest first; loops without that quantity come last; equal ones stay in their order.
///
/// stats  [n]
/// order  [n], gets the positions
///
/// Returns 0 or RETICLE_E_MEMORY.
int loop_order(const struct loop_stats *const *stats, size_t n, enum loop_key key, size_t *order);

#endif
