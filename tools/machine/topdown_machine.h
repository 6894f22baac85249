// topdown_machine.h - the top-down tree of this machine.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_MACHINE_TOPDOWN_MACHINE_H
#define RETICLE_TOOLS_MACHINE_TOPDOWN_MACHINE_H

#include "tools/analysis/topdown/topdown_cpu.h"

struct topdown_machine {
  const struct topdown_tree *tree; ///< null: reason
  const char *reason;
  char large[128]; ///< CPUs to pin the program to, so that there is one; "": that doesn't help
  /// That with PERF_METRICS, which needs no general counters but doesn't tell short visits; null:
  /// there is none.
  const struct topdown_tree *metrics_tree;
  bool has_metrics; ///< the kernel handles PERF_METRICS
  double width;     ///< slots of a cycle, by the kernel or the vendor's guide; 0: neither says
  bool has_erratum;
};

/// Asks the processor and the kernel.
void topdown_machine_read(struct topdown_machine *out);

#endif
