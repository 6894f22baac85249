// flush.h - the caches of this machine, and an array whose sweep takes their contents away.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_RUNTIME_HARNESS_FLUSH_H
#define RETICLE_RUNTIME_HARNESS_FLUSH_H

#include <stddef.h>
#include <stdint.h>

/// Data caches in bytes, as one processor sees them; 0: none, or unknown.
struct harness_caches {
  uint64_t l1d, l2, l3;
};

/// From the kernel's description, else from the processor's (x86-64). Sizes of a virtual machine
/// are what its host makes it believe.
void harness_caches_read(struct harness_caches *out);

struct harness_flush {
  unsigned char *array; ///< null: nothing is swept
  size_t bytes;
  double sweep_ns; ///< what a sweep takes
};

/// Memory for `bytes` (0: none), touched and swept to see how long that takes. Returns 0, or -1
/// when that is more than half of the memory that is free now. Owned: harness_flush_close.
int harness_flush_open(size_t bytes, struct harness_flush *out);
void harness_flush_close(struct harness_flush *flush);

/// Writes to each cache line of the array.
void harness_flush_sweep(const struct harness_flush *flush);

#endif
