// copy_times.h - a loop as it is and in another form, drawn at random in the same run: how fast?
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_ANALYSIS_TRIAL_COPY_TIMES_H
#define RETICLE_TOOLS_ANALYSIS_TRIAL_COPY_TIMES_H

#include "tools/analysis/trial/change_judge.h"

#include <stdint.h>

/// A timed execution of a copy.
struct copy_execution {
  double ns;
  double work;   ///< trip count; 0: not known
  double weight; ///< executions that it stands for
};

/// The timed executions of a copy in one run.
struct copy_executions {
  struct copy_execution *items; ///< [count]
  size_t count;
  double executions; ///< all there were
};

/// Bins of trip counts: from 2^n on, and one where none is known.
enum { COPY_BINS = 65, COPY_BIN_UNKNOWN = 64 };
/// Executions of either copy in a bin, at least: fewer leave it out.
enum { COPY_EXECUTIONS_LEAST = 20 };
enum { COPY_BUILDS_LEAST = 3 };

/// Executions of like trip counts, of one run.
struct copy_bin {
  unsigned run, build; ///< as those who keep it count them
  unsigned log2;       ///< trip counts from 2^log2 on; COPY_BIN_UNKNOWN: not known
  double work;         ///< iterations in the run, of all copies; of unknown trip counts executions
  double plain_ns;     ///< of one iteration, or execution, as the loop is
  double changed_ns;   ///< in the other form
};

/// What a run says of two of a loop's copies, by bins: means of what is left where the tenth of the
/// executions that took longest by iteration, and that which took least, are left out. Where trip
/// counts differ by chance, times by iteration don't.
///
/// copies   [count] of one run, the first as the loop is; sorted anew
/// changed  < count, the other one
/// out      [COPY_BINS], run and build 0
///
/// Returns how many there are; 0: too few executions.
size_t copy_bins_make(struct copy_executions *copies, size_t count, size_t changed,
                      struct copy_bin *out);

/// Seconds that the loop takes in each run, as it is and in the form: the run is the unit. Of
/// COPY_BUILDS_LEAST builds and more, in each build: the copies of one share its luck.
///
/// bins  [count] those of a run in a row, and runs of a build
/// log2  of those from `least` to `most` alone
/// out   [count] gets the pairs
///
/// Returns how many there are.
size_t copy_pairs_make(const struct copy_bin *bins, size_t count, unsigned least, unsigned most,
                       struct change_pair *out);

size_t copy_runs_count(const struct copy_bin *bins, size_t count);

/// When a form pays.
struct copy_condition {
  bool is_there;
  unsigned log2;        ///< from trip counts of 2^log2 on, and below not
  struct quantity rest; ///< saved below; mostly below 0
};

/// Nothing where it pays, or doesn't, at all trip counts, as far as runs tell.
struct copy_condition copy_condition_find(const struct copy_bin *bins, size_t count);

#endif
