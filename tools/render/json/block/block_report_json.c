// block_report_json.c - writes the array of measured blocks.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/render/json/block/block_report_json.h"
#include "tools/render/json/block/stall_cause_json.h"
#include "tools/render/json/json_section.h"

void block_report_json(const struct measurement *m, size_t only, struct json *report) {
  struct json *blocks = json_put(report, "blocks", json_array_new());
  for (size_t i = 0; i < m->block_count; i++) {
    const struct measured_block *block = &m->blocks[i];
    if (only && block->rank != only)
      continue;
    struct json *json = json_append(blocks, json_object_new());
    json_put_columns(json, &section_blocks, m, block);
    stall_cause_json(block->tally.time > 0 ? &block->tally : NULL, block->no_stall_causes, json);
  }
}
