// trials_text.c - prints one line for each trial: gain, interval, still valid or why not.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/render/text/struct/trials_text.h"
#include "tools/support/text.h"
#include "tools/support/units.h"

#include <time.h>

static const char *explain(enum trial_state state) {
  switch (state) {
  case TRIAL_OTHER_STRUCT:
    return "stale, the struct has other fields, places or sizes now: ";
  case TRIAL_OTHER_BUILD:
    return "stale, of another build of the program: ";
  case TRIAL_UNSURE:
    return "perhaps stale, as builds can't be told apart without a build id: ";
  case TRIAL_CURRENT:
    break;
  }
  return "";
}

static void add_interval(const char *what, struct quantity gain, const char *label,
                         struct text *out) {
  if (gain.status == QUANTITY_OK)
    text_printf(out, "%s %.3fx (%s%.3f to %.3f)", what, gain.value, label, gain.low, gain.high);
  else
    text_printf(out, "%s not known: %s", what, gain.reason);
}

void trials_add(const struct known_trial *known, uint64_t loop, struct text *out) {
  const struct profile_trial *t = known->trial;
  const char *verdict = t->verdict == RETICLE_TRIAL_GAIN    ? "gain"
                        : t->verdict == RETICLE_TRIAL_WORSE ? "worse"
                                                            : "no measurable gain";
  text_add(out, explain(known->state));
  add_interval(verdict, trial_gain(t), "95 % interval ", out);
  if (t->verdict == RETICLE_TRIAL_NONE && t->tells)
    text_printf(out, ", minimum detectable gain %.1f %%", 1e-4 * (double)t->tells - 100);
  text_printf(out, ", %u pairs of runs, %s of %s", t->pairs,
              t->clock == RETICLE_TRIAL_WALL ? "wall-clock time" : "CPU time",
              units_duration((double)t->written_ns).data);
  const struct profile_trialloop *l = loop ? trial_loop_find(known->profile, t, loop) : NULL;
  if (l)
    add_interval(", this loop", trial_loop_gain(l), "", out);
  else if (loop)
    text_add(out, ", this loop alone not by more than runs differ");
  text_printf(out, "; %s ago, with %s", units_age(t->time_s, (uint64_t)time(NULL)).data, t->change);
}
