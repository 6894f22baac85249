// core_rate.c - the clock from two lengths of the control chain: additions by difference of times.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/analysis/loop/core_rate.h"

#include "tools/analysis/stats/statistics.h"
#include "tools/support/memory.h"

#include <math.h>
#include <stdlib.h>

/// Chains of a length without which its median isn't used.
#define CHAINS 20

/// By how much the clock of another thread's core may be another one: boost clocks of one package's
/// cores differ by that.
#define BESIDE_WIDER 0.03

struct median {
  double value, low, high; ///< 95 % interval by order statistics
};

static struct median median_of(const struct control_length *length) {
  size_t n = length->count;
  double *ns = memory_zeroed(n + 1, sizeof(*ns));
  for (size_t i = 0; i < n; i++)
    ns[i] = length->points[i].ns;
  statistics_sort(ns, n);
  double half = STATISTICS_Z95 / 2 / sqrt((double)n);
  struct median median = {statistics_quantile(ns, n, 0.5),
                          statistics_quantile(ns, n, fmax(0, 0.5 - half)),
                          statistics_quantile(ns, n, fmin(1, 0.5 + half))};
  free(ns);
  return median;
}

static struct quantity rate_of(const struct control_length *shortest,
                               const struct control_length *longest, double beside) {
  struct median a = median_of(shortest), b = median_of(longest);
  double adds = (double)(longest->adds - shortest->adds);
  if (!(b.low - a.high > 0))
    return quantity_none(QUANTITY_TOO_NOISY, "the timed chains of additions vary too much");
  return quantity_of(adds / (b.value - a.value), adds / (b.high - a.low) * (1 - beside),
                     adds / (b.low - a.high) * (1 + beside));
}

struct quantity core_rate(const struct control *control) {
  const struct control_length *shortest = NULL, *longest = NULL, *beside[CONTROL_BESIDE];
  for (size_t i = 0; i < control->length_count; i++) {
    const struct control_length *length = &control->lengths[i];
    if (length->count < CHAINS)
      continue;
    shortest = shortest ? shortest : length;
    longest = length;
  }
  if (longest && longest != shortest)
    return rate_of(shortest, longest, 0);
  bool is_first = control->beside[0].adds < control->beside[1].adds;
  beside[0] = &control->beside[is_first ? 0 : 1];
  beside[1] = &control->beside[is_first ? 1 : 0];
  if (beside[0]->count >= CHAINS && beside[1]->count >= CHAINS)
    return rate_of(beside[0], beside[1], BESIDE_WIDER);
  return quantity_none(QUANTITY_TOO_FEW,
                       "the core's clock isn't known: too few timed chains of additions (they run "
                       "beside timed loops, and beside samples: let it run for some seconds with "
                       "chain=1 and sample=1)");
}
