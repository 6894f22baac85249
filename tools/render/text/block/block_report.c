// block_report.c - prints the rows of BLOCKS, and the card of a block.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/render/text/block/block_report.h"

#include "tools/model/block/block_in_place_words.h"
#include "tools/model/block/block_job.h"
#include "tools/model/block/measured_block.h"
#include "tools/render/text/block/stall_cause_show.h"
#include "tools/render/text/section_table.h"
#include "tools/support/names.h"
#include "tools/support/units.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const struct shown_column columns[] = {
    {.key = "id"},
    {.narrowest = 12},                   // function and offset
    {.narrowest = 10, .keep_end = true}, // place
    {.key = "loop"},
    {.title = "insns", .right = true}, // in full
    {.key = "isolated"},
    {.title = "95 %"},
    {.key = "accepted"},
    {.key = "share"},
    // Where samples were taken:
    {.key = "in_situ"},
    {.key = "gap"},
    {.title = "likely"},
    {0}, // noisy
};
#define COLUMNS (sizeof columns / sizeof *columns)

/// "work+0x20", demangled and short.
static void add_name(const struct profile_block *block, struct text *out) {
  char *function = function_short_name(block->function);
  text_printf(out, "%s+0x%" PRIx64, function, block->offset);
  free(function);
}

static void add_place(const struct profile_block *block, struct text *out) {
  if (block->line && *block->file)
    text_printf(out, "%s:%u", base_name(block->file), block->line);
  else
    text_add(out, "?");
}

static void add_number(double cycles, struct text *out) {
  text_printf(out, cycles < 10 ? "%.2f" : cycles < 100 ? "%.1f" : "%.0f", cycles);
}

static void add_interval(const struct measured_block *block, struct text *out) {
  add_number(block->cycles.low, out);
  text_add(out, " to ");
  add_number(block->cycles.high, out);
}

void block_report_cycles(const struct measured_block *block, struct text *out) {
  if (block->cycles.status != QUANTITY_OK) {
    text_printf(out, "n/a: %s", block->cycles.reason);
    return;
  }
  add_number(block->cycles.value, out);
  text_add(out, " cycles (");
  add_interval(block, out);
  text_add(out, ")");
}

static void add_place_cells(const struct measured_block *block, struct table *table) {
  struct text text = {0};
  section_cell(table, &section_blocks, "in_situ", NULL, block, STYLE_PLAIN, "?");
  section_cell(table, &section_blocks, "gap", NULL, block, STYLE_PLAIN, "?");
  stall_cause_show_short(&block->tally, &text);
  table_add(table, STYLE_CAUTION, text.length ? text_get(&text) : "?");
  text_release(&text);
}

static void add_row(const struct measurement *m, struct table *table,
                    const struct measured_block *block) {
  const struct profile_block *record = block->block;
  struct text text = {0};
  section_cell(table, &section_blocks, "id", m, block, STYLE_HEADING, "");
  add_name(record, &text);
  table_add(table, STYLE_PLAIN, text_get(&text));
  text_clear(&text);
  add_place(record, &text);
  table_add(table, STYLE_FAINT, text_get(&text));
  text_clear(&text);
  section_cell(table, &section_blocks, "loop", m, block, STYLE_PLAIN, "?");
  table_printf(table, STYLE_FAINT, "%u", record->instructions);
  if (block->cycles.status != QUANTITY_OK) {
    block_report_cycles(block, &text);
    table_add_tail(table, STYLE_CAUTION, text_get(&text));
  } else {
    bool noisy = measured_block_is_noisy(record);
    add_number(block->cycles.value, &text);
    text_add(&text, " cycles");
    table_add(table, STYLE_PLAIN, text_get(&text));
    text_clear(&text);
    add_interval(block, &text);
    table_add(table, STYLE_FAINT, text_get(&text));
    table_printf(table, STYLE_FAINT, "%.0f %%", record->accepted_permille / 10.0);
    table_add(table, STYLE_PLAIN,
              !block->is_sampled ? "?"
              : block->samples   ? units_share(measured_block_share(m, block).value).data
                                 : "no samples");
    if (m->samples.all)
      add_place_cells(block, table);
    table_add(table, STYLE_CAUTION, noisy ? "noisy" : "");
  }
  text_release(&text);
}

/// Why the first block without cycles in place has none.
static void add_in_place_missing(const struct measurement *m, size_t shown,
                                 const struct terminal *terminal, struct text *out) {
  for (size_t i = 0; i < shown; i++) {
    const struct quantity *cycles = &m->blocks[i].place.cycles.cycles;
    if (cycles->status == QUANTITY_OK)
      continue;
    struct text why = {0}, wrapped = {0};
    text_printf(&why, "in place: B%zu %s", m->blocks[i].rank, cycles->reason);
    text_add_wrapped(&wrapped, text_get(&why), 2, 4, terminal->width);
    text_add(out, "  ");
    terminal_add(terminal, out, STYLE_FAINT, text_get(&wrapped));
    text_add(out, "\n");
    text_release(&why);
    text_release(&wrapped);
    return;
  }
}

void block_report_add(const struct measurement *m, size_t most, const struct terminal *terminal,
                      struct text *out) {
  if (!m->block_count) {
    terminal_add(terminal, out, STYLE_BAD, "no block was measured: ");
    struct text how = {0}, wrapped = {0};
    text_add(&how, "run it with RETICLE_OPTIONS=blocks=20, or type: reticle block --save");
    input_add_operands(&m->input, &how);
    text_add_wrapped(&wrapped, text_get(&how), strlen("no block was measured: "), 2,
                     terminal->width);
    terminal_add(terminal, out, STYLE_COMMAND, text_get(&wrapped));
    text_add(out, "\n");
    text_release(&how);
    text_release(&wrapped);
    return;
  }
  struct table table;
  struct shown_column shown_columns[COLUMNS];
  struct table_column made[COLUMNS];
  memcpy(shown_columns, columns, sizeof columns);
  if (!m->samples.all)
    shown_columns[COLUMNS - 4] = columns[COLUMNS - 1];
  section_table_init(&table, &section_blocks, shown_columns, m->samples.all ? COLUMNS : COLUMNS - 3,
                     made);
  size_t shown = m->block_count < most ? m->block_count : most;
  for (size_t i = 0; i < shown; i++)
    add_row(m, &table, &m->blocks[i]);
  table_print(&table, terminal, "BLOCKS that take most time, in isolation", out);
  table_release(&table);
  if (shown < m->block_count)
    terminal_printf(terminal, out, STYLE_FAINT, "  and %zu more: --all\n", m->block_count - shown);
  terminal_add(terminal, out, STYLE_FAINT,
               "  isolated: memory in the first cache, branches predicted\n");
  if (!m->samples.all)
    terminal_add(terminal, out, STYLE_FAINT,
                 "  in place, of CPU time: not sampled; run it with RETICLE_OPTIONS=sample=1\n");
  else
    add_in_place_missing(m, shown, terminal, out);
}

/// Adds the instructions of code in hex.
static void add_code(const struct profile_block *block, struct text *out) {
  struct block_jobs jobs = {0};
  const struct block_job *job = block_jobs_add_hex(&jobs, block->code, 0);
  for (size_t at = 0; !job->problem && at < job->bytes;) {
    char line[256];
    size_t length = block_job_text(job, at, block->address, line, sizeof(line));
    text_printf(out, "  %4zx  %s\n", at, line);
    if (!length)
      break;
    at += length;
  }
  block_jobs_release(&jobs);
}

/// How much of the CPU time its code takes, as samples say.
static void add_share(const struct measurement *m, const struct measured_block *block,
                      struct text *out) {
  struct quantity share = measured_block_share(m, block);
  if (share.status == QUANTITY_OK)
    text_printf(out, "%s in place (%.1f to %.1f %%), %s samples", units_share(share.value).data,
                100 * share.low, 100 * share.high, units_exact(block->samples).data);
  else
    text_add(out, share.reason);
}

void block_report_card(const struct measurement *m, const struct measured_block *block,
                       const struct terminal *terminal, struct text *out) {
  const struct profile_block *record = block->block;
  struct text text = {0};
  text_printf(&text, "B%zu ", block->rank);
  add_name(record, &text);
  terminal_add(terminal, out, STYLE_HEADING, text_get(&text));
  text_clear(&text);
  if (*record->file && record->line)
    text_printf(&text, "   %s:%u", record->file, record->line);
  text_printf(&text, "   at 0x%" PRIx64 " of %s\n", record->address, record->module);
  text_add_clean(out, text_get(&text));
  text_clear(&text);
  if (block->loop)
    text_printf(out, "loop       L%zu %s\n", block->loop->rank, block->loop->function);
  text_add(out, "isolated   ");
  block_report_cycles(block, &text);
  terminal_add(terminal, out, block->cycles.status == QUANTITY_OK ? STYLE_PLAIN : STYLE_CAUTION,
               text_get(&text));
  text_add(out, "\nin place   ");
  block_in_place_add(&block->place, out);
  text_clear(&text);
  block_in_place_add_gap(&block->place, block, &text);
  if (text.length) {
    text_add(out, "\ngap        ");
    text_add(out, text_get(&text));
  }
  text_clear(&text);
  if (block->tally.time > 0) {
    struct text wrapped = {0};
    stall_cause_show_add(&block->tally, &text);
    text_add_wrapped(&wrapped, text_get(&text), 0, 11, terminal->width);
    text_add(out, wrapped.length ? "\n" : "");
    text_add(out, text_get(&wrapped));
    text_release(&wrapped);
  }
  text_release(&text);
  text_add(out, "\nCPU time   ");
  add_share(m, block, out);
  text_add(out, "\n");
  if (record->rounds)
    text_printf(out,
                "measured   %s: %.0f %% of %u rounds undisturbed; %s touched, on "
                "%s\n",
                record->status, record->accepted_permille / 10.0, record->rounds,
                units_counted(record->pages, "page").data,
                units_counted(record->frames, "frame").data);
  text_printf(out, "code       %s, without the jumps at the end\n",
              units_counted(record->instructions, "instruction").data);
  add_code(record, out);
}
