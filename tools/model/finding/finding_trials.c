// finding_trials.c - what was tried of the changes that a finding proposes stands with it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/model/finding/finding_parts.h"
#include "tools/model/trial/program_trials.h"
#include "tools/support/units.h"

#include <stdlib.h>
#include <string.h>

static bool is_of(const struct program_trial *t, const struct finding *f,
                  const struct measurement *m) {
  size_t rank = f->about[0] == 'L' ? strtoul(f->about + 1, NULL, 10) : 0;
  const struct measured_loop *loop =
      rank && rank <= m->loop_count ? measurement_whole_loop(m, &m->loops[rank - 1]) : NULL;
  return strcmp(t->finding, finding_code_name(f->code)) == 0 &&
         (!t->is_of_loop || (loop && t->loop == loop));
}

/// Whether it is a layout of the struct that the finding's change is about.
static bool is_layout_of(const struct program_trial *t, const struct finding *f) {
  size_t length = strlen(f->remedy);
  return !t->form && length && t->result != CHANGE_NOT_TRIED &&
         strncmp(text_get(&t->place), f->remedy, length) == 0 && text_get(&t->place)[length] == ' ';
}

/// A layout that pays stands in the place of one that was estimated.
static void add_layouts(const struct program_trials *trials, struct finding *f,
                        struct text *others) {
  for (size_t i = 0; i < trials->count; i++) {
    const struct program_trial *t = &trials->items[i];
    if (!is_layout_of(t, f))
      continue;
    if (t->result == CHANGE_PAYS) {
      text_clear(&f->change);
      text_printf(&f->change, "%s: %s; saves %s, measured", t->id, text_get(&t->write),
                  units_share(t->saved.value).data);
      return;
    }
    text_printf(others, "%s%s", others->length ? ", " : "", t->name);
  }
}

/// What pays is said with its gain, what doesn't by name.
void finding_trial_add(const struct measurement *m, const struct program_trials *trials,
                       struct finding *f) {
  struct text pays = {0}, others = {0};
  add_layouts(trials, f, &others);
  for (size_t i = 0; i < trials->count; i++) {
    const struct program_trial *t = &trials->items[i];
    if (!t->form || t->result == CHANGE_NOT_TRIED || !is_of(t, f, m))
      continue;
    if (t->result == CHANGE_PAYS)
      text_printf(&pays, "%s%s (%s) saves %s, measured", pays.length ? ", " : "", t->id,
                  t->form->title, units_share(t->saved.value).data);
    else
      text_printf(&others, "%s%s", others.length ? ", " : "", t->form->title);
  }
  if (pays.length)
    text_printf(&f->change, "%s%s", f->change.length ? "; " : "", text_get(&pays));
  if (others.length)
    text_printf(&f->change, "%stried, and no gain was shown: %s", f->change.length ? "; " : "",
                text_get(&others));
  text_release(&pays);
  text_release(&others);
}

void finding_trials_add(const struct measurement *m, struct findings *findings) {
  const struct program_trials *trials = program_trials_get(m);
  for (size_t i = 0; trials->are_there && i < findings->count; i++)
    if (findings->items[i].proof != FINDING_REFUTED)
      finding_trial_add(m, trials, &findings->items[i]);
}
