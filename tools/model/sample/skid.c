// skid.c - finds the run's skid calibration, and the reason where it lacks one.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/model/sample/skid.h"

#include "tools/analysis/stats/sample_share.h"

/// Fewer are not enough: 0.9 of 32 has a standard error of 0.05.
#define SAMPLES_LEAST 32
/// What the loop of divisions has besides takes some samples, too; where most lie, single
/// instructions are told apart.
#define SHARE_LEAST 0.7

struct quantity skid_find(const struct profile *profile) {
  uint64_t samples = 0, behind = 0;
  for (size_t i = 0; i < profile->sampling_count; i++) {
    samples += profile->sampling[i].skid_samples;
    behind += profile->sampling[i].skid_behind;
    if (profile->sampling[i].samples && profile->sampling[i].engine == RETICLE_SAMPLING_TIMER)
      return quantity_none(
          QUANTITY_UNSUPPORTED,
          "stall causes aren't known: samples by timers may lie anywhere in a block");
  }
  if (samples < SAMPLES_LEAST || behind > samples)
    return quantity_none(
        QUANTITY_TOO_FEW,
        "stall causes aren't known: the run didn't find out how far behind a stall "
        "samples lie (shorter than 20 ms, or another kind of processor)");
  return sample_share(behind, samples, samples);
}

const char *skid_missing(const struct quantity *skid) {
  if (skid->status != QUANTITY_OK)
    return skid->reason;
  return skid->value >= SHARE_LEAST ? NULL
                                    : "stall causes aren't known: on this processor a sample "
                                      "doesn't lie on the instruction behind the one that it "
                                      "waited for; only blocks can be named";
}
