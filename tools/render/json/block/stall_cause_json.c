// stall_cause_json.c - writes the stall cause of an instruction, its reasons, and tallies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/render/json/block/stall_cause_json.h"
#include "tools/model/stall/stall_tally.h"

#include <string.h>

static void put_ranges(const struct stall_tally *t, double all, struct json *json) {
  enum stall_cause ranked[STALL_CAUSES];
  size_t count = stall_cause_rank(t, ranked);
  struct json *array = json_put(json, "culprits", json_array_new());
  for (size_t i = 0; i < count; i++) {
    struct json *culprit = json_append(array, json_object_new());
    json_put_text(culprit, "reason", stall_cause_name(ranked[i]));
    json_put_text(culprit, "group", stall_group_name(stall_group_of(ranked[i])));
    json_put_number(culprit, "low", t->causes[ranked[i]].low / all);
    json_put_number(culprit, "high", t->causes[ranked[i]].high / all);
  }
}

void stall_cause_json_table(const struct stall_tally *t, const struct stall_other *others,
                            size_t count, struct json *json) {
  struct stall_tally_part parts[STALL_TALLY_PARTS];
  double all = stall_tally_total(t, others, count), sum = 0;
  stall_tally_parts(t, parts);
  for (size_t i = 0; i < STALL_TALLY_PARTS; i++) {
    sum += parts[i].time;
    json_put_number(json, parts[i].key, parts[i].time / all);
  }
  json_put_number(json, "unexplained_stall", t->unexplained / all);
  struct json *array = json_put(json, "others", json_array_new());
  for (size_t i = 0; i < count; i++) {
    sum += others[i].time;
    if (strcmp(others[i].name, STALL_CAUSE_INSTRUMENTATION) == 0)
      json_put_number(json, "instrumentation", others[i].time / all);
    struct json *other = json_append(array, json_object_new());
    json_put_text(other, "name", others[i].name);
    json_put_number(other, "share", others[i].time / all);
  }
  json_put_number(json, "total", sum / all);
  put_ranges(t, all, json);
}

void stall_cause_json(const struct stall_tally *t, const char *reason, struct json *json) {
  if (!t || !stall_tally_is_known(t)) {
    json_put_null(json, "culprits");
    json_put_null(json, "culprit");
    json_put_text(json, "culprits_reason",
                  reason                  ? reason
                  : t && t->uncounted > 0 ? "no cycles of the block in place"
                                          : "no samples");
    return;
  }
  put_ranges(t, t->time, json);
  json_put_text(json, "culprit", stall_cause_name(stall_cause_named(t)));
  json_put_null(json, "culprits_reason");
}

void stall_cause_json_stall(const struct function_code *code, size_t block, size_t instruction,
                            struct json *json) {
  const struct quantity *cycles = &code->blocks[block].place.cycles.cycles;
  json_put_number(json, "blamed", code->instructions[instruction].blamed_samples);
  if (!code->stalls || cycles->status != QUANTITY_OK || !(code->tallies[block].time > 0)) {
    json_put_null(json, "stall_cycles");
    json_put_null(json, "suspects");
    return;
  }
  char letters[STALL_CAUSES + 2];
  const struct instruction_stall *stall = &code->stalls[instruction];
  json_put_number(json, "stall_cycles", function_code_stall_cycles(code, block, instruction));
  stall_cause_letters(stall->suspects, letters);
  json_put_text(json, "suspects", stall->time > 0 ? letters : "");
}
