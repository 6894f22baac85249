// stall_tally.h - what a tally of stall causes says, for every form of a report.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_MODEL_STALL_STALL_TALLY_H
#define RETICLE_TOOLS_MODEL_STALL_STALL_TALLY_H

#include "tools/analysis/stall/stall_cause.h"
#include "tools/support/text.h"

/// Letters of the candidate causes, "?" where none is left.
///
/// letters  [STALL_CAUSES + 2]
void stall_cause_letters(uint32_t suspects, char *letters);

/// Whether cycles are known of enough of the time to name a stall cause, or to say "none".
bool stall_tally_is_known(const struct stall_tally *tally);

/// Appends the first of stall_cause_rank and those that may stand for about as much: "D-cache
/// miss", "D-cache miss, or else DTLB miss, divider". Of a tally with a named cause.
///
/// only  the group of the others; STALL_GROUPS: any
///
/// Returns how many.
size_t stall_tally_add_candidates(const struct stall_tally *tally, enum stall_group only,
                                  struct text *out);

/// Time outside of the tally.
struct stall_other {
  const char *name;
  double time;
};

/// The name of Reticle's own functions and instructions among those.
#define STALL_CAUSE_INSTRUMENTATION "instrumentation"

/// All time of the tally and outside of it; 0: there are no shares.
double stall_tally_total(const struct stall_tally *tally, const struct stall_other *others,
                         size_t count);

/// A part of a tally: together they are its time.
struct stall_tally_part {
  const char *name, *key; ///< for people, for scripts
  double time;
};
enum { STALL_TALLY_PARTS = 6 };

/// parts  [STALL_TALLY_PARTS]
void stall_tally_parts(const struct stall_tally *tally, struct stall_tally_part *parts);

#endif
