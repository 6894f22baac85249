// laid_counts.h - counts of blocks from a run of another build, laid over a profile by labels.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_PROGRAM_LAID_COUNTS_H
#define RETICLE_TOOLS_PROGRAM_LAID_COUNTS_H

#include "tools/profile/profile.h"
#include "tools/program/program_files.h"
#include "tools/support/text.h"

#include <stdbool.h>
#include <stddef.h>

/// Executions of loops in the run that was timed, over those in the run that was counted.
struct laid_counts {
  size_t functions;       ///< of the timed build that have labels
  size_t counted;         ///< of them in the counts
  size_t otherwise;       ///< of these left out: a loop has other trip counts in the two runs
  size_t loops;           ///< that both runs executed
  double ratio;           ///< of all loops together
  double lowest, highest; ///< of single loops
};

/// Puts the counts of `counts` into `timed`, in the place of its own: those of a function in
/// proportion to its loops' executions, of one without loops in proportion to those of all.
///
/// why  gets the reason if there is none that fits
///
/// Returns false, with `timed` unchanged, if none does: other code, or no loop in common.
bool laid_counts_put(struct profile *timed, const struct profile *counts,
                     struct program_files *files, struct laid_counts *out, struct text *why);

#endif
