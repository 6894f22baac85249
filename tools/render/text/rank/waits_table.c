// waits_table.c - prints call sites with their time, who spent most, and whom they waited for.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/render/text/rank/waits_table.h"

#include "tools/render/text/section_table.h"
#include "tools/support/units.h"
#include "tools/ui/table.h"

#include <math.h>
#include <string.h>

static void add_head(const struct waits *waits, const struct terminal *terminal, struct text *out) {
  struct text line = {0};
  const char *separator = " of ";
  for (uint32_t source = 0; source < RETICLE_WAIT_SOURCES; source++) // MPI first
    for (size_t i = 0; i < waits->tally.source_count; i++) {
      const struct wait_source *from = &waits->tally.sources[i];
      if (from->source != source || from->state == RETICLE_WAITS_NOT_BUILT)
        continue;
      text_printf(&line, "%s%s", separator, from->name);
      separator = " and ";
    }
  if (waits->mpi_ns && waits->run_ns > 0)
    text_printf(&line, ": %s of the time of %s in MPI",
                units_share((double)waits->mpi_ns / waits->run_ns).data,
                units_counted(waits->mpi_count, "process").data);
  terminal_add(terminal, out, STYLE_HEADING, "WAITS");
  text_add_wrapped(out, text_get(&line), strlen("WAITS"), 4, terminal->width);
  text_add(out, "\n");
  text_release(&line);
}

static void add_quantity(struct table *table, struct quantity quantity, bool is_share) {
  if (quantity.status != QUANTITY_OK)
    table_add(table, STYLE_FAINT, "-");
  else
    table_add(table, STYLE_PLAIN,
              is_share ? units_share(quantity.value).data : units_duration(quantity.value).data);
}

static void add_end(struct table *table, const struct waits_row *row, size_t cell) {
  struct text name = {0};
  const struct wait_cell *end = &row->site->cells[cell];
  waits_add_cell(row, end, &name);
  table_printf(table, STYLE_PLAIN, "%s %s", units_duration((double)end->time_ns).data,
               text_get(&name));
  text_release(&name);
}

static void add_row(struct table *table, const struct waits_row *row, bool ranks) {
  struct text place = {0}, whom = {0};
  waits_add_place(row, &place);
  waits_add_whom(row, &whom);
  table_printf(table, STYLE_PLAIN, "W%zu", row->number);
  table_add(table, STYLE_PLAIN, row->site->operation);
  table_add_name(table, STYLE_PLAIN, text_get(&place));
  table_add(table, STYLE_PLAIN, units_count((double)row->site->calls).data);
  table_add(table, STYLE_PLAIN, units_duration((double)row->site->time_ns).data);
  add_quantity(table, waits_row_share(row), true);
  add_quantity(table, waits_row_late(row), false);
  table_add(table, STYLE_PLAIN, text_get(&whom));
  if (ranks) {
    add_end(table, row, row->site->least);
    add_end(table, row, row->site->most);
  }
  text_release(&place);
  text_release(&whom);
}

void waits_table_add(const struct waits *waits, size_t most, bool ranks,
                     const struct terminal *terminal, struct text *out) {
  static const struct table_column titles[] = {
      {.title = ""},
      {.title = "", .narrowest = 12},
      {.title = "called by", .narrowest = 12, .keep_end = true},
      {.title = "calls", .right = true},
      {.title = "time", .right = true},
      {.title = "share", .right = true},
      {.title = "waited", .right = true},
      {.title = "for"},
      {.title = "least"},
      {.title = "most"},
  };
  if (!waits->tally.source_count)
    return;
  add_head(waits, terminal, out);
  struct table table;
  table_init(&table, titles, sizeof titles / sizeof *titles - (ranks ? 0 : 2));
  for (size_t i = 0; i < waits->row_count && i < most; i++)
    add_row(&table, &waits->rows[i], ranks);
  if (waits->row_count)
    table_print(&table, terminal, "", out);
  table_release(&table);
  if (waits->row_count > most)
    text_printf(out, "  and %zu more: --all\n", waits->row_count - most);
  struct text gap = {0};
  for (size_t i = 0; !ranks && waits_add_gap(waits, i, &gap); i++, text_clear(&gap))
    text_printf(out, "  %s\n", text_get(&gap));
  text_release(&gap);
  text_add(out, "\n");
}
