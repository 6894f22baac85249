// stall_tally.c - sums and letters of a tally of stall causes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/model/stall/stall_tally.h"

#include <string.h>

/// Where cycles of more of the time aren't known, nothing is said; a block has them or not.
#define UNCOUNTED_MOST 0.5

/// Candidates beside the first: what may stand for this part of what the first may, and how many in
/// all.
#define MAY_STAND_FOR 0.5
#define CANDIDATES_MOST 4

void stall_cause_letters(uint32_t suspects, char *letters) {
  size_t count = 0;
  for (unsigned r = 0; r < STALL_CAUSES; r++)
    if (suspects >> r & 1)
      letters[count++] = stall_cause_letter((enum stall_cause)r);
  if (!count)
    letters[count++] = '?';
  letters[count] = 0;
}

bool stall_tally_is_known(const struct stall_tally *t) {
  return t->time > 0 && t->uncounted <= UNCOUNTED_MOST * t->time;
}

size_t stall_tally_add_candidates(const struct stall_tally *tally, enum stall_group only,
                                  struct text *out) {
  enum stall_cause ranked[STALL_CAUSES];
  size_t count = stall_cause_rank(tally, ranked), named = 1;
  double least = MAY_STAND_FOR * tally->causes[ranked[0]].high;
  text_add(out, stall_cause_name(ranked[0]));
  for (size_t i = 1; i < count && named < CANDIDATES_MOST; i++)
    if (tally->causes[ranked[i]].high >= least &&
        (only == STALL_GROUPS || stall_group_of(ranked[i]) == only))
      text_printf(out, "%s%s", named++ == 1 ? ", or else " : ", ", stall_cause_name(ranked[i]));
  return named;
}

void stall_tally_parts(const struct stall_tally *t, struct stall_tally_part *parts) {
  const struct stall_tally_part all[STALL_TALLY_PARTS] = {
      {"execution, at the core's width", "execution", t->execution},
      {"stall, also by itself", "static_stall", t->static_stall},
      {"stall, in place alone", "dynamic_stall", t->dynamic_stall},
      {"stall, of blocks not measured by themselves", "mixed_stall", t->mixed_stall},
      {"faster in place than by itself", "unexplained_gain", -t->gain},
      {"blocks without cycles", "uncounted", t->uncounted},
  };
  memcpy(parts, all, sizeof(all));
}

double stall_tally_total(const struct stall_tally *t, const struct stall_other *others,
                         size_t count) {
  double all = t->time;
  for (size_t i = 0; i < count; i++)
    all += others[i].time;
  return all;
}
