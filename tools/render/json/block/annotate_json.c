// annotate_json.c - writes a function's code and source lines, block by block.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/render/json/block/annotate_json.h"
#include "tools/model/block/function_code.h"
#include "tools/model/sample/source_lines.h"
#include "tools/model/stall/stall_tally.h"
#include "tools/render/json/block/stall_cause_json.h"
#include "tools/render/json/json_quantity.h"
#include "tools/render/json/json_section.h"

#include <stdlib.h>
#include <sys/stat.h>

static void put_instructions(const struct function_code *code, size_t position,
                             struct json *array) {
  const struct block *block = &code->list.blocks[position];
  const struct code_block *known = &code->blocks[position];
  for (size_t i = known->first; i < known->first + known->count; i++) {
    const struct code_instruction *instruction = &code->instructions[i];
    char line[256];
    function_code_text(block, instruction, line, sizeof(line));
    struct json *json = json_append(array, json_object_new());
    json_put_count(json, "address", instruction->address);
    json_put_count(json, "block", block->address);
    json_put_text(json, "text", line);
    json_put_count(json, "samples", instruction->samples);
    json_put_bool(json, "instrumentation", instruction->own);
    stall_cause_json_stall(code, position, i, json);
  }
}

static void put_block(const struct function_code *code, size_t position, struct json *array) {
  const struct block *block = &code->list.blocks[position];
  const struct code_block *known = &code->blocks[position];
  struct json *json = json_append(array, json_object_new());
  json_put_count(json, "address", block->address);
  json_put_count(json, "bytes", block->bytes);
  json_put_count(json, "instructions", counted_blocks_instructions(block));
  json_put_count(json, "samples", known->samples);
  json_put_columns(json, &section_in_place, NULL, &known->place);
  json_put_quantity(json, "isolated",
                    known->isolated
                        ? known->isolated->cycles
                        : quantity_none(QUANTITY_UNSUPPORTED, "not measured in isolation"),
                    "cycles");
  struct stall_tally tally = {0};
  if (code->tallies)
    tally = function_code_tally(code, position);
  stall_cause_json(code->tallies ? &tally : NULL, code->no_stall_causes, json);
}

static void put_tally(const struct function_code *code, struct json *json) {
  struct stall_tally sum = {0};
  struct stall_other own = {STALL_CAUSE_INSTRUMENTATION, function_code_own_ns(code)};
  if (code->tallies)
    sum = function_code_sum(code);
  if (!(stall_tally_total(&sum, &own, 1) > 0)) {
    json_put_null(json, "tally");
    json_put_text(json, "tally_reason",
                  code->tallies           ? "its samples stand for no CPU time"
                  : code->no_stall_causes ? code->no_stall_causes
                                          : "no samples in its blocks");
    return;
  }
  struct json *tally = json_put(json, "tally", json_object_new());
  json_put_text_or_null(tally, "culprit",
                        stall_tally_is_known(&sum) ? stall_cause_name(stall_cause_named(&sum))
                                                   : "");
  stall_cause_json_table(&sum, &own, 1, tally);
  json_put_null(json, "tally_reason");
}

void annotate_code_json(const struct function_code *code, struct json *json) {
  if (*code->error.text) {
    json_put_null(json, "instructions");
    json_put_null(json, "blocks");
    json_put_text(json, "instructions_reason", code->error.text);
  } else {
    struct json *array = json_put(json, "instructions", json_array_new());
    for (size_t i = 0; i < code->list.count; i++)
      put_instructions(code, i, array);
    array = json_put(json, "blocks", json_array_new());
    for (size_t i = 0; i < code->list.count; i++)
      put_block(code, i, array);
    json_put_null(json, "instructions_reason");
    put_tally(code, json);
  }
}

void annotate_source_json(const struct sampled_function *function, struct json *json) {
  size_t count;
  struct source_line *lines = source_lines_of(function, &count);
  struct json *array = json_put(json, "lines", json_array_new());
  for (size_t i = 0; i < count; i++) {
    struct json *line = json_append(array, json_object_new());
    json_put_text(line, "file", lines[i].file);
    json_put_count(line, "line", lines[i].number);
    json_put_count(line, "samples", lines[i].samples);
  }
  free(lines);
}
