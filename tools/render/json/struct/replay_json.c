// replay_json.c - writes gain, memory times and what they rest on.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/render/json/struct/replay_json.h"

#include "tools/render/json/json_quantity.h"

bool replay_show_json(const struct replay_result *r) {
  struct json *json = json_object_new();
  json_put_text(json, "schema", "reticle-replay/1");
  json_put_text(json, "struct", r->structure);
  json_put_text(json, "change", r->change);
  json_put_text(json, "proof", "replayed");
  json_put_text(json, "verdict", paired_verdict_name(r->verdict));
  json_put_quantity(json, "gain", r->speedup, "ratio");
  json_put_bool(json, "gain_is_least", r->is_least);
  json_put_quantity(json, "memory_gain", r->memory.gain, "ratio");
  json_put_number_or_null(json, "tells", r->memory.detectable);
  json_put_number(json, "as_written_ns", r->written_ns);
  json_put_number(json, "changed_ns", r->changed_ns);
  json_put_number_or_null(json, "list_ns", r->list_ns);
  json_put_number_or_null(json, "program_visit_ns", r->program_visit_ns);
  json_put_number_or_null(json, "program_visit_instructions", r->program_visit_instructions);
  json_put_number(json, "branch_share", r->branch_share);
  json_put_count(json, "pairs", r->pairs);
  json_put_count(json, "visits", r->visits);
  json_put_count(json, "windows", r->windows);
  json_put_number_or_null(json, "elements", r->elements);
  json_put_count(json, "elements_seen", r->elements_seen);
  json_put_number(json, "as_written_bytes", r->written_bytes);
  json_put_number(json, "changed_bytes", r->changed_bytes);
  json_put_number_or_null(json, "coverage", r->coverage);
  json_put_number_or_null(json, "program_s", r->program_ns * 1e-9);
  json_put_number_or_null(json, "memory_share", r->memory_share);
  json_put_number_or_null(json, "code_share", r->loops_share);
  bool fine = json_write(json, stdout);
  json_free(json);
  return fine;
}
