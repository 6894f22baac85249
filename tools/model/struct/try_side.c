// try_side.c - times and medians of the runs of one side.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/model/struct/try_side.h"

#include "tools/analysis/stats/statistics.h"
#include "tools/support/memory.h"

#include <stdlib.h>
#include <string.h>

bool try_side_by_wall(const struct try_side *a, const struct try_side *b) {
  return a->has_threads || b->has_threads;
}

const double *try_side_times(const struct try_side *side, const struct try_side *other) {
  return try_side_by_wall(side, other) ? side->wall : side->cpu;
}

double try_side_median(const struct try_side *side, const double *seconds) {
  double *sorted = memory_zeroed(side->count + 1, sizeof *sorted);
  memcpy(sorted, seconds, side->count * sizeof *sorted);
  statistics_sort(sorted, side->count);
  double median = statistics_quantile(sorted, side->count, 0.5);
  free(sorted);
  return median;
}
