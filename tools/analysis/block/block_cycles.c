// block_cycles.c - works out a block's cycles in place, their interval, and how far to trust them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/analysis/block/block_cycles.h"

#include "tools/analysis/stats/statistics.h"

#include <math.h>
#include <stdbool.h>

static struct quantity in_place(const struct block_cycles_input *in) {
  if (!in->samples)
    return quantity_none(QUANTITY_TOO_FEW, "no samples");
  if (in->samples < BLOCK_SAMPLES_LEAST)
    return quantity_none(QUANTITY_TOO_FEW, "fewer than 10 samples");
  if (!(in->executions > 0))
    return quantity_none(QUANTITY_UNSUPPORTED,
                         "samples in a block that never ran to its count: the next one's, late");
  if (in->rate.status != QUANTITY_OK)
    return in->rate;
  bool known = in->dilation.status == QUANTITY_OK;
  double own = 1 - (known ? in->dilation.value : 0);
  double value = in->time_ns * own * in->rate.value / in->executions;
  // Half of the relative interval: samples, clock, sampler.
  double by_samples = STATISTICS_Z95 / sqrt((double)in->samples);
  double by_rate = (in->rate.high - in->rate.low) / 2 / in->rate.value;
  double by_own = known ? (in->dilation.high - in->dilation.low) / 2 / own : 0;
  double half = sqrt(by_samples * by_samples + by_rate * by_rate + by_own * by_own);
  return quantity_of(value, value * fmax(0, 1 - half), value * (1 + half));
}

static enum block_confidence confidence_of(uint64_t samples) {
  return samples >= BLOCK_SAMPLES_HIGH     ? BLOCK_CONFIDENCE_HIGH
         : samples >= BLOCK_SAMPLES_MEDIUM ? BLOCK_CONFIDENCE_MEDIUM
                                           : BLOCK_CONFIDENCE_LOW;
}

struct block_cycles block_cycles(const struct block_cycles_input *in) {
  struct block_cycles out = {.cycles = in_place(in)};
  out.cpi = in->instructions ? quantity_scaled(out.cycles, 1.0 / in->instructions)
                             : quantity_none(QUANTITY_UNSUPPORTED, "no instructions");
  out.gap = quantity_ratio(out.cycles, in->isolated);
  out.confidence =
      out.cycles.status == QUANTITY_OK ? confidence_of(in->samples) : BLOCK_CONFIDENCE_NONE;
  return out;
}

const char *block_confidence_name(enum block_confidence confidence) {
  switch (confidence) {
  case BLOCK_CONFIDENCE_NONE:
    return "none";
  case BLOCK_CONFIDENCE_LOW:
    return "low";
  case BLOCK_CONFIDENCE_MEDIUM:
    return "medium";
  case BLOCK_CONFIDENCE_HIGH:
    return "high";
  }
  return "unknown";
}
