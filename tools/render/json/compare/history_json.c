// history_json.c - writes each series: what it is of, its checks, its changes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/render/json/compare/history_json.h"

#include "tools/ui/json.h"

#include <math.h>

static void put_check(struct json *json, const struct history_check *check) {
  json_put_count(json, "at_ns", check->at_ns);
  json_put_text_or_null(json, "revision", check->revision);
  json_put_text_or_null(json, "base", check->base);
}

static void put_points(struct json *json, const struct history_series *series) {
  struct json *points = json_put(json, "checks", json_array_new());
  for (size_t i = 0; i < series->count; i++) {
    const struct history_level *level = &series->points[i].level;
    struct json *point = json_append(points, json_object_new());
    put_check(point, &series->points[i].check);
    json_put_count(point, "runs", series->points[i].check.runs);
    json_put_number_or_null(point, "base_ns", level->base_ns);
    json_put_number(point, "head_ns", level->head_ns);
    json_put_number_or_null(point, "change", level->change);
    json_put_number_or_null(point, "low", level->low);
    json_put_number_or_null(point, "high", level->high);
    json_put_text(point, "verdict", level->verdict);
  }
}

static void put_changes(struct json *json, const struct history_series *series) {
  struct json *changes = json_put(json, "changes", json_array_new());
  for (size_t i = 0; i < series->change_count; i++) {
    const struct change_point *change = &series->changes[i];
    struct json *object = json_append(changes, json_object_new());
    put_check(object, history_changed_at(series, change));
    json_put_count(object, "index", change->at);
    json_put_number(object, "before_ns", exp(change->before));
    json_put_number(object, "after_ns", exp(change->after));
    json_put_number(object, "change", change_point_share(change));
  }
}

bool history_json_write(const struct history *history, FILE *stream) {
  struct json *json = json_object_new();
  json_put_text(json, "schema", "reticle-history/1");
  json_put_count(json, "checks", history->points.checks);
  struct json *array = json_put(json, "series", json_array_new());
  for (size_t i = 0; i < history->count; i++) {
    const struct history_series *series = &history->series[i];
    const struct history_point *latest = &series->points[series->count - 1];
    struct json *object = json_append(array, json_object_new());
    json_put_text(object, "program", latest->check.program);
    json_put_text_or_null(object, "id", latest->level.id);
    json_put_text(object, "function", latest->level.name);
    json_put_text_or_null(object, "file", latest->level.file);
    json_put_count(object, "line", latest->level.line);
    json_put_text(object, "unit", latest->level.unit);
    json_put_text(object, "machine", latest->check.machine);
    put_changes(object, series);
    put_points(object, series);
  }
  bool written = json_write(json, stream);
  json_free(json);
  return written;
}
