// block_limit.h - what no block can beat on a core whose widths are known.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_ANALYSIS_BLOCK_BLOCK_LIMIT_H
#define RETICLE_TOOLS_ANALYSIS_BLOCK_BLOCK_LIMIT_H

enum block_core {
  BLOCK_CORE_UNKNOWN,
  BLOCK_CORE_GOLDEN_COVE, ///< or Redwood Cove, its successor
  BLOCK_CORE_ZEN4
};

/// Of one execution of a block.
struct block_mix {
  unsigned instructions;
  double loads, stores; ///< NaN: not known
};

/// The fewest cycles that the core's widths allow. Sources: Intel's optimization manual (248966),
/// section 2.3; AMD's software optimization guide for family 19h, section 2.
///
/// what  gets the reason to give for a value below, static; null where 0 is returned
/// Returns 0 for a core that isn't known.
double block_limit_cycles(enum block_core core, const struct block_mix *mix, const char **what);

#endif
