// topdown_steady.c - compares shares of level 1 and mean time of a loop in two runs.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/analysis/topdown/topdown_steady.h"

#include <math.h>

struct topdown_steady topdown_steady_of(const struct topdown_tree *tree,
                                        const struct topdown_result *a,
                                        const struct topdown_result *b, double mean_a_ns,
                                        double mean_b_ns) {
  struct topdown_steady out = {.points = NAN, .factor = NAN};
  for (size_t i = 0; i < tree->node_count; i++) {
    double apart = 100 * fabs(a->nodes[i].share.value - b->nodes[i].share.value);
    if (!*tree->nodes[i].parent && !isnan(apart))
      out.points = isnan(out.points) ? apart : fmax(out.points, apart);
  }
  if (mean_a_ns > 0 && mean_b_ns > 0) // false where one is NaN
    out.factor = fmax(mean_a_ns, mean_b_ns) / fmin(mean_a_ns, mean_b_ns);
  out.is_steady = out.points <= TOPDOWN_STEADY_POINTS && !(out.factor > TOPDOWN_STEADY_FACTOR);
  return out;
}
