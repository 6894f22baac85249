// stalls.c - see stalls.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/cmd/stalls.h"
#include "tools/cmd/names.h"

#include "tools/binary/decode.h"
#include "tools/cmd/skid.h"
#include "tools/support/memory.h"
#include "tools/support/units.h"
#include "tools/ui/table.h"

#include <inttypes.h>
#include <stdlib.h>

/// Smaller parts of the CPU time aren't listed.
#define ROW_LEAST 0.001

enum { OTHER_FILES, OTHER_NAMELESS, OTHER_UNMAPPED, OTHER_NO_ROOM, OTHER_LOST, OTHER_SMALL };

static void add_row(struct stalls *out, const struct function_code *code, size_t position,
                    size_t instruction) {
  const struct culprit_stall *stall = &code->stalls[instruction];
  const struct block *block = &code->list.blocks[position];
  const struct quantity *cycles = &code->blocks[position].place.cycles.cycles;
  if (!(stall->time > 0) || cycles->status != QUANTITY_OK)
    return;
  size_t at = out->count < STALLS_MOST ? out->count : STALLS_MOST;
  if (at == STALLS_MOST && stall->time <= out->rows[at - 1].time_ns)
    return;
  if (at == STALLS_MOST)
    at--;
  else
    out->count++;
  for (; at && out->rows[at - 1].time_ns < stall->time; at--)
    out->rows[at] = out->rows[at - 1];
  struct stall_row *row = &out->rows[at];
  *row = (struct stall_row){.function = code->sampled,
                            .address = code->instructions[instruction].address,
                            .time_ns = stall->time,
                            .cycles = cycles->value * stall->time / code->tallies[position].time,
                            .suspects = stall->suspects};
  if (block->line)
    snprintf(row->place, sizeof(row->place), "%s:%u", base_name(block->file), block->line);
  uint64_t offset = row->address - block->address;
  decode_text(block->code + offset, block->bytes - offset, row->address, row->text,
              sizeof(row->text));
}

static void read_function(const struct measurement *m, const struct sampled_function *function,
                          struct block_map *map, struct stalls *out) {
  struct function_code code;
  if (function->samples < BLOCK_SAMPLES_LEAST) {
    out->others[OTHER_SMALL].time += (double)function->time_ns;
    return;
  }
  bool fine = function_code_read(m, function, map, &code);
  if (!fine || !code.tallies) {
    out->others[OTHER_FILES].time += (double)function->time_ns;
    function_code_release(&code);
    return;
  }
  double rest = (double)function->time_ns;
  for (size_t b = 0; b < code.list.count; b++) {
    culprit_tally_add(&out->tally, &code.tallies[b]);
    rest -= code.tallies[b].time;
    for (size_t i = 0; i < code.blocks[b].count; i++)
      add_row(out, &code, b, code.blocks[b].first + i);
  }
  out->others[OTHER_FILES].time += rest > 0 ? rest : 0; // code that the map lacks
  function_code_release(&code);
}

static void read_file(const struct measurement *m, size_t number, struct stalls *out) {
  const struct sampled_file *file = &m->samples.files[number];
  struct block_map *map = NULL;
  struct block_map_error error;
  if (file->labels.count && !block_map_open(file->file->path, &map, &error))
    map = NULL;
  for (size_t i = 0; i < m->samples.function_count; i++) {
    const struct sampled_function *function = &m->samples.functions[i];
    if (function->file != number)
      continue;
    if (!*function->symbol)
      out->others[OTHER_NAMELESS].time += (double)function->time_ns;
    else if (map)
      read_function(m, function, map, out);
    else
      out->others[OTHER_FILES].time += (double)function->time_ns;
  }
  block_map_close(map);
}

static const char no_time[] = "the samples stand for no CPU time: the profile is damaged";

void stalls_read(const struct measurement *m, struct stalls *out) {
  const struct samples *s = &m->samples;
  double period_ns = s->all ? (double)s->all_ns / (double)s->all : 0;
  *out = (struct stalls){
      .others = {{"code that counts no blocks", 0},
                 {"code without a symbol", 0},
                 {"in no file", (double)s->unmapped_ns},
                 {"without a place in a full table", (double)s->no_room * period_ns},
                 {"lost in full rings", (double)s->lost * period_ns},
                 {"functions with fewer than 10 samples", 0}}};
  if (!s->all)
    out->missing = "no samples";
  else if (!s->all_ns)
    out->missing = no_time;
  else if (!m->input.profile.count_count)
    out->missing = "how often blocks run wasn't counted: compile with "
                   "-fplugin-arg-reticle-features=loop,block";
  else
    out->missing = skid_missing(&m->skid);
  if (out->missing)
    return;
  for (size_t i = 0; i < s->file_count; i++)
    read_file(m, i, out);
  if (!(culprit_show_total(&out->tally, out->others, STALL_OTHERS) > 0))
    out->missing = no_time;
}

// --- text and JSON -------------------------------------------------------------------------------

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
    culprit_show_letters(row->suspects, letters);
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
  struct stalls *stalls = memory_resized(NULL, sizeof(*stalls), 1);
  stalls_read(m, stalls);
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
  free(stalls);
}

void stalls_json(const struct measurement *m, struct json *report) {
  struct stalls *stalls = memory_resized(NULL, sizeof(*stalls), 1);
  stalls_read(m, stalls);
  if (stalls->missing) {
    json_put_null(report, "stalls");
    json_put_null(report, "tally");
    json_put_text(report, "stalls_reason", stalls->missing);
    free(stalls);
    return;
  }
  struct json *array = json_put(report, "stalls", json_array_new());
  for (size_t i = 0; i < stalls->count; i++) {
    const struct stall_row *row = &stalls->rows[i];
    char letters[CULPRIT_REASONS + 2];
    struct json *json = json_append(array, json_object_new());
    culprit_show_letters(row->suspects, letters);
    json_put_text(json, "function", row->function->name);
    json_put_count(json, "address", row->address);
    json_put_text_or_null(json, "place", row->place);
    json_put_number(json, "share", row->time_ns / (double)m->samples.all_ns);
    json_put_number(json, "cycles", row->cycles);
    json_put_text(json, "suspects", letters);
    json_put_text(json, "instruction", row->text);
  }
  culprit_show_json_table(&stalls->tally, stalls->others, STALL_OTHERS,
                          json_put(report, "tally", json_object_new()));
  json_put_null(report, "stalls_reason");
  free(stalls);
}
