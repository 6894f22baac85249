// loop_sites.h - the allocation sites that a loop touches: where its pointers led at its samples.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_MODEL_LOOP_LOOP_SITES_H
#define RETICLE_TOOLS_MODEL_LOOP_LOOP_SITES_H

#include "tools/model/measurement/measurement.h"

struct loop_sites {
  struct loop_site {
    size_t rank; ///< 1 for A1
    const struct site_use *use;
    uint64_t samples; ///< at least, in which a register pointed into an object of the site
  } *sites;           ///< [count] most samples first
  size_t count;
  uint64_t samples;   ///< looked at in the loop's own code
  const char *reason; ///< why sites aren't known; null where they are
};

/// Samples of the program counter in the machine code of the loop, inner loops without timing
/// included and called functions not, whose registers were looked at. Only registers count by
/// which that code addresses memory.
const struct loop_sites *loop_sites_get(const struct measurement *m,
                                        const struct measured_loop *loop);

#endif
