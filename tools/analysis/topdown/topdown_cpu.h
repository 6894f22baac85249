// topdown_cpu.h - the top-down tree of a processor.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_ANALYSIS_TOPDOWN_TOPDOWN_CPU_H
#define RETICLE_TOOLS_ANALYSIS_TOPDOWN_TOPDOWN_CPU_H

#include "tools/analysis/topdown/topdown.h"

enum topdown_vendor { TOPDOWN_OTHER, TOPDOWN_AMD, TOPDOWN_INTEL, TOPDOWN_ARM };

/// Where cores of two kinds are in one machine.
enum topdown_kind { TOPDOWN_ONE_KIND, TOPDOWN_BOTH, TOPDOWN_LARGE, TOPDOWN_SMALL };

/// As CPUID leaf 1 or Arm's MIDR_EL1 say.
struct topdown_cpu {
  enum topdown_vendor vendor;
  uint32_t family;            ///< x86: base and extended family added up; Arm: 0
  uint32_t model;             ///< x86: with the extended bits; Arm: the part number
  uint32_t variant, revision; ///< Arm: as in r0p3, variant 0 and revision 3
  bool has_two_threads;       ///< two threads of a core are on
  bool is_metrics_readable;   ///< Intel: the register PERF_METRICS can be used
  enum topdown_kind kind;     ///< of the CPUs that the program may run on
};

/// The tree of a processor, or null.
///
/// has_erratum  gets whether STALL_SLOT counts too much on it
/// reason       without a tree: why, static; else null
const struct topdown_tree *topdown_cpu_tree(const struct topdown_cpu *cpu, bool *has_erratum,
                                            const char **reason);

/// Of which kind the CPUs are that a program may run on.
///
/// is_allowed  [count] by number
/// large       the large cores' CPUs as the kernel lists them: "0-3,8"; "": one kind of core
enum topdown_kind topdown_cpu_kind(const bool *is_allowed, size_t count, const char *large);

#endif
