// denormals.h - whether this thread's floating point has met a denormal operand.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_RUNTIME_PROBE_DENORMALS_H
#define RETICLE_RUNTIME_PROBE_DENORMALS_H

#include <stdint.h>

enum rrt_denormals { RRT_DENORMALS_NONE, RRT_DENORMALS_MET, RRT_DENORMALS_UNKNOWN };

// The processor's own record. It stays set once it is, and is the program's to clear; with
// denormals taken for zero (DAZ) it is never set, and they cost nothing. x87 keeps another one.
// AArch64 has such a record only of denormals that it flushed.
static inline enum rrt_denormals rrt_denormals(void) {
#if defined(__x86_64__)
  enum { MXCSR_DE = 1 << 1 };
  uint32_t mxcsr;
  __asm__ volatile("stmxcsr %0" : "=m"(mxcsr));
  return mxcsr & MXCSR_DE ? RRT_DENORMALS_MET : RRT_DENORMALS_NONE;
#else
  return RRT_DENORMALS_UNKNOWN;
#endif
}

#endif
