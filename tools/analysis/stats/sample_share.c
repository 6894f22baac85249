// sample_share.c - Wilson's interval of a share of samples.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/analysis/stats/sample_share.h"

#include <math.h>

/// Of the normal distribution, for 95 % in the middle.
#define Z 1.959964

struct quantity sample_share(uint64_t part_ns, uint64_t all_ns, uint64_t all_samples) {
  if (!all_samples || !all_ns)
    return quantity_none(QUANTITY_TOO_FEW, "no samples");
  double p = (double)part_ns / (double)all_ns, n = (double)all_samples;
  double scale = 1 + Z * Z / n;
  double middle = (p + Z * Z / (2 * n)) / scale;
  double half = Z / scale * sqrt(p * (1 - p) / n + Z * Z / (4 * n * n));
  return quantity_of(p, fmax(0, middle - half), fmin(1, middle + half));
}
