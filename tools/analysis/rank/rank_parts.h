// rank_parts.h - between the parts of rank_judge.h: one loop's comparison, and the kinds.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_ANALYSIS_RANK_RANK_PARTS_H
#define RETICLE_TOOLS_ANALYSIS_RANK_RANK_PARTS_H

#include "tools/analysis/rank/rank_judge.h"
#include "tools/analysis/stats/outliers.h"

/// The values of one channel of one loop.
struct rank_values {
  struct outlier_value *values; ///< [count] by rank
  bool *by_host;                ///< [count]
  size_t count;
};

/// Compares ranks, and where there are several hosts the hosts; sets is_above, above, above_error
/// and by_host.
///
/// family  probability that any stands out where all are alike
struct outliers rank_compare(struct rank_values *values, const struct rank_facts *ranks,
                             double family, double least);

/// Sorts findings by rank, and sets the kind of findings that stand out by CPU time, and of those
/// that have another loop's work in them.
///
/// judged  loops' counts of compared ranks; alike: [rank_count] loops in which each rank was
///         compared by CPU time, and in how many of them it stood above
struct rank_alike {
  size_t compared, above;
  double least, most; ///< logarithms by which it stood above
};
void rank_find_kinds(struct rank_judged *judged, const struct rank_facts *ranks, size_t rank_count,
                     const struct rank_alike *alike);

#endif
