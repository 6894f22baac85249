// sample_share.h - how sure a share of samples is.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_ANALYSIS_STATS_SAMPLE_SHARE_H
#define RETICLE_TOOLS_ANALYSIS_STATS_SAMPLE_SHARE_H

#include "tools/analysis/stats/quantity.h"

#include <stdint.h>

/// A share of CPU time with the 95 % interval that so many samples leave open: Wilson's, which also
/// holds for few samples and shares near 0 and 1. Samples of one thread at a steady rate are no
/// less exact than independent ones, unless the program beats with the clock.
///
/// part_ns, all_ns  CPU time that the samples stand for
/// all_samples      in all; without one there is no share
struct quantity sample_share(uint64_t part_ns, uint64_t all_ns, uint64_t all_samples);

#endif
