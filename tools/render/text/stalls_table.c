// stalls_table.c - prints the rows of the largest stalls.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/render/text/stalls_table.h"
#include "tools/model/culprit_tally.h"
#include "tools/model/on_demand.h"
#include "tools/model/stalls.h"
#include "tools/render/text/culprit_show.h"
#include "tools/support/units.h"
#include "tools/ui/table.h"

#include <inttypes.h>

/// Smaller parts of the CPU time aren't listed.
#define ROW_LEAST 0.001

static const struct table_column columns[] = {
    {"", false, 12, false},     {"", false, 10, true},    {"of CPU time", true, 0, false},
    {"cycles", true, 0, false}, {"why", false, 0, false}, {"instruction", false, 16, false},
};

static void add_rows(const struct measurement *m, const struct stalls *stalls, size_t most,
                     const struct terminal *terminal, struct text *out) {
  struct table table;
  uint32_t used = 0;
  size_t shown = 0;
  table_init(&table, columns, sizeof(columns) / sizeof(*columns));
  for (; shown < stalls->count && shown < most; shown++) {
    const struct stall_row *row = &stalls->rows[shown];
    char letters[CULPRIT_REASONS + 2];
    if (row->time_ns < ROW_LEAST * (double)m->samples.all_ns)
      break;
    culprit_letters(row->suspects, letters);
    used |= row->suspects;
    table_printf(&table, STYLE_PLAIN, "%s+0x%" PRIx64, row->function->name,
                 row->address - row->function->address);
    table_add(&table, STYLE_FAINT, row->place);
    table_add(&table, STYLE_PLAIN, units_share(row->time_ns / (double)m->samples.all_ns).data);
    table_printf(&table, STYLE_PLAIN, "%.1f", row->cycles);
    table_add(&table, STYLE_CAUTION, letters);
    table_add(&table, STYLE_FAINT, row->text);
  }
  if (shown)
    table_print(&table, terminal, "STALLS by time", out);
  table_release(&table);
  struct text legend = {0}, wrapped = {0};
  culprit_show_legend(used, &legend);
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
    culprit_show_table(&stalls->tally, stalls->others, STALL_OTHERS, "TALLY of the CPU time",
                       terminal, out);
  }
}
