// finding_layouts.c - findings on structs: layouts that may pay, and those that were tried
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/model/finding/finding_parts.h"
#include "tools/model/heat/heat.h"
#include "tools/model/struct/known_trial.h"
#include "tools/model/struct/layout_file.h"
#include "tools/model/struct/struct_summary.h"
#include "tools/model/struct/struct_time.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/// What a line from memory takes at most, its address' translation included.
#define LINE_MOST_NS 200

static struct finding *add(const struct measurement *m, size_t structure, enum finding_code code,
                           struct findings *findings) {
  const struct profile_struct *record = m->structs.structs[structure].record;
  struct finding *finding = findings_add(findings, code);
  snprintf(finding->about, sizeof(finding->about), "S%zu", structure + 1);
  text_printf(&finding->name, "struct %s", record->name);
  finding->file = record->file;
  finding->line = record->line;
  return finding;
}

/// Share of a run's CPU time that all lines of all visits may take, were each fetched from memory;
/// NaN: not known.
static double fetched_share(const struct measurement *m, const struct struct_advice *advice) {
  double visits = 0, runs = (double)m->input.profile.merged_count, base_ns = finding_base_ns(m);
  for (size_t i = 0; i < advice->loop_count; i++)
    visits += advice->loops[i].walk.visits;
  if (!(base_ns > 0) || !(advice->lines_now > 0))
    return NAN;
  return visits * advice->lines_now * LINE_MOST_NS / (base_ns / fmax(runs, 1));
}

/// Share of the time of the loop that takes most of those that use the struct, waiting left out
/// where there are samples; NaN: not known.
static double share_of(const struct measurement *m, size_t structure, double cpu,
                       enum finding_base *base) {
  double most = NAN;
  *base = FINDING_OF_CPU;
  for (size_t i = 0; i < m->structs.pair_count; i++) {
    if (m->structs.pairs[i].structure != structure)
      continue;
    for (size_t k = 0; k < m->loop_count; k++) {
      enum finding_base of;
      if (m->loops[k].loop->id != m->structs.pairs[i].loop)
        continue;
      double share = finding_loop_share(m, &m->loops[k], &of);
      if (share <= most || isnan(share))
        continue;
      most = share;
      *base = of;
    }
  }
  return most >= FINDING_LEAST ? fmin(most, cpu) : most; // the other one where one is NaN
}

/// Share of a time that is saved where it becomes `gain` times shorter.
static double saved(double gain) { return gain > 0 ? 1 - 1 / gain : 0; }

/// Of the share that is spent with a struct; most: what is saved at most, NaN: not known.
static struct quantity saved_share(struct quantity gain, double share, double most) {
  if (gain.status != QUANTITY_OK)
    return gain;
  return quantity_of(fmin(most, share * saved(gain.value)), fmin(most, share * saved(gain.low)),
                     fmin(most, share * saved(gain.high)));
}

static void replace(struct text *text, const char *with) {
  text_clear(text);
  text_add(text, with);
}

/// Runs that differ too much to show half of what is expected refute nothing.
static bool is_open(const struct profile_trial *t, struct quantity gain, struct quantity expected) {
  return t->verdict == RETICLE_TRIAL_NONE && gain.status == QUANTITY_OK &&
         expected.status == QUANTITY_OK && saved(gain.high) > expected.high / 2;
}

/// Leaves of the expected share what a trial that tells nothing allows.
static void cap(struct finding *finding, struct quantity gain) {
  struct quantity expected = finding->gain;
  double high = fmin(expected.high, saved(gain.high)), low = fmax(expected.low, saved(gain.low));
  finding->gain = quantity_of(fmin(expected.value, high), fmin(low, high), high);
}

/// expected  share of the time that the trial's layout was expected to save; without a value where
///           another one was tried
static void add_tried(const struct measurement *m, size_t structure, const struct profile_trial *t,
                      struct quantity expected, struct findings *findings) {
  struct finding *finding = add(m, structure, FINDING_LAYOUT_ORDER, findings);
  struct quantity gain = trial_gain(t);
  bool open = is_open(t, gain, expected);
  finding->proof = t->verdict == RETICLE_TRIAL_GAIN ? FINDING_MEASURED
                   : open                           ? FINDING_ESTIMATE
                                                    : FINDING_REFUTED;
  finding->gain = saved_share(gain, 1, NAN);
  if (open) {
    finding->gain = expected;
    cap(finding, gain);
  }
  if (gain.status == QUANTITY_OK)
    text_printf(&finding->text, "tried: %.3fx (%.3f to %.3f) in %u pairs of runs", gain.value,
                gain.low, gain.high, t->pairs);
  else
    text_printf(&finding->text, "tried in %u pairs of runs", t->pairs);
  if (t->verdict != RETICLE_TRIAL_GAIN)
    text_add(&finding->text, t->verdict == RETICLE_TRIAL_WORSE ? ": slower"
                             : open
                                 ? ": runs differ too much to tell; try it again on a calm machine"
                                 : ": no measurable gain");
  if (!*t->change)
    return;
  text_clear(&finding->change);
  text_add_name(&finding->change, t->change);
}

/// What a struct's time allows to save.
struct room {
  enum finding_base base; ///< what both are of
  double share;           ///< of the time, that is spent with the struct; NaN: not known
  double most;            ///< that is saved at most; NaN: not known
};

static struct finding *add_advice(const struct measurement *m, size_t structure,
                                  enum finding_code code, const struct text *advice,
                                  struct quantity gain, struct room room,
                                  struct findings *findings) {
  struct quantity saves =
      room.share == room.share && gain.status == QUANTITY_OK
          ? saved_share(gain, room.share, room.most)
          : quantity_none(QUANTITY_UNSUPPORTED, "the time of its loops is not known");
  if (saves.status == QUANTITY_OK && saves.high < FINDING_LEAST)
    return NULL;
  struct finding *finding = add(m, structure, code, findings);
  finding->share = room.share;
  finding->base = room.base;
  text_add(&finding->text, text_get(advice));
  if (saves.status == QUANTITY_OK &&
      struct_summary_get(m, &m->structs.structs[structure])->all.is_guess) {
    finding->at_stake = saves.high;
    finding->is_possible = true;
    finding->gain = quantity_none(QUANTITY_UNSUPPORTED,
                                  "whether there is more than one object of it isn't known");
  } else {
    finding->gain = saves;
    finding->proof = saves.status == QUANTITY_OK ? FINDING_ESTIMATE : FINDING_UNPROVEN;
  }
  if (code != FINDING_LAYOUT_ORDER)
    return finding;
  replace(&finding->change, "measure it: ");
  struct_try_add(m->structs.structs[structure].record->name, &finding->change);
  return finding;
}

/// What a replay of that advice has measured, in place of the estimate.
static void add_replay(const struct measurement *m, size_t structure, struct finding *finding) {
  struct text change = {0};
  layout_change_add(&struct_summary_get(m, &m->structs.structs[structure])->all, NULL, &change);
  struct known_trial known =
      known_replay_find(&m->input, &m->structs.structs[structure], text_get(&change));
  text_release(&change);
  if (!known.trial || known.state != TRIAL_CURRENT)
    return;
  struct quantity gain = trial_gain(known.trial);
  bool gains = known.trial->verdict == RETICLE_TRIAL_GAIN;
  bool open = is_open(known.trial, gain, finding->gain);
  finding->proof = gains ? FINDING_REPLAYED : open ? FINDING_ESTIMATE : FINDING_REFUTED;
  if (open)
    cap(finding, gain);
  else
    finding->gain = saved_share(gain, 1, NAN);
  text_printf(&finding->text, "; replayed: %.3fx (%.3f to %.3f)%s", gain.value, gain.low, gain.high,
              gains  ? ""
              : open ? ": too unsteady to tell; try it again on a calm machine"
                     : ": no measurable gain");
}

static enum finding_code code_of(enum advice_kind parts) {
  return parts == ADVICE_ARRAY ? FINDING_LAYOUT_ARRAY
         : parts == ADVICE_SOA ? FINDING_LAYOUT_SOA
                               : FINDING_LAYOUT_SPLIT;
}

void finding_layouts_add(const struct measurement *m, struct findings *findings) {
  for (size_t i = 0; i < m->structs.accessed; i++) {
    struct known_trial known = known_trial_find(&m->input, &m->structs.structs[i]);
    struct struct_time time = struct_time_of(m, &m->structs.structs[i]);
    time.cpu *= heat_get(m)->user_part;
    time.memory *= heat_get(m)->user_part;
    struct room room = {0};
    room.share = share_of(m, i, time.cpu, &room.base);
    bool is_current = known.trial && known.state == TRIAL_CURRENT;
    if (!is_current && !(room.share >= FINDING_LEAST))
      continue;
    const struct struct_summary *summary = struct_summary_get(m, &m->structs.structs[i]);
    room.most = fmin(time.memory, fetched_share(m, &summary->all));
    bool is_tried = is_current && summary->layout && known.trial->layout == summary->layout;
    struct quantity expected =
        is_tried && summary->order_gain.status == QUANTITY_OK && room.share == room.share
            ? saved_share(summary->order_gain, room.share, room.most)
            : quantity_none(QUANTITY_UNSUPPORTED, "not known");
    if (is_current)
      add_tried(m, i, known.trial, expected, findings);
    if (!(room.share >= FINDING_LEAST))
      continue;
    if (summary->order.length && !is_tried)
      add_advice(m, i, FINDING_LAYOUT_ORDER, &summary->order, summary->order_gain, room, findings);
    struct finding *parts = summary->parts == ADVICE_NONE
                                ? NULL
                                : add_advice(m, i, code_of(summary->parts), &summary->advice,
                                             summary->gain, room, findings);
    if (parts)
      add_replay(m, i, parts);
  }
}
