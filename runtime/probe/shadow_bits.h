// shadow_bits.h - short names for the bits of a mark that tells kinds and threads apart.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_RUNTIME_PROBE_SHADOW_BITS_H
#define RETICLE_RUNTIME_PROBE_SHADOW_BITS_H

#include "include/reticle/abi.h"

enum {
  READ = RETICLE_SHADOW_READ,
  EARLIER = RETICLE_SHADOW_EARLIER,
  WRITTEN = RETICLE_SHADOW_WRITTEN,
  THREAD = RETICLE_SHADOW_THREAD,
  OTHERS = RETICLE_SHADOW_OTHERS,
  HEAD = 0x80,
};

#endif
