// shadow.h - where the mark of a word is.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_RUNTIME_PROBE_SHADOW_H
#define RETICLE_RUNTIME_PROBE_SHADOW_H

#include "include/reticle/abi.h"

/// 1 if there is a plane, else 0. Set before the first mark, and never again.
extern uint32_t rrt_shadow_on;

/// The mark of the word that the address lies in.
static inline uint8_t *rrt_shadow_mark(uintptr_t address) {
  return (uint8_t *)((address >> 2) + RETICLE_SHADOW_BASE);
}

#endif
