// sharing_table.c - prints the table of shared lines, and how much of the run it covers.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/model/heap/site_find.h"
#include "tools/model/heap/site_gap.h"
#include "tools/render/text/heap/sharing_show.h"
#include "tools/support/units.h"
#include "tools/ui/table.h"

static const struct table_column columns[] = {
    {"", false, 0, false},         {"", false, 20, false},  {"bytes", true, 0, false},
    {"threads", true, 0, false},   {"", false, 0, false},   {"lines", true, 0, false},
    {"intervals", true, 0, false}, {"met", true, 0, false},
};

static void add_threads(const struct profile_sharedline *line, struct table *table) {
  unsigned all = 0;
  for (unsigned word = 0; word < SHARING_LINE_WORDS; word++)
    all |= sharing_threads(line, word);
  int known = __builtin_popcount(all & (UINT8_MAX >> 1));
  // Words that several threads write don't say which.
  table_printf(table, STYLE_PLAIN, "%d%s", known > 1 ? known : 2,
               known > 1 && all >> 7 == 0 ? "" : "+");
}

static void add_row(const struct measurement *m, const struct sharing_group *group,
                    struct table *table) {
  size_t rank = site_rank(&m->sites, group->line->record->site);
  struct text name = {0};
  if (!rank)
    return; // a file without the site
  table_printf(table, STYLE_HEADING, "A%zu", rank);
  site_add_name(m, &m->sites.sites[rank - 1], &name);
  table_add(table, STYLE_PLAIN, text_get(&name));
  text_release(&name);
  table_printf(table, STYLE_PLAIN, "%llu-%llu", (unsigned long long)group->low,
               (unsigned long long)group->high - 1);
  add_threads(group->line->record, table);
  table_add(table, group->line->verdict == SHARING_FALSE ? STYLE_CAUTION : STYLE_PLAIN,
            sharing_verdict_name(group->line->verdict));
  table_add(table, STYLE_PLAIN, units_count((double)group->lines).data);
  table_add(table, STYLE_PLAIN, units_count((double)group->intervals).data);
  if (group->is_seldom)
    table_add(table, STYLE_FAINT, "seldom");
  else if (group->met.status == QUANTITY_OK)
    table_add(table, STYLE_PLAIN, units_share(group->met.value).data);
  else
    table_add(table, STYLE_FAINT, quantity_status_name(group->met.status));
}

/// How far the table can be trusted.
static void add_coverage_note(const struct measurement *m, const struct terminal *terminal,
                              struct text *out) {
  const struct sharing *s = &m->sharing;
  struct text line = {0};
  if (s->count)
    text_add(&line, "suspects, not proofs: what several threads used within one interval between "
                    "samples, one of "
                    "them writing, in three intervals of an object's life or more");
  else
    text_printf(&line,
                "none was seen: no line was used by several threads, one of them writing, in three "
                "intervals "
                "between samples of an object's life (of %s)",
                units_exact(m->sites.samples).data);
  if (s->look.status == QUANTITY_OK)
    text_printf(&line, "; met: part of looks %s behind a sample that found several threads again",
                units_duration(s->look.value).data);
  if (s->threads > RETICLE_SHADOW_THREADS)
    text_printf(&line, "; %s threads share %u numbers: some pairs aren't told apart",
                units_exact(s->threads).data, RETICLE_SHADOW_THREADS);
  if (s->untold)
    text_printf(&line, "; %zu of %zu object files were compiled without shadow=detail", s->untold,
                s->told + s->untold);
  if (s->lines_lost)
    text_printf(&line, "; %s lines had no place in the tables", units_exact(s->lines_lost).data);
  text_add(out, "  ");
  text_add_wrapped(out, text_get(&line), 2, 4, terminal->width);
  text_add(out, "\n");
  text_release(&line);
}

void sharing_table_add(const struct measurement *m, size_t most, const struct terminal *terminal,
                       struct text *out) {
  const char *gap = sharing_gap(m);
  if (*gap) {
    text_add(out, "  ");
    text_add_wrapped(out, gap, 2, 4, terminal->width);
    text_add(out, "\n");
    return;
  }
  size_t shown = m->sharing.group_count < most ? m->sharing.group_count : most;
  struct table table;
  table_init(&table, columns, sizeof columns / sizeof *columns);
  for (size_t i = 0; i < shown; i++)
    add_row(m, &m->sharing.groups[i], &table);
  if (shown)
    table_print(&table, terminal, "LINES THAT THREADS SHARE", out);
  else
    terminal_add(terminal, out, STYLE_HEADING, "LINES THAT THREADS SHARE\n");
  table_release(&table);
  if (shown < m->sharing.group_count)
    terminal_printf(terminal, out, STYLE_FAINT, "  and %zu more: --all\n",
                    m->sharing.group_count - shown);
  add_coverage_note(m, terminal, out);
}
