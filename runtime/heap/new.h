// new.h - operator new above malloc: whose call of malloc this is.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_RUNTIME_HEAP_NEW_H
#define RETICLE_RUNTIME_HEAP_NEW_H

#include "runtime/probe/thread_local.h"

#include <stdint.h>

/// The definition of a function behind the program's own; null if there is none but wrappers of
/// ours, or nothing to ask (a static program). Text that dlsym makes is allocated.
void *rrt_next_definition(const char *name);

extern __thread const uintptr_t *
    rrt_new_pending RRT_THREAD_LOCAL(new_pending); ///< left by operator new
/// The frame of operator new if that has called malloc, else the given one. Once.
static inline const uintptr_t *rrt_new_frame(const uintptr_t *frame) {
  const uintptr_t *taken = rrt_new_pending ? rrt_new_pending : frame;
  rrt_new_pending = 0;
  return taken;
}

#endif
