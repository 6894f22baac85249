// check_json.c - writes verdict, program, loops and counts of a check.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/render/json/compare/check_json.h"

#include "tools/render/json/compare/diff_json.h"
#include "tools/render/json/json_quantity.h"

#include <inttypes.h>
#include <stdlib.h>

static void put_place(struct json *json, const struct diff_loop *of) {
  const struct profile_loop *loop = check_loop_shown(of);
  char *function = check_loop_name(of);
  char id[24];
  snprintf(id, sizeof id, "%016" PRIx64, loop->id);
  json_put_text(json, "id", id);
  json_put_text(json, "function", function);
  json_put_text(json, "linkage_name", loop->function);
  json_put_text(json, "file", loop->file);
  json_put_count(json, "line", loop->line);
  json_put_text(json, "unit", loop->flags & RETICLE_LOOP_ITERATION ? "iteration" : "execution");
  free(function);
}

static void put_row(struct json *json, const struct check_row *row) {
  json_put_text(json, "verdict", check_verdict_name(row->judged.verdict));
  json_put_text(json, "reason", row->judged.reason);
  json_put_quantity(json, "change", check_row_change(row), "share");
  json_put_quantity(json, "detectable", check_row_detectable(row), "share");
  json_put_quantity(json, "worth", check_row_worth(row), "share");
  struct told share = check_row_share(row);
  json_put_number(json, "share", share.value);
  json_put_bool(json, "share_is_least", share.is_least);
  json_put_number(json, "limit", row->limit);
  json_put_text_or_null(json, "budget", row->budget ? row->budget : "");
  if (row->runs_needed)
    json_put_count(json, "runs_needed", row->runs_needed);
  else
    json_put_null(json, "runs_needed");
}

static void put_ranges(struct json *json, const char *key, const struct line_range *ranges,
                       size_t count) {
  struct json *array = json_put(json, key, json_array_new());
  for (size_t i = 0; i < count; i++) {
    struct json *range = json_append(array, json_object_new());
    json_put_count(range, "first", ranges[i].first);
    json_put_count(range, "last", ranges[i].last);
  }
}

static void put_changed(struct json *check, const struct changed_lines *changed) {
  if (!changed) {
    json_put_null(check, "changed_lines");
    return;
  }
  struct json *json = json_put(check, "changed_lines", json_object_new());
  json_put_text_or_null(json, "unknown", changed->unknown ? changed->unknown : "");
  if (!changed->unknown) {
    json_put_count(json, "with_code", changed->with_code);
    json_put_count(json, "executed", changed->executed);
  }
  struct json *files = json_put(json, "files", json_array_new());
  for (size_t i = 0; i < changed->count; i++) {
    struct json *file = json_append(files, json_object_new());
    json_put_text(file, "file", changed->files[i].path);
    put_ranges(file, "changed", changed->files[i].ranges, changed->files[i].range_count);
    if (!changed->unknown)
      put_ranges(file, "not_executed", changed->files[i].missed, changed->files[i].missed_count);
  }
}

static void put_offset(struct json *json, const char *key, uint32_t offset) {
  if (offset == MEMBER_NONE)
    json_put_null(json, key);
  else
    json_put_count(json, key, offset);
}

static void put_layout(struct json *check, const struct counted_changes *counted) {
  struct json *layout = json_put(check, "layout", json_array_new());
  for (size_t i = 0; i < counted->struct_count; i++) {
    const struct moved_struct *moved = &counted->structs[i];
    struct json *json = json_append(layout, json_object_new());
    json_put_text(json, "struct", moved->name);
    json_put_count(json, "base_bytes", moved->bytes_a);
    json_put_count(json, "head_bytes", moved->bytes_b);
    struct json *fields = json_put(json, "fields", json_array_new());
    for (size_t k = 0; k < moved->count; k++) {
      struct json *field = json_append(fields, json_object_new());
      json_put_text(field, "name", moved->members[k].name);
      put_offset(field, "base_offset_bytes", moved->members[k].offset_a);
      put_offset(field, "head_offset_bytes", moved->members[k].offset_b);
    }
    struct json *parted = json_put(json, "parted", json_array_new());
    for (size_t k = 0; k < moved->parted_count; k++) {
      struct json *group = json_append(parted, json_object_new());
      json_put_text(group, "fields", text_get(&moved->parted[k].fields));
      json_put_text(group, "place", text_get(&moved->parted[k].place));
      json_put_count(group, "base_lines", moved->parted[k].lines_a);
      json_put_count(group, "head_lines", moved->parted[k].lines_b);
    }
  }
}

/// What wasn't counted has no layout, and says why.
static void put_counted(struct json *check, struct json *counts,
                        const struct counted_changes *counted) {
  const char *unknown = !counted ? "not counted" : counted->unknown ? counted->unknown : "";
  json_put_text_or_null(check, "counts_unknown", unknown);
  if (*unknown) {
    json_put_null(check, "layout");
    return;
  }
  for (size_t i = 0; i < counted->count; i++) {
    struct json *json = json_append(counts, json_object_new());
    json_put_text(json, "count", counted->counts[i].is_access ? "accesses" : "allocations");
    json_put_number(json, "base", counted->counts[i].a);
    json_put_number(json, "head", counted->counts[i].b);
    json_put_text(json, counted->counts[i].is_access ? "field" : "function",
                  counted->counts[i].name);
  }
  put_layout(check, counted);
}

static void put_functions(struct json *check, const struct function_changes *changes) {
  if (!changes->is_known) {
    json_put_null(check, "functions");
    return;
  }
  struct json *functions = json_put(check, "functions", json_array_new());
  for (size_t i = 0; i < changes->count; i++) {
    struct json *json = json_append(functions, json_object_new());
    json_put_text(json, "function", changes->items[i].name);
    json_put_number(json, "base_ns", changes->items[i].base_ns);
    json_put_number(json, "head_ns", changes->items[i].head_ns);
    json_put_quantity(json, "worth", changes->items[i].worth, "share");
  }
}

bool check_json_write(const struct check_result *result, const char *revision,
                      const struct changed_lines *changed, const struct counted_changes *counted,
                      FILE *stream) {
  struct json *check = json_object_new();
  json_put_text(check, "schema", "reticle-check/1");
  json_put_text(check, "verdict", check_verdict_name(result->verdict));
  json_put_text_or_null(check, "revision", revision);
  diff_side_put(check, "base", &result->comparison.a);
  diff_side_put(check, "head", &result->comparison.b);
  struct json *verdicts = json_put(check, "verdicts", json_object_new());
  for (size_t i = 0; i < CHECK_VERDICTS; i++)
    json_put_count(verdicts, check_verdict_name((enum check_verdict)i), result->verdicts[i]);
  json_put_null(check, "wall");
  struct json *loops = json_array_new();
  for (size_t i = 0; i < result->count; i++) {
    const struct check_row *row = &result->rows[i];
    const char *whole = check_row_is_wall(row) ? "wall" : "program";
    struct json *json = row->loop ? json_append(loops, json_object_new())
                                  : json_put(check, whole, json_object_new());
    if (row->loop)
      put_place(json, row->loop);
    put_row(json, row);
  }
  json_put(check, "loops", loops);
  put_functions(check, &result->functions);
  struct json *counts = json_put(check, "counts", json_array_new());
  for (size_t i = 0; i < result->count_count; i++) {
    struct json *json = json_append(counts, json_object_new());
    json_put_text(json, "count", "executions");
    json_put_number(json, "base", result->counts[i].a);
    json_put_number(json, "head", result->counts[i].b);
    put_place(json, result->counts[i].loop);
  }
  put_changed(check, changed);
  json_put_text_or_null(check, "output", check_output_name(result->output));
  put_counted(check, counts, counted);
  diff_warnings_put(check, &result->comparison);
  bool written = json_write(check, stream);
  json_free(check);
  return written;
}
