// stall_cause_show.c - prints stall causes, letters with their legend, and tallies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/render/text/block/stall_cause_show.h"

#include "tools/model/stall/stall_tally.h"
#include "tools/ui/table.h"

/// Causes named beside the first one, and from which part of the time on.
#define NAMED_MOST 3
#define NAMED_LEAST 0.05

/// "27.9 %", "0.0 to 27.9 %".
static void add_range(const struct stall_range *range, double time, struct text *out) {
  double low = 100 * range->low / time, high = 100 * range->high / time;
  if (high - low >= 0.05)
    text_printf(out, "%.1f to %.1f %%", low, high);
  else
    text_printf(out, "%.1f %%", high);
}

static void add(const struct stall_tally *t, bool is_labelled, struct text *out) {
  enum stall_cause ranked[STALL_CAUSES];
  size_t count = stall_cause_rank(t, ranked);
  double stall = t->static_stall + t->dynamic_stall + t->mixed_stall;
  if (!stall_tally_is_known(t))
    return;
  if (t->gain > NAMED_LEAST * t->time)
    text_printf(out, "faster than by itself, which nothing explains; "), is_labelled = true;
  if (stall_cause_named(t) == STALL_CAUSE_NONE) {
    text_printf(out, "%snone; stalls are %.0f %% of its time", is_labelled ? "stall cause: " : "",
                100 * (stall - t->gain) / t->time);
    if (t->unexplained - t->gain > STALL_CAUSE_LEAST * t->time)
      text_printf(out, ", %.0f %% for no reason that is looked for",
                  100 * (t->unexplained - t->gain) / t->time);
    return;
  }
  text_add(out, is_labelled ? "stall cause: " : "");
  for (size_t i = 0; i < count && i < NAMED_MOST; i++) {
    if (i && t->causes[ranked[i]].high < NAMED_LEAST * t->time)
      break;
    text_printf(out, "%s%s (", i ? ", " : "", stall_cause_name(ranked[i]));
    add_range(&t->causes[ranked[i]], t->time, out);
    text_add(out, i ? ")" : " of its time)");
  }
}

void stall_cause_show_add(const struct stall_tally *tally, struct text *out) {
  add(tally, true, out);
}

void stall_cause_show_add_unlabelled(const struct stall_tally *tally, struct text *out) {
  add(tally, false, out);
}

void stall_cause_show_short(const struct stall_tally *t, struct text *out) {
  enum stall_cause named = stall_cause_named(t);
  if (!stall_tally_is_known(t))
    return;
  if (named == STALL_CAUSE_NONE) {
    text_add(out, stall_cause_name(named));
    return;
  }
  text_printf(out, "%s: %s", stall_group_name(stall_group_of(named)), stall_cause_name(named));
}

void stall_cause_show_legend(uint32_t suspects, struct text *out) {
  for (unsigned r = 0; r < STALL_CAUSES; r++)
    if (suspects >> r & 1)
      text_printf(out, "%s%c: %s", out->length ? ", " : "", stall_cause_letter((enum stall_cause)r),
                  stall_cause_name((enum stall_cause)r));
}

void stall_cause_show_letters_used(const struct function_code *code, struct text *out) {
  uint32_t used = 0;
  for (size_t i = 0; code->stalls && i < code->instruction_count; i++)
    if (code->stalls[i].time > 0)
      used |= code->stalls[i].suspects;
  stall_cause_show_legend(used, out);
}

static const struct table_column columns[] = {
    {"", false, 24, false},
    {"share", true, 0, false},
};

static void add_causes(const struct stall_tally *t, double all, struct table *table) {
  enum stall_cause ranked[STALL_CAUSES];
  size_t count = stall_cause_rank(t, ranked);
  struct text text = {0};
  for (size_t i = 0; i < count; i++) {
    if (t->causes[ranked[i]].high < 0.0005 * all)
      continue;
    table_printf(table, STYLE_PLAIN, "  %c %s", stall_cause_letter(ranked[i]),
                 stall_cause_name(ranked[i]));
    add_range(&t->causes[ranked[i]], all, &text);
    table_add(table, STYLE_PLAIN, text_get(&text));
    text_clear(&text);
  }
  table_add(table, STYLE_PLAIN, "  unexplained stall");
  table_printf(table, STYLE_PLAIN, "%.1f %%", 100 * t->unexplained / all);
  text_release(&text);
}

void stall_cause_show_table(const struct stall_tally *t, const struct stall_other *others,
                            size_t count, const char *heading, const struct terminal *terminal,
                            struct text *out) {
  struct stall_tally_part parts[STALL_TALLY_PARTS];
  struct table table;
  double all = stall_tally_total(t, others, count), sum = 0;
  if (!(all > 0))
    return;
  stall_tally_parts(t, parts);
  table_init(&table, columns, sizeof(columns) / sizeof(*columns));
  for (size_t i = 0; i < STALL_TALLY_PARTS; i++) {
    sum += parts[i].time;
    if (parts[i].time == 0 && i)
      continue;
    table_add(&table, STYLE_PLAIN, parts[i].name);
    table_printf(&table, STYLE_PLAIN, "%.1f %%", 100 * parts[i].time / all);
    if (i == 3 || (i == 2 && t->mixed_stall == 0) ||
        (i == 1 && t->dynamic_stall == 0 && t->mixed_stall == 0))
      add_causes(t, all, &table);
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
