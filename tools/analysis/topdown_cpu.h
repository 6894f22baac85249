// topdown_cpu.h - the top-down tree of a processor.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_ANALYSIS_TOPDOWN_CPU_H
#define RETICLE_TOOLS_ANALYSIS_TOPDOWN_CPU_H

#include "tools/analysis/topdown.h"

enum topdown_vendor { TOPDOWN_OTHER, TOPDOWN_AMD, TOPDOWN_INTEL, TOPDOWN_ARM };

/// As CPUID leaf 1 or Arm's MIDR_EL1 say.
struct topdown_cpu {
  enum topdown_vendor vendor;
  uint32_t family;            ///< x86: base and extended family added up; Arm: 0
  uint32_t model;             ///< x86: with the extended bits; Arm: the part number
  uint32_t variant, revision; ///< Arm: as in r0p3, variant 0 and revision 3
  bool has_two_threads;       ///< two threads of a core are on
  bool is_metrics_readable;   ///< Intel: the register PERF_METRICS can be used
};

/// The tree of a processor, or null.
///
/// has_erratum  gets whether STALL_SLOT counts too much on it
/// reason       without a tree: why, static; else null
const struct topdown_tree *topdown_cpu_tree(const struct topdown_cpu *cpu, bool *has_erratum,
                                            const char **reason);

#endif
