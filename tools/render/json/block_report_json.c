// block_report_json.c - writes the array of measured blocks.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/render/json/block_report_json.h"
#include "tools/model/measured_block.h"
#include "tools/render/json/block_in_place_json.h"
#include "tools/render/json/culprit_json.h"
#include "tools/render/json/json_quantity.h"

void block_report_json(const struct measurement *m, size_t only, struct json *report) {
  struct json *blocks = json_put(report, "blocks", json_array_new());
  for (size_t i = 0; i < m->block_count; i++) {
    const struct measured_block *block = &m->blocks[i];
    const struct profile_block *record = block->block;
    if (only && block->rank != only)
      continue;
    struct json *json = json_append(blocks, json_object_new());
    struct text id = {0};
    text_printf(&id, "B%zu", block->rank);
    json_put_text(json, "id", text_get(&id));
    text_clear(&id);
    if (block->loop)
      text_printf(&id, "L%zu", block->loop->rank);
    json_put_text_or_null(json, "loop", text_get(&id));
    text_release(&id);
    json_put_text(json, "function", record->function);
    json_put_text(json, "module", record->module);
    json_put_text(json, "file", record->file);
    json_put_count(json, "line", record->line);
    json_put_count(json, "address", record->address);
    json_put_count(json, "offset", record->offset);
    json_put_count(json, "instructions", record->instructions);
    json_put_text(json, "code", record->code);
    json_put_quantity(json, "isolated", block->cycles, "cycles");
    block_in_place_json(&block->place, json);
    culprit_show_json(block->tally.time > 0 ? &block->tally : NULL, block->no_culprits, json);
    if (block->is_sampled)
      json_put_count(json, "samples", block->samples);
    else
      json_put_null(json, "samples");
    json_put_quantity(json, "share", measured_block_share(m, block), "share");
    json_put_text(json, "status", record->status);
    if (record->rounds && record->accepted_permille <= 1000)
      json_put_number(json, "accepted", record->accepted_permille / 1000.0);
    else
      json_put_null(json, "accepted");
  }
}
