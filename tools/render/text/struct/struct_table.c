// struct_table.c - the section STRUCTS of a report.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/render/text/struct/struct_table.h"
#include "tools/model/struct/struct_summary.h"
#include "tools/support/names.h"

#include "tools/analysis/struct/struct_advice.h"
#include "tools/model/struct/struct_find.h"
#include "tools/render/text/section_table.h"
#include "tools/support/memory.h"
#include "tools/support/units.h"

#include <stdlib.h>
#include <string.h>

/// Fields named in a row of the table.
#define ROW_FIELDS 4
/// Structs named in the line of expected gains.
#define RANKED_SHOWN 5

static const struct shown_column columns[] = {
    {.key = "id"},
    {.key = "name", .narrowest = 12},
    {.narrowest = 10, .keep_end = true}, // place
    {.title = "bytes", .right = true},   // in full
    {.title = "lines", .right = true},
    {.key = "reads"},
    {.key = "writes"},
    {.title = "share of its accesses", .narrowest = 20},
};
#define COLUMNS (sizeof columns / sizeof *columns)

static int compare_fields(const void *left, const void *right) {
  const struct field_use *const *a = left, *const *b = right;
  uint64_t x = field_use_sum(*a), y = field_use_sum(*b);
  if (x != y)
    return x > y ? -1 : 1;
  return ((*a)->member->offset_bytes > (*b)->member->offset_bytes) -
         ((*a)->member->offset_bytes < (*b)->member->offset_bytes);
}

/// "px 40 %, qty 30 %, 5 more"
static void add_hottest(const struct struct_use *use, struct text *out) {
  const struct field_use **order = memory_zeroed(use->field_count + 1, sizeof *order);
  size_t used = 0;
  for (size_t i = 0; i < use->field_count; i++)
    if (field_use_sum(&use->fields[i]))
      order[used++] = &use->fields[i];
  qsort(order, used, sizeof *order, compare_fields);
  double all = (double)use->reads + (double)use->writes;
  for (size_t i = 0; i < used && i < ROW_FIELDS; i++)
    text_printf(out, "%s%s %s", i ? ", " : "", order[i]->member->name,
                units_share((double)field_use_sum(order[i]) / all).data);
  if (used > ROW_FIELDS)
    text_printf(out, ", %zu more", used - ROW_FIELDS);
  if (!used)
    text_add(out, use->reads || use->writes ? "fields not known" : "copied as a whole only");
  free(order);
}

static void add_place(const struct profile_struct *record, struct text *out) {
  if (!*record->file || !record->line) {
    text_add(out, "?");
    return;
  }
  text_printf(out, "%s:%u", base_name(record->file), record->line);
}

static void add_row(struct table *table, const struct measurement *m,
                    const struct struct_use *use) {
  struct text text = {0};
  section_cell(table, &section_structs, "id", m, use, STYLE_HEADING, "");
  section_cell(table, &section_structs, "name", m, use, STYLE_PLAIN, "");
  add_place(use->record, &text);
  table_add(table, STYLE_FAINT, text_get(&text));
  table_printf(table, STYLE_PLAIN, "%u", use->record->size_bytes);
  table_printf(table, STYLE_PLAIN, "%u", struct_lines(use->record));
  section_cell(table, &section_structs, "reads", m, use, STYLE_PLAIN, "");
  section_cell(table, &section_structs, "writes", m, use, STYLE_PLAIN, "");
  text_clear(&text);
  add_hottest(use, &text);
  table_add_tail(table, STYLE_PLAIN, text_get(&text));
  text_release(&text);
}

/// How much of the code the counts speak of.
static void add_coverage_note(const struct struct_uses *uses, const struct terminal *terminal,
                              struct text *out) {
  struct text line = {0}, wrapped = {0};
  if (uses->code_all)
    text_printf(&line,
                "counts are exact for the %s of the code's loads and stores (outside the stack) "
                "whose struct is known",
                units_share((double)uses->code_named / (double)uses->code_all).data);
  if (uses->shared)
    text_add(&line, "; threads shared counters (no memory): counts may be too low");
  text_add(&wrapped, "  ");
  text_add_wrapped(&wrapped, text_get(&line), 2, 2, terminal->width);
  text_add(&wrapped, "\n");
  terminal_add(terminal, out, STYLE_FAINT, text_get(&wrapped));
  text_release(&wrapped);
  text_release(&line);
}

struct ranked {
  size_t number; ///< 1 for S1
  double rank, high;
  enum advice_kind kind;
};

static int compare_ranks(const void *left, const void *right) {
  const struct ranked *a = left, *b = right;
  if (a->rank != b->rank)
    return a->rank > b->rank ? -1 : 1;
  return (a->number > b->number) - (a->number < b->number);
}

/// "by expected gain: S3 order (split up to 3.2x), ...": those shown, and what can be said of
/// others.
static void add_ranking(const struct measurement *m, const struct terminal *terminal,
                        struct text *out) {
  const struct struct_uses *uses = &m->structs;
  struct ranked *ranked = memory_zeroed(uses->accessed + 1, sizeof *ranked);
  size_t gains = 0;
  for (size_t i = 0; i < uses->accessed; i++) {
    const struct struct_advice *advice = &struct_summary_get(m, &m->structs.structs[i])->all;
    const struct advice *best =
        advice->order.rank > advice->parts.rank ? &advice->order : &advice->parts;
    ranked[i] = (struct ranked){i + 1, best->rank, best->gain.high, best->kind};
    gains += best->kind != ADVICE_NONE;
  }
  qsort(ranked, uses->accessed, sizeof *ranked, compare_ranks);
  struct text line = {0};
  text_add(&line, gains ? "layouts by expected gain:" : "no other layout is expected to gain");
  for (size_t i = 0; i < gains && i < RANKED_SHOWN; i++)
    text_printf(&line, "%s S%zu %s (%s, up to %.1fx of its loops)", i ? "," : "", ranked[i].number,
                uses->structs[ranked[i].number - 1].record->name, advice_kind_name(ranked[i].kind),
                ranked[i].high);
  if (gains)
    text_printf(&line, "; next: reticle layout S%zu", ranked[0].number);
  text_add(out, "  ");
  text_add_wrapped(out, text_get(&line), 2, 4, terminal->width);
  text_add(out, "\n");
  text_release(&line);
  free(ranked);
}

void struct_table_add(const struct measurement *m, size_t most, const struct terminal *terminal,
                      struct text *out) {
  const struct struct_uses *uses = &m->structs;
  const char *gap = struct_gap(m);
  if (*gap) {
    terminal_add(terminal, out, STYLE_BAD, "no struct was counted: ");
    text_add_wrapped(out, gap, strlen("no struct was counted: "), 2, terminal->width);
    text_add(out, "\n");
    return;
  }
  struct table table;
  struct table_column made[COLUMNS];
  section_table_init(&table, &section_structs, columns, COLUMNS, made);
  size_t shown = uses->accessed < most ? uses->accessed : most;
  for (size_t i = 0; i < shown; i++)
    add_row(&table, m, &uses->structs[i]);
  table_print(&table, terminal, "STRUCTS by accesses", out);
  table_release(&table);
  if (shown < uses->accessed)
    terminal_printf(terminal, out, STYLE_FAINT, "  and %zu more: --all\n", uses->accessed - shown);
  add_ranking(m, terminal, out);
  add_coverage_note(uses, terminal, out);
}
