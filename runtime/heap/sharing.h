// sharing.h - cache lines that several threads touch: words of one line written by different ones.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For code that tells reads from writes and threads from one another (shadow=detail,
// runtime/probe/shadow_apart.c).
#ifndef RETICLE_RUNTIME_HEAP_SHARING_H
#define RETICLE_RUNTIME_HEAP_SHARING_H

#include "include/reticle/abi.h"

/// Makes the tables, and sets rrt_shadow.is_sharing. Without memory nothing is told.
void rrt_sharing_open(void);

// One at a time: these need the lock of the scan.
/// Looks at all marks, before a sample makes them old.
void rrt_sharing_look(void);
/// Right behind the sample that began then: whether several threads have been at shared lines
/// again.
void rrt_sharing_look_again(uint64_t sample_ns);
/// 1 if there is a line that is worth another look.
int rrt_sharing_any(void);

/// After fork, in the child.
void rrt_sharing_forked(void);

/// The fields of `out` about detail.
void rrt_sharing_read(struct reticle_file_shadow *out);
/// Line i of what was found; 0 behind the last.
int rrt_sharing_line(uint32_t i, struct reticle_file_sharedline *out);
uint64_t rrt_sharing_bytes(void);

#endif
