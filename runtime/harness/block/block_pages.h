// block_pages.h - the pages that a block touches, found by its faults.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_RUNTIME_HARNESS_BLOCK_BLOCK_PAGES_H
#define RETICLE_RUNTIME_HARNESS_BLOCK_BLOCK_PAGES_H

#include "runtime/harness/block/block_child.h"

/// What the steps of one measurement share.
struct block_run {
  struct harness_blocks *blocks;
  const struct harness_block *block;
  const struct harness_settings *settings;
  const struct harness_state *state;
  struct harness_result *result;
  uint64_t deadline_ns; ///< on rrt_sys_monotonic_raw_ns
  int cpu;              ///< where it is measured
  bool may_move;        ///< another processor can be tried
  bool is_traced;       ///< settings->step has been told
  size_t row;           ///< copies in a row that are a loop's body; 0: no loop
  size_t copies;        ///< executions of the block at most
  bool may_lengthen;    ///< loop mode: timings may take more of them
  unsigned pages_most;
  // Of the pages with a frame of their own, those with the fill, and those with contents. The
  // control block has such counts as well, but the block may write there.
  size_t filled, copied;
  uint64_t copied_pages[HARNESS_FRAMES_MOST];
};

/// Fills all frames with the state's values, as every run finds them.
void block_frames_fill(const struct block_run *run);

/// Runs the image from `start` and gives each page that faults a frame, until it stops otherwise.
/// A fault is mended in place: frames hold what the block would have found on a mapped page, so
/// going on is the same as starting over.
void block_pages_run(struct block_run *run, struct block_stop *stop);

#endif
