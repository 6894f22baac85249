// gate_choice.h - loops that are better left without a gate, by what a run showed of them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Why, and what it was measured by: docs/decisions/0042.
#ifndef RETICLE_TOOLS_ANALYSIS_RUN_GATE_CHOICE_H
#define RETICLE_TOOLS_ANALYSIS_RUN_GATE_CHOICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// What a gate and the test behind the loop take at each entry. 0.3 to 0.9 ns were measured on four
/// programs (docs/method/overhead.md); more rather than less, as it is a limit that is kept by it.
#define GATE_COST_NS 1.0

/// A loop as the choice sees it.
struct gate_use {
  uint64_t executions;
  double duration_ns; ///< of one execution, inner loops included; NaN: not known
  bool is_needed;     ///< keeps its gate whatever it costs: a region by hand
};

struct gate_choice {
  size_t count;                         ///< loops left out
  uint64_t executions, left_executions; ///< of all loops, and of those left out
  double share, left_share;             ///< of the CPU time: gates of all, and of those left out
};

/// Leaves out the shortest loops first, until the gates of the others take at most `budget` of the
/// CPU time. A loop stays if its gate takes less than that of its own time, or next to nothing of
/// the program's.
///
/// uses    [count]
/// cpu_ns  CPU time of the run, > 0
/// budget  part of it, > 0
/// out     [count], true: leave it out
struct gate_choice gate_choose(const struct gate_use *uses, size_t count, double cpu_ns,
                               double budget, bool *out);

#endif
