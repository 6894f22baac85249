// noise_filter.c - drops timings far above the others.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/analysis/stats/noise_filter.h"

#include "tools/analysis/stats/statistics.h"

#include <math.h>

struct noise_filtered noise_filter_robust(const double *timings, size_t n, double tick) {
  if (n == 0)
    return (struct noise_filtered){.threshold = NAN};
  double q1 = statistics_quantile(timings, n, 0.25), q3 = statistics_quantile(timings, n, 0.75);
  double limit = q3 + 2 * fmax(q3 - q1, tick);
  size_t kept = n;
  while (timings[kept - 1] > limit) // ends at q3 at the latest
    kept--;
  return (struct noise_filtered){.kept = kept, .dropped = n - kept, .threshold = limit};
}
