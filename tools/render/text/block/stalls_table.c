// stalls_table.c - prints the rows of the largest stalls.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/render/text/block/stalls_table.h"
#include "tools/model/stall/stall_tally.h"
#include "tools/model/stall/stalls.h"
#include "tools/render/text/block/stall_cause_show.h"
#include "tools/render/text/section_table.h"
#include "tools/support/units.h"

#include <inttypes.h>

/// Smaller parts of the CPU time aren't listed.
#define ROW_LEAST 0.001

static const struct shown_column columns[] = {
    {.narrowest = 12}, // function and offset
    {.key = "place", .narrowest = 10, .keep_end = true},
    {.key = "share"},
    {.title = "cycles", .right = true},
    {.key = "suspects"},
    {.key = "instruction", .narrowest = 16},
};
#define COLUMNS (sizeof columns / sizeof *columns)

static void add_rows(const struct measurement *m, const struct stalls *stalls, size_t most,
                     const struct terminal *terminal, struct text *out) {
  struct table table;
  uint32_t used = 0;
  size_t shown = 0;
  struct table_column made[COLUMNS];
  section_table_init(&table, &section_stalls, columns, COLUMNS, made);
  for (; shown < stalls->count && shown < most; shown++) {
    const struct stall_row *row = &stalls->rows[shown];
    if (row->time_ns < ROW_LEAST * (double)m->samples.all_ns)
      break;
    used |= row->suspects;
    table_printf(&table, STYLE_PLAIN, "%s+0x%" PRIx64, row->function->name,
                 row->address - row->function->address);
    section_cell(&table, &section_stalls, "place", m, row, STYLE_FAINT, "");
    section_cell(&table, &section_stalls, "share", m, row, STYLE_PLAIN, "");
    table_printf(&table, STYLE_PLAIN, "%.1f", row->cycles);
    section_cell(&table, &section_stalls, "suspects", m, row, STYLE_CAUTION, "");
    section_cell(&table, &section_stalls, "instruction", m, row, STYLE_FAINT, "");
  }
  if (shown)
    table_print(&table, terminal, "STALLS by time", out);
  table_release(&table);
  struct text legend = {0}, wrapped = {0};
  stall_cause_show_legend(used, &legend);
  text_add(&wrapped, "  ");
  text_add_wrapped(&wrapped, text_get(&legend), 2, 4, terminal->width);
  text_add(&wrapped, "\n");
  if (legend.length)
    terminal_add(terminal, out, STYLE_FAINT, text_get(&wrapped));
  text_release(&wrapped);
  text_release(&legend);
}

void stalls_add(const struct measurement *m, size_t most, const struct terminal *terminal,
                struct text *out) {
  const struct stalls *stalls = stalls_get(m);
  if (stalls->missing) {
    struct text why = {0};
    text_printf(&why, "stalls: %s", stalls->missing);
    text_add(out, "  ");
    text_add_wrapped(out, text_get(&why), 2, 4, terminal->width);
    text_add(out, "\n");
    text_release(&why);
  } else {
    text_add(out, "\n");
    add_rows(m, stalls, most, terminal, out);
    stall_cause_show_table(&stalls->tally, stalls->others, STALL_OTHERS, "TALLY of the CPU time",
                           terminal, out);
  }
}
