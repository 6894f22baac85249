// loop_rank.h - loops in the order of a report, and in the one that the reader asks for.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_ANALYSIS_LOOP_LOOP_RANK_H
#define RETICLE_TOOLS_ANALYSIS_LOOP_LOOP_RANK_H

#include "tools/analysis/loop/loop.h"

/// Order of a report: by time lost, then by total time, then by position; loops without these come
/// last.
///
/// stats  [n]
/// order  [n], gets the positions
void loop_rank(const struct loop_stats *stats, size_t n, size_t *order);

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
void loop_order(const struct loop_stats *const *stats, size_t n, enum loop_key key, size_t *order);

#endif
