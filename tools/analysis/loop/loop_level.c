// loop_level.c - finds the densest window of a loop's durations, and the share of slower ones.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/analysis/loop/loop_level.h"

#include "tools/analysis/stats/statistics.h"

struct loop_window loop_densest(const double *sorted, size_t n, double width) {
  struct loop_window best = {0, 0};
  for (size_t first = 0, end = 0; first < n; first++) {
    while (end < n && sorted[end] <= sorted[first] + width)
      end++;
    if (end - first > best.end - best.first)
      best = (struct loop_window){first, end};
  }
  return best;
}

struct loop_level loop_level_of(const double *sorted, size_t n, double width) {
  struct loop_window usual = loop_densest(sorted, n, width);
  struct loop_window faster = loop_densest(sorted, usual.first, width);
  if (3 * (faster.end - faster.first) >= usual.end - usual.first && faster.end > faster.first &&
      sorted[usual.first] - sorted[faster.end - 1] > width)
    usual = faster;
  return (struct loop_level){sorted[usual.first], sorted[usual.first] + width};
}
