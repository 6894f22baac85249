// annotate_code.c - see annotate_code.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/cmd/annotate_code.h"

#include "tools/binary/block_map.h"
#include "tools/binary/decode.h"
#include "tools/cmd/block_in_place.h"
#include "tools/cmd/json_quantity.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/// The blocks of a function; released with release_code.
struct code {
  struct block_map *map;
  struct block_function function;
  struct block_list list;
  struct counted_blocks counted;
  struct block_map_error error; ///< text: why there is no code
};

static void release_code(struct code *code) {
  counted_blocks_release(&code->counted);
  block_list_release(&code->list);
  block_map_close(code->map);
}

static bool read_code(const struct measurement *m, const struct sampled_function *function,
                      struct code *code) {
  char place[32];
  struct block_function *found = NULL;
  *code = (struct code){0};
  if (!block_map_open(m->samples.files[function->file].file->path, &code->map, &code->error))
    return false;
  snprintf(place, sizeof(place), "0x%" PRIx64, function->address);
  size_t count = block_map_find(code->map, place, &found);
  if (count)
    code->function = found[0];
  else
    block_map_missing(code->map, place, &code->error);
  free(found);
  if (!count || !block_map_read(code->map, &code->function, &code->list, &code->error))
    return false;
  counted_blocks_read(&m->input.profile, &m->samples.files[function->file].labels, &code->list,
                      &code->counted);
  return true;
}

/// Samples of [address, address + bytes).
static void sum_up(const struct sampled_function *function, uint64_t address, uint64_t bytes,
                   uint64_t *samples, uint64_t *time_ns) {
  *samples = *time_ns = 0;
  for (size_t i = 0; i < function->place_count; i++) {
    const struct sampled_place *p = &function->places[i];
    if (p->address < address || p->address - address >= bytes)
      continue;
    *samples += p->record->samples;
    *time_ns += p->record->time_ns;
  }
}

/// How often the block ran, at how many cycles, and by itself.
static void add_in_place(const struct measurement *m, const struct sampled_function *function,
                         const struct code *code, size_t position, uint64_t samples,
                         uint64_t time_ns, const struct terminal *terminal, struct text *out) {
  const struct block *block = &code->list.blocks[position];
  const char *module = m->samples.files[function->file].file->path;
  const struct measured_block *isolated = block_in_place_isolated(m, module, block->address);
  struct block_in_place place;
  struct text text = {0}, gap = {0}, wrapped = {0};
  block_in_place_read(m, &code->counted, position, block, samples, time_ns, isolated, &place);
  block_in_place_add(&place, &text);
  block_in_place_add_gap(&place, isolated, &gap);
  if (gap.length)
    text_printf(&text, "; %s", text_get(&gap));
  text_add_wrapped(&wrapped, text_get(&text), 4, 4, terminal->width);
  text_printf(out, "    %s\n", text_get(&wrapped));
  text_release(&text);
  text_release(&gap);
  text_release(&wrapped);
}

static void add_block(const struct measurement *m, const struct sampled_function *function,
                      const struct code *code, size_t position, const struct terminal *terminal,
                      struct text *out) {
  const struct block *block = &code->list.blocks[position];
  uint64_t samples, time_ns;
  sum_up(function, block->address, block->bytes, &samples, &time_ns);
  const char *slash = strrchr(block->file, '/');
  terminal_printf(terminal, out, STYLE_HEADING, "  block +0x%" PRIx64,
                  block->address - function->address);
  text_printf(out, "  %" PRIu64 " samples, %.1f %%", samples,
              100 * (double)time_ns / (double)function->time_ns);
  if (block->line)
    terminal_printf(terminal, out, STYLE_FAINT, "   %s:%u", slash ? slash + 1 : block->file,
                    block->line);
  text_add(out, "\n");
  if (code->counted.counts)
    add_in_place(m, function, code, position, samples, time_ns, terminal, out);
  for (uint32_t at = 0; at < block->bytes;) {
    char line[256];
    size_t length =
        decode_text(block->code + at, block->bytes - at, block->address + at, line, sizeof(line));
    sum_up(function, block->address + at, length ? length : 1, &samples, &time_ns);
    if (samples)
      text_printf(out, "  %5.1f %% %7" PRIu64, 100 * (double)time_ns / (double)function->time_ns,
                  samples);
    else
      text_printf(out, "  %15s", "");
    text_printf(out, "  %6" PRIx64 "  %s\n", block->address + at, line);
    if (!length)
      break;
    at += (uint32_t)length;
  }
}

/// Samples outside of the blocks read: on padding, or in code that the map lacks.
static uint64_t count_outside(const struct sampled_function *function,
                              const struct block_list *list) {
  uint64_t inside = 0;
  for (size_t i = 0; i < list->count; i++) {
    uint64_t samples, time_ns;
    sum_up(function, list->blocks[i].address, list->blocks[i].bytes, &samples, &time_ns);
    inside += samples;
  }
  return function->samples - inside;
}

void annotate_code_add(const struct measurement *m, const struct sampled_function *function,
                       bool all, const struct terminal *terminal, struct text *out) {
  struct code code;
  size_t left_out = 0;
  terminal_add(terminal, out, STYLE_HEADING, "code");
  if (!read_code(m, function, &code)) {
    text_printf(out, "  can't be shown: the file %s\n", code.error.text);
    release_code(&code);
    return;
  }
  text_printf(out, "  %zu blocks %s\n", code.list.count,
              code.list.map_version ? "of the BB address map" : "found by disassembly");
  if (code.counted.reason) {
    struct text why = {0};
    text_add_wrapped(&why, code.counted.reason, 4, 4, terminal->width);
    terminal_printf(terminal, out, STYLE_FAINT, "    %s\n", text_get(&why));
    text_release(&why);
  }
  for (size_t i = 0; i < code.list.count; i++) {
    uint64_t samples, time_ns;
    sum_up(function, code.list.blocks[i].address, code.list.blocks[i].bytes, &samples, &time_ns);
    if (samples || all)
      add_block(m, function, &code, i, terminal, out);
    else
      left_out++;
  }
  if (left_out)
    terminal_printf(terminal, out, STYLE_FAINT, "  and %zu blocks without samples: --all\n",
                    left_out);
  uint64_t outside = count_outside(function, &code.list);
  if (outside)
    text_printf(out, "  %" PRIu64 " samples in no block\n", outside);
  release_code(&code);
}

static void put_instructions(const struct sampled_function *function, const struct block *block,
                             struct json *array) {
  for (uint32_t at = 0; at < block->bytes;) {
    char line[256];
    uint64_t samples, time_ns;
    size_t length =
        decode_text(block->code + at, block->bytes - at, block->address + at, line, sizeof(line));
    sum_up(function, block->address + at, length ? length : 1, &samples, &time_ns);
    struct json *json = json_append(array, json_object_new());
    json_put_count(json, "address", block->address + at);
    json_put_count(json, "block", block->address);
    json_put_text(json, "text", line);
    json_put_count(json, "samples", samples);
    if (!length)
      break;
    at += (uint32_t)length;
  }
}

static void put_block(const struct measurement *m, const struct sampled_function *function,
                      const struct code *code, size_t position, struct json *array) {
  const struct block *block = &code->list.blocks[position];
  const char *module = m->samples.files[function->file].file->path;
  const struct measured_block *isolated = block_in_place_isolated(m, module, block->address);
  struct block_in_place place;
  uint64_t samples, time_ns;
  struct json *json = json_append(array, json_object_new());
  sum_up(function, block->address, block->bytes, &samples, &time_ns);
  block_in_place_read(m, &code->counted, position, block, samples, time_ns, isolated, &place);
  json_put_count(json, "address", block->address);
  json_put_count(json, "bytes", block->bytes);
  json_put_count(json, "instructions", counted_blocks_instructions(block));
  json_put_count(json, "samples", samples);
  block_in_place_json(&place, json);
  json_put_quantity(json, "isolated",
                    isolated ? isolated->cycles
                             : quantity_none(QUANTITY_UNSUPPORTED, "not measured in isolation"),
                    "cycles");
}

void annotate_code_json(const struct measurement *m, const struct sampled_function *function,
                        struct json *json) {
  struct code code;
  if (!read_code(m, function, &code)) {
    json_put_null(json, "instructions");
    json_put_null(json, "blocks");
    json_put_text(json, "instructions_reason", code.error.text);
  } else {
    struct json *array = json_put(json, "instructions", json_array_new());
    for (size_t i = 0; i < code.list.count; i++)
      put_instructions(function, &code.list.blocks[i], array);
    array = json_put(json, "blocks", json_array_new());
    for (size_t i = 0; i < code.list.count; i++)
      put_block(m, function, &code, i, array);
    json_put_null(json, "instructions_reason");
  }
  release_code(&code);
}
