// visit_recurrence.h - how often elements are visited in the long run, from the windows of a run.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The windows hold a hundredth of a run's visits. Elements that a single window has are visited
// less often than that says, as others that are visited as often are in none: how often, and how
// many these are, is told by how many elements two windows have [good1953], [chao1987].
#ifndef RETICLE_TOOLS_ANALYSIS_STRUCT_VISIT_RECURRENCE_H
#define RETICLE_TOOLS_ANALYSIS_STRUCT_VISIT_RECURRENCE_H

#include "tools/analysis/struct/visits.h"

/// Elements that more windows have are visited as often as it seems.
enum { VISIT_WINDOWS_FEW = 8 };

/// Visits that are alike: of a place, in a search those as far from the step before.
struct visit_group {
  uint64_t in_windows[VISIT_WINDOWS_FEW + 2]; ///< elements that so many windows have, from 1 on
  double unseen;                              ///< elements that no window has
};

/// Start with visit_recurrence_make, end with visit_recurrence_release.
struct visit_recurrence {
  const struct visits *visits;
  uint32_t *group;            ///< [visits->count]
  uint32_t *windows;          ///< [visits->count] that have the visit's element in its group
  struct visit_group *groups; ///< [group_count]
  size_t group_count;
};

void visit_recurrence_make(const struct visits *visits, uint32_t size_bytes,
                           struct visit_recurrence *out);
void visit_recurrence_release(struct visit_recurrence *it);

/// How likely a visit of the long run that stands for visit i, 0 <= i < visits->count, is one of
/// its element, and not of one that no window has: 0 to 1.
double visit_recurrence_known(const struct visit_recurrence *it, size_t i);

#endif
