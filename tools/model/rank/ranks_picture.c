// ranks_picture.c - time of ranks in a loop over the median rank's.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/model/rank/ranks_picture.h"

#include "tools/analysis/stats/statistics.h"
#include "tools/support/memory.h"

#include <math.h>
#include <stdlib.h>

const double ranks_shades[RANKS_SHADES] = {1.1, 1.25, 1.5, 2, INFINITY};

/// Of the ranks that entered the loop.
static double median_of(const struct ranks *ranks, const struct rank_loop *loop) {
  double *times = memory_zeroed(ranks->count + 1, sizeof *times);
  size_t count = 0;
  for (size_t i = 0; i < ranks->count; i++)
    if (loop->cells[i].executions && isfinite(loop->cells[i].total_ns))
      times[count++] = loop->cells[i].total_ns;
  statistics_sort(times, count);
  double median = count ? statistics_quantile(times, count, 0.5) : NAN;
  free(times);
  return median;
}

void ranks_picture(const struct ranks *ranks, const struct rank_loop *loop, size_t columns,
                   double *out) {
  double median = median_of(ranks, loop);
  for (size_t c = 0; c < columns; c++) {
    size_t first = ranks->count * c / columns, end = ranks->count * (c + 1) / columns;
    double most = NAN;
    for (size_t i = first; i < end; i++)
      if (loop->cells[i].executions)
        most = fmax(most, loop->cells[i].total_ns);
    out[c] = most / median;
  }
}

size_t ranks_shade(double ratio) {
  size_t i = 0;
  while (i + 1 < RANKS_SHADES && !(ratio <= ranks_shades[i]))
    i++;
  return i;
}
