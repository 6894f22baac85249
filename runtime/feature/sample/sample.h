// sample.h - the feature `sample`: where the program counter of all threads is.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Guarded by the drain lock, but for rrt_sample_start and rrt_sample_calibrate. Why it is so:
// docs/decisions/0012.
#ifndef RETICLE_RUNTIME_FEATURE_SAMPLE_SAMPLE_H
#define RETICLE_RUNTIME_FEATURE_SAMPLE_SAMPLE_H

#include "include/reticle/abi.h"

/// Opens the engine, for all threads there are and come. By the sideline at its start: what it
/// opens lies in its own table of descriptors.
void rrt_sample_start(void);
/// Finds out where samples lie, with samples of its own: 2 ms. By the sideline.
void rrt_sample_calibrate(void);
/// Takes what was sampled up to now. Returns how full the fullest ring was, in permille.
uint32_t rrt_sample_drain(void);
/// Counts anew, for the next epoch; what engines and mappings know stays.
void rrt_sample_restart(void);
/// After fork, in the child: its parent's rings are not mapped here.
void rrt_sample_forked(void);

/// The library that carries the runtime is unloaded: no signal finds its code. The sideline has
/// ended.
void rrt_sample_close(void);
/// Samples taken so far; from any thread.
uint64_t rrt_sample_count(void);

/// What a checkpoint writes.
struct rrt_sample_tables {
  const struct reticle_file_sampling *sampling;
  const struct reticle_file_loadfile *files;
  const struct reticle_file_address *slots; ///< [slot_count], those with samples are in use
  const struct reticle_file_stack *stacks;  ///< [stack_count], null without the option stacks
  uint32_t file_count, slot_count, stack_count;
};
/// 0 if the feature is off. The tables are valid until the lock is given back.
int rrt_sample_tables_get(struct rrt_sample_tables *out);
uint64_t rrt_sample_bytes(void);

#endif
