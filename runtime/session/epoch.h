// epoch.h - continuous use: samples in a new file at intervals; old files go.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Guarded by the drain lock. Why it is so: docs/decisions/0015.
#ifndef RETICLE_RUNTIME_SESSION_EPOCH_H
#define RETICLE_RUNTIME_SESSION_EPOCH_H

#include "runtime/support/path.h"

#include <stdint.h>

/// Number of the epoch that samples are taken for, from 1; 0 without the option.
uint32_t rrt_epoch_number(void);
/// When it began, seconds since 1970.
uint64_t rrt_epoch_start_s(void);
/// 1 if its time is over.
int rrt_epoch_is_over(void);
/// The file that it is closed into.
void rrt_epoch_path(char out[RRT_PATH_BYTES]);
/// Begins the next one. is_written: the file above is there; else there was nothing to write.
void rrt_epoch_next(int is_written);
/// There is a file by that name already: the next number.
void rrt_epoch_skip(void);

#endif
