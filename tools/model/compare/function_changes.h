// function_changes.h - which functions' own time changed between base and head, by samples.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A loop that was split, renamed or deleted has no counterpart whose executions could be compared;
// the function's samples have. Method and limits: docs/method/check.md.
#ifndef RETICLE_TOOLS_MODEL_COMPARE_FUNCTION_CHANGES_H
#define RETICLE_TOOLS_MODEL_COMPARE_FUNCTION_CHANGES_H

#include "tools/analysis/stats/quantity.h"

#include <stddef.h>

/// All functions of one name, whatever their parameters: these may have changed.
struct function_change {
  char *name;
  double base_ns, head_ns; ///< CPU time of its own a run, means; 0: no sample of it in any run
  struct quantity worth;   ///< head's less the base's, a share of the base's CPU time
};

/// Start with function_changes_load, end with function_changes_release.
struct function_changes {
  struct function_change *items; ///< [count] largest change first: significant, and 1 % or more
  size_t count;
  bool is_known; ///< all runs have samples, 100 or more a side, and there are three or more a side
};

/// Reads the samples of both sides' runs. What can't be read is not known.
///
/// a, b         operands as of comparison_load
/// error_parts  likewise
void function_changes_load(char *const *a, size_t count_a, char *const *b, size_t count_b,
                           size_t error_parts, struct function_changes *out);
void function_changes_release(struct function_changes *changes);

/// Compares times of functions.
///
/// names    [count] as they are told; those of one name are added up
/// time_ns  [count] each [runs_a + runs_b], A's first
/// base_ns  CPU time of a run of A, mean: also what isn't sampled, as in the kernel
void function_changes_of(const char *const *names, const uint64_t *const *time_ns, size_t count,
                         size_t runs_a, size_t runs_b, double base_ns, size_t error_parts,
                         struct function_changes *out);

#endif
