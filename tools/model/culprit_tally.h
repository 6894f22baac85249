// culprit_tally.h - what a tally of stall causes says, for every form of a report.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_MODEL_CULPRIT_TALLY_H
#define RETICLE_TOOLS_MODEL_CULPRIT_TALLY_H

#include "tools/analysis/culprit.h"

/// Letters of the candidate causes, "?" where none is left.
///
/// letters  [CULPRIT_REASONS + 2]
void culprit_letters(uint32_t suspects, char *letters);

/// Whether cycles are known of enough of the time to name a stall cause, or to say "none".
bool culprit_tally_is_known(const struct culprit_tally *tally);

/// Time outside of the tally.
struct culprit_other {
  const char *name;
  double time;
};

/// All time of the tally and outside of it; 0: there are no shares.
double culprit_total(const struct culprit_tally *tally, const struct culprit_other *others,
                     size_t count);

/// A part of a tally: together they are its time.
struct culprit_part {
  const char *name, *key; ///< for people, for scripts
  double time;
};
enum { CULPRIT_PARTS = 6 };

/// parts  [CULPRIT_PARTS]
void culprit_parts(const struct culprit_tally *tally, struct culprit_part *parts);

#endif
