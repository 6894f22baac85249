// memory.h - memory that is there, or the process ends: the one place that does so for want of it
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is returned is freed by free(). Only what reads hostile files (tools/profile, tools/binary)
// may be asked for too much, and returns an error instead; what it read bounds what all others ask
// for.
#ifndef RETICLE_TOOLS_SUPPORT_MEMORY_H
#define RETICLE_TOOLS_SUPPORT_MEMORY_H

#include <stddef.h>

/// Zeroed room for an array; never null, also for count 0.
void *memory_zeroed(size_t count, size_t bytes);

/// Room for an array that keeps what was there; what is new isn't zeroed.
///
/// old  from memory_zeroed or memory_resized, or null; taken over
void *memory_resized(void *old, size_t count, size_t bytes);

/// Says that there is no memory left and ends the process with EXIT_UNREADABLE. For libraries that
/// return that as an error.
_Noreturn void memory_exhausted(void);

#endif
