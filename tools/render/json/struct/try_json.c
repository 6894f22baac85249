// try_json.c - writes times, interval and verdict of a trial.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/render/json/struct/try_json.h"
#include "tools/render/json/json_quantity.h"

static void put_times(struct json *json, const char *key, const struct try_side *side) {
  struct json *list = json_put(json, key, json_array_new());
  for (size_t i = 0; i < side->count; i++) {
    struct json *run = json_append(list, json_object_new());
    json_put_number(run, "wall_s", side->wall[i]);
    json_put_number(run, "cpu_s", side->cpu[i]);
  }
}

bool try_show_json(const char *structure, const struct try_side *written,
                   const struct try_side *changed, const struct paired *paired) {
  struct json *json = json_object_new();
  json_put_text(json, "schema", "reticle-try/1");
  json_put_text(json, "struct", structure);
  json_put_text(json, "verdict", paired_verdict_name(paired->verdict));
  json_put_quantity(json, "gain", paired->gain, "ratio");
  json_put_number_or_null(json, "tells", paired->detectable);
  json_put_text(json, "clock", try_side_by_wall(written, changed) ? "wall" : "cpu");
  json_put_count(json, "pairs", written->count);
  if (written->builds)
    json_put_count(json, "builds", written->builds);
  put_times(json, "as_written", written);
  put_times(json, "changed", changed);
  bool fine = json_write(json, stdout);
  json_free(json);
  return fine;
}
