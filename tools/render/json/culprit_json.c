// culprit_json.c - writes the stall cause of an instruction, its reasons, and tallies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/render/json/culprit_json.h"
#include "tools/model/culprit_tally.h"

static void put_ranges(const struct culprit_tally *t, double all, struct json *json) {
  enum culprit_reason ranked[CULPRIT_REASONS];
  size_t count = culprit_rank(t, ranked);
  struct json *array = json_put(json, "culprits", json_array_new());
  for (size_t i = 0; i < count; i++) {
    struct json *culprit = json_append(array, json_object_new());
    json_put_text(culprit, "reason", culprit_name(ranked[i]));
    json_put_text(culprit, "group", culprit_group_name(culprit_group_of(ranked[i])));
    json_put_number(culprit, "low", t->reasons[ranked[i]].low / all);
    json_put_number(culprit, "high", t->reasons[ranked[i]].high / all);
  }
}

void culprit_show_json_table(const struct culprit_tally *t, const struct culprit_other *others,
                             size_t count, struct json *json) {
  struct culprit_part parts[CULPRIT_PARTS];
  double all = culprit_total(t, others, count), sum = 0;
  culprit_parts(t, parts);
  for (size_t i = 0; i < CULPRIT_PARTS; i++) {
    sum += parts[i].time;
    json_put_number(json, parts[i].key, parts[i].time / all);
  }
  json_put_number(json, "unexplained_stall", t->unexplained / all);
  struct json *array = json_put(json, "others", json_array_new());
  for (size_t i = 0; i < count; i++) {
    sum += others[i].time;
    struct json *other = json_append(array, json_object_new());
    json_put_text(other, "name", others[i].name);
    json_put_number(other, "share", others[i].time / all);
  }
  json_put_number(json, "total", sum / all);
  put_ranges(t, all, json);
}

void culprit_show_json(const struct culprit_tally *t, const char *reason, struct json *json) {
  if (!t || !culprit_tally_is_known(t)) {
    json_put_null(json, "culprits");
    json_put_null(json, "culprit");
    json_put_text(json, "culprits_reason",
                  reason                  ? reason
                  : t && t->uncounted > 0 ? "no cycles of the block in place"
                                          : "no samples");
    return;
  }
  put_ranges(t, t->time, json);
  json_put_text(json, "culprit", culprit_name(culprit_named(t)));
  json_put_null(json, "culprits_reason");
}

void culprit_show_json_stall(const struct function_code *code, size_t block, size_t instruction,
                             struct json *json) {
  const struct quantity *cycles = &code->blocks[block].place.cycles.cycles;
  json_put_number(json, "blamed", code->instructions[instruction].blamed_samples);
  if (!code->stalls || cycles->status != QUANTITY_OK || !(code->tallies[block].time > 0)) {
    json_put_null(json, "stall_cycles");
    json_put_null(json, "suspects");
    return;
  }
  char letters[CULPRIT_REASONS + 2];
  const struct culprit_stall *stall = &code->stalls[instruction];
  json_put_number(json, "stall_cycles", cycles->value * stall->time / code->tallies[block].time);
  culprit_letters(stall->suspects, letters);
  json_put_text(json, "suspects", stall->time > 0 ? letters : "");
}
