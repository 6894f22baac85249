// culprit_show.c - prints stall causes with reasons, letters with their legend, and tallies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/render/text/culprit_show.h"

#include "tools/model/culprit_tally.h"
#include "tools/ui/table.h"

/// Reasons named beside the first one, and from which part of the time on.
#define NAMED_MOST 3
#define NAMED_LEAST 0.05

/// "27.9 %", "0.0 to 27.9 %".
static void add_range(const struct culprit_range *range, double time, struct text *out) {
  double low = 100 * range->low / time, high = 100 * range->high / time;
  if (high - low >= 0.05)
    text_printf(out, "%.1f to %.1f %%", low, high);
  else
    text_printf(out, "%.1f %%", high);
}

static void add(const struct culprit_tally *t, bool is_labelled, struct text *out) {
  enum culprit_reason ranked[CULPRIT_REASONS];
  size_t count = culprit_rank(t, ranked);
  double stall = t->static_stall + t->dynamic_stall + t->mixed_stall;
  if (!culprit_tally_is_known(t))
    return;
  if (t->gain > NAMED_LEAST * t->time)
    text_printf(out, "faster than by itself, which nothing explains; "), is_labelled = true;
  if (culprit_named(t) == CULPRIT_NONE) {
    text_printf(out, "%snone; stalls are %.0f %% of its time", is_labelled ? "stall cause: " : "",
                100 * (stall - t->gain) / t->time);
    if (t->unexplained - t->gain > CULPRIT_LEAST * t->time)
      text_printf(out, ", %.0f %% for no reason that is looked for",
                  100 * (t->unexplained - t->gain) / t->time);
    return;
  }
  text_add(out, is_labelled ? "stall cause: " : "");
  for (size_t i = 0; i < count && i < NAMED_MOST; i++) {
    if (i && t->reasons[ranked[i]].high < NAMED_LEAST * t->time)
      break;
    text_printf(out, "%s%s (", i ? ", " : "", culprit_name(ranked[i]));
    add_range(&t->reasons[ranked[i]], t->time, out);
    text_add(out, i ? ")" : " of its time)");
  }
}

void culprit_show_add(const struct culprit_tally *tally, struct text *out) {
  add(tally, true, out);
}

void culprit_show_add_unlabelled(const struct culprit_tally *tally, struct text *out) {
  add(tally, false, out);
}

void culprit_show_short(const struct culprit_tally *t, struct text *out) {
  enum culprit_reason named = culprit_named(t);
  if (!culprit_tally_is_known(t))
    return;
  if (named == CULPRIT_NONE) {
    text_add(out, culprit_name(named));
    return;
  }
  text_printf(out, "%s: %s", culprit_group_name(culprit_group_of(named)), culprit_name(named));
}

void culprit_show_legend(uint32_t suspects, struct text *out) {
  for (unsigned r = 0; r < CULPRIT_REASONS; r++)
    if (suspects >> r & 1)
      text_printf(out, "%s%c: %s", out->length ? ", " : "", culprit_letter((enum culprit_reason)r),
                  culprit_name((enum culprit_reason)r));
}

void culprit_show_letters_used(const struct function_code *code, struct text *out) {
  uint32_t used = 0;
  for (size_t i = 0; code->stalls && i < code->instruction_count; i++)
    if (code->stalls[i].time > 0)
      used |= code->stalls[i].suspects;
  culprit_show_legend(used, out);
}

static const struct table_column columns[] = {
    {"", false, 24, false},
    {"share", true, 0, false},
};

static void add_reasons(const struct culprit_tally *t, double all, struct table *table) {
  enum culprit_reason ranked[CULPRIT_REASONS];
  size_t count = culprit_rank(t, ranked);
  struct text text = {0};
  for (size_t i = 0; i < count; i++) {
    if (t->reasons[ranked[i]].high < 0.0005 * all)
      continue;
    table_printf(table, STYLE_PLAIN, "  %c %s", culprit_letter(ranked[i]), culprit_name(ranked[i]));
    add_range(&t->reasons[ranked[i]], all, &text);
    table_add(table, STYLE_PLAIN, text_get(&text));
    text_clear(&text);
  }
  table_add(table, STYLE_PLAIN, "  unexplained stall");
  table_printf(table, STYLE_PLAIN, "%.1f %%", 100 * t->unexplained / all);
  text_release(&text);
}

void culprit_show_table(const struct culprit_tally *t, const struct culprit_other *others,
                        size_t count, const char *heading, const struct terminal *terminal,
                        struct text *out) {
  struct culprit_part parts[CULPRIT_PARTS];
  struct table table;
  double all = culprit_total(t, others, count), sum = 0;
  if (!(all > 0))
    return;
  culprit_parts(t, parts);
  table_init(&table, columns, sizeof(columns) / sizeof(*columns));
  for (size_t i = 0; i < CULPRIT_PARTS; i++) {
    sum += parts[i].time;
    if (parts[i].time == 0 && i)
      continue;
    table_add(&table, STYLE_PLAIN, parts[i].name);
    table_printf(&table, STYLE_PLAIN, "%.1f %%", 100 * parts[i].time / all);
    if (i == 3 || (i == 2 && t->mixed_stall == 0) ||
        (i == 1 && t->dynamic_stall == 0 && t->mixed_stall == 0))
      add_reasons(t, all, &table);
  }
  for (size_t i = 0; i < count; i++) {
    sum += others[i].time;
    if (others[i].time == 0)
      continue;
    table_add(&table, STYLE_PLAIN, others[i].name);
    table_printf(&table, STYLE_PLAIN, "%.1f %%", 100 * others[i].time / all);
  }
  table_add(&table, STYLE_HEADING, "total tallied");
  table_printf(&table, STYLE_HEADING, "%.1f %%", 100 * sum / all);
  table_print(&table, terminal, heading, out);
  table_release(&table);
}
