// block_counters.h - misses of the first caches while a block runs, where a PMU counts them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_RUNTIME_HARNESS_BLOCK_BLOCK_COUNTERS_H
#define RETICLE_RUNTIME_HARNESS_BLOCK_BLOCK_COUNTERS_H

#include "runtime/harness/block/block_pages.h"

/// Runs the timed block some more and counts. Fills in the result's misses and pmu_error, and calls
/// a value noisy whose runs miss. The child is stopped where block_time left it.
///
/// stop  says why it stopped, where it did so before its time
void block_counters_check(struct block_run *run, struct block_stop *stop);

/// Misses of a run, from two batches that differ in their number of runs alone: what stopping and
/// starting the child costs is in both. Never below 0.
double block_counters_each(uint64_t few, unsigned few_runs, uint64_t many, unsigned many_runs);

#endif
