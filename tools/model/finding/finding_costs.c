// finding_costs.c - chooses findings for the first screen.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/model/finding/finding_costs.h"

#include "tools/model/finding/finding_parts.h"

#include <string.h>

/// Whether runs have decided it: it is among what pays, or doesn't.
static bool is_tried(const struct finding *f, const struct program_trials *trials) {
  if (f->proof == FINDING_REFUTED || finding_is_gained(f))
    return true;
  for (size_t i = 0; i < trials->count; i++) {
    const struct program_trial *t = &trials->items[i];
    if (!t->form && t->result != CHANGE_NOT_TRIED && *f->about &&
        strcmp(t->name, finding_code_name(f->code)) == 0 &&
        strncmp(text_get(&t->place), f->about, strlen(f->about)) == 0)
      return true;
  }
  return false;
}

/// Whether there is one of its place, or of its kind where it is only possible.
static bool is_told(const struct finding *const *rows, size_t count, const struct finding *f) {
  for (size_t i = 0; i < count; i++)
    if ((*f->about && strcmp(rows[i]->about, f->about) == 0) ||
        (f->is_possible && rows[i]->code == f->code))
      return true;
  return false;
}

/// Whether it is about enough of the time for one of a screen's lines, or that isn't known.
static bool is_enough(const struct finding *f) {
  double part = f->gain.status == QUANTITY_OK ? f->gain.value : f->at_stake > 0 ? f->at_stake : 1;
  return part >= FINDING_LEAST;
}

size_t finding_costs(const struct findings *findings, const struct program_trials *trials,
                     bool is_study, const struct finding **rows, size_t most) {
  size_t count = 0;
  for (size_t i = 0; i < findings->count && count < most; i++) {
    const struct finding *f = &findings->items[i];
    bool is_sure = !f->is_possible || !is_study; // a run has no others
    if (is_sure && is_enough(f) && !finding_is_heat(f) && !is_tried(f, trials) &&
        !is_told(rows, count, f))
      rows[count++] = f;
  }
  return count;
}
