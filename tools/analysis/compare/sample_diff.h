// sample_diff.h - which functions or lines got more or fewer samples in one set of runs.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Method, assumptions and limits: docs/method/diff.md, section "Samples".
#ifndef RETICLE_TOOLS_ANALYSIS_COMPARE_SAMPLE_DIFF_H
#define RETICLE_TOOLS_ANALYSIS_COMPARE_SAMPLE_DIFF_H

#include "tools/analysis/compare/diff.h"

/// Samples of a function in each run, A's runs first: [count_a + count_b].
struct sample_diff_item {
  const uint64_t *samples;
  const uint64_t *time_ns; ///< CPU time that they stand for
};

struct sample_diff_row {
  size_t item; ///< position in the input
  uint64_t samples_a, samples_b;
  double time_a_ns, time_b_ns; ///< a run
  struct diff_outcome outcome; ///< of the time a run, the common change taken out
  enum diff_verdict verdict;
  const char *reason; ///< why this verdict, one line; never null
};

/// Start with sample_diff_compare, end with sample_diff_release.
struct sample_diff {
  struct sample_diff_row
      *rows; ///< [count] slower ones first, then faster, only in one, inconclusive
  size_t count;
  size_t tested;
  size_t verdicts[DIFF_ONLY_B + 1]; ///< how many rows have it
  uint64_t samples_a, samples_b;
  uint64_t time_a_ns, time_b_ns; ///< all runs together
  struct diff_outcome total;     ///< CPU time of all samples, a run
  enum diff_verdict total_verdict;
  /// Change of the row in the middle, a logarithm, taken out of all; 0 where too few rows tell.
  double common;
  size_t common_rows; ///< that it comes from; 0: nothing was taken out
  struct diff_design design;
};

/// Compares.
///
/// items   [count]
/// design  turns of each side; tests is set here
void sample_diff_compare(const struct sample_diff_item *items, size_t count, size_t count_a,
                         size_t count_b, const struct diff_design *design, struct sample_diff *out);
void sample_diff_release(struct sample_diff *diff);

#endif
