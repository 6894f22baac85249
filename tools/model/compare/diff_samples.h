// diff_samples.h - `reticle diff --samples`: functions or lines of two sets of runs by samples.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_MODEL_COMPARE_DIFF_SAMPLES_H
#define RETICLE_TOOLS_MODEL_COMPARE_DIFF_SAMPLES_H

#include "tools/analysis/compare/sample_diff.h"
#include "tools/model/compare/diff_input.h"
#include "tools/support/problem.h"

/// A function of a load file, or a line of the source.
struct compared_place {
  char *name;        ///< as reports call it
  char *linkage;     ///< linkage name; "" where there is no symbol
  char *loadfile;    ///< without its directory: builds lie in different ones
  char *source;      ///< "" if unknown
  unsigned line;     ///< of lines; 0 if unknown, and of functions
  uint64_t *samples; ///< [runs], A's first
  uint64_t *time_ns;
};

/// Start with sample_comparison_load, end with sample_comparison_release.
struct sample_comparison {
  struct comparison base;        ///< without loops
  struct compared_place *places; ///< [place_count]
  size_t place_count;
  struct sample_diff diff; ///< its items are the places
  bool by_lines;
};

/// Reads the files of both sides, names their samples and compares them.
///
/// Returns PROBLEM_NONE, or another kind after saying why; `out` can be released in any case.
int sample_comparison_load(char *const *a, size_t count_a, char *const *b, size_t count_b,
                           bool by_lines, struct sample_comparison *out, struct problems *problems);
void sample_comparison_release(struct sample_comparison *comparison);

/// True if something became slower or faster.
bool sample_comparison_has_finding(const struct sample_comparison *comparison);

/// Share of a side's CPU time.
struct quantity sample_comparison_share(const struct sample_comparison *comparison,
                                        const struct sample_diff_row *row, bool is_b);

/// Whether both sides have samples of it: of nothing there is no ratio.
bool sample_comparison_has_ratio(const struct sample_diff_row *row);

#endif
