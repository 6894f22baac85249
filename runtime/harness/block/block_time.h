// block_time.h - timing a block whose pages are mapped.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_RUNTIME_HARNESS_BLOCK_BLOCK_TIME_H
#define RETICLE_RUNTIME_HARNESS_BLOCK_BLOCK_TIME_H

#include "runtime/harness/block/block_pages.h"

/// With a smaller part of the rounds accepted the neighbour is there to stay.
#define BLOCK_DISTURBED_SHARE 0.25

/// Times the block and fills the value, its interval and status into the result. The child is
/// stopped where block_pages_run left it.
///
/// stop  says why it stopped, where it did so before its time
void block_time(struct block_run *run, struct block_stop *stop);

#endif
