// skid.h - where a sample lies: on the instruction that held the processor up, or on the next.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_RUNTIME_FEATURE_SAMPLE_SKID_H
#define RETICLE_RUNTIME_FEATURE_SAMPLE_SKID_H

#include <stdint.h>

/// Samples divisions of the calling thread for about 2 ms.
///
/// samples  on the loop of divisions; 0: perf is denied, or not this processor
/// behind   of them, on the instruction behind the division
void rrt_skid_measure(uint64_t *samples, uint64_t *behind);

#endif
