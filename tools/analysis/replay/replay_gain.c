// replay_gain.c - from what visits save to the program's gain.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/analysis/replay/replay_gain.h"

#include "tools/support/memory.h"

#include <math.h>
#include <stdlib.h>

/// Of the program's time so much is left at least: a gain of 100 is one that can't be told.
#define LEAST_LEFT 0.01

/// scratch  [3 * pairs]
static struct paired gain_of(const double *saved, double share, size_t pairs, double *scratch) {
  double *before = scratch, *after = scratch + pairs;
  for (size_t i = 0; i < pairs; i++) {
    before[i] = 1;
    after[i] = fmax(1 - share * saved[i], LEAST_LEFT);
  }
  return paired_compare(before, after, pairs, 1, scratch + 2 * pairs);
}

struct paired replay_gain_find(const struct replay_saved *ends, size_t end_count, double share,
                               size_t pairs) {
  double low = INFINITY, high = 0, sum = 0,
         *scratch = memory_zeroed(3 * pairs + 1, sizeof *scratch);
  struct paired out = {0};
  for (size_t e = 0; e < end_count; e++)
    for (size_t k = 0; k < REPLAY_WAITS; k++) {
      struct paired by = gain_of(ends[e].by[k], share, pairs, scratch);
      low = fmin(low, by.gain.low);
      high = fmax(high, by.gain.high);
      if (k != REPLAY_WAIT_LIKELY)
        continue;
      sum += log(by.gain.value);
      out = by;
    }
  free(scratch);
  if (out.gain.status != QUANTITY_OK)
    return out;
  double value = exp(sum / (double)end_count);
  out.gain = quantity_of(value, low, high);
  out.verdict = low > 1 && value >= 1 + PAIRED_RELEVANT          ? PAIRED_GAIN
                : high < 1 && value <= 1 / (1 + PAIRED_RELEVANT) ? PAIRED_WORSE
                                                                 : PAIRED_NONE;
  return out;
}
