// arena.h - small blocks of memory under the drain lock, never given back to the system.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_RUNTIME_SUPPORT_ARENA_H
#define RETICLE_RUNTIME_SUPPORT_ARENA_H

#include <stddef.h>
#include <stdint.h>

/// A block of at least `bytes` (64 to 65536), contents undefined; null without memory.
void *rrt_arena_take(size_t bytes);
void rrt_arena_give(void *block, size_t bytes);
/// Bytes taken from the system.
uint64_t rrt_arena_bytes(void);

#endif
