// dilation.c - divides the measured cost of a sample by the time between samples.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/machine/dilation.h"

#include "runtime/harness/sample_cost.h"
#include "tools/machine/machine.h"

#include <math.h>

struct quantity dilation_find(const struct profile *profile) {
  uint64_t period_ns = UINT64_MAX;
  struct machine machine;
  struct harness_sample_cost cost;
  for (size_t i = 0; i < profile->sampling_count; i++) {
    if (profile->sampling[i].engine != RETICLE_SAMPLING_PERF)
      return quantity_none(QUANTITY_UNSUPPORTED, "what a sample by timer costs isn't measured");
    if (profile->sampling[i].period_ns < period_ns)
      period_ns = profile->sampling[i].period_ns;
  }
  if (period_ns == UINT64_MAX || !period_ns || !profile->count_count)
    return quantity_none(QUANTITY_UNSUPPORTED, "no samples, or no counts of blocks");
  machine_read(&machine);
  if (!machine_matches(&machine, &profile->env))
    return quantity_none(QUANTITY_UNSUPPORTED, "the profile is of another machine");
  if (harness_sample_cost(&cost) != 0)
    return quantity_none(QUANTITY_UNSUPPORTED, "perf_event_open is denied here");
  double period = (double)period_ns;
  return quantity_of(fmin(0.5, cost.ns / period), fmin(0.5, cost.low_ns / period),
                     fmin(0.5, cost.high_ns / period));
}
