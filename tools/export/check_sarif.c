// check_sarif.c - writes a check as SARIF 2.1.0, and as GitLab's Code Quality.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/export/check_forms.h"

#include "tools/ui/json.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define SCHEMA "https://json.schemastore.org/sarif-2.1.0.json"

static const char *const rule_texts[] = {
    [CHECK_REGRESSION] = "Executions take longer than the base's, beyond the limit.",
    [CHECK_INCONCLUSIVE] = "Whether executions take longer than the limit allows can't be told.",
};

static void put_message(struct json *object, const char *key, const char *text) {
  struct json *message = json_put(object, key, json_object_new());
  json_put_text(message, "text", text);
}

/// A path as a URI, relative or of the scheme "file".
static void put_uri(struct json *object, const char *path) {
  struct text uri = {0};
  if (*path == '/')
    text_add(&uri, "file://");
  for (; *path; path++)
    if ((*path >= 'a' && *path <= 'z') || (*path >= 'A' && *path <= 'Z') ||
        (*path >= '0' && *path <= '9') || strchr("/._-~+", *path))
      text_add_bytes(&uri, path, 1);
    else
      text_printf(&uri, "%%%02X", (unsigned char)*path);
  json_put_text(object, "uri", text_get(&uri));
  text_release(&uri);
}

/// What tells the same finding in the next run: the stable id; of the program, its verdict alone.
static void add_fingerprint(const struct check_row *row, struct text *out) {
  const struct profile_loop *loop = check_row_loop(row);
  text_printf(out, "%016" PRIx64 "-%s", loop ? loop->id : 0,
              check_verdict_name(row->judged.verdict));
}

static void add_message(const struct check_row *row, struct text *out) {
  char *name = check_row_name(row);
  text_printf(out, "%s: ", name);
  check_row_message(row, out);
  free(name);
}

/// Servers drop results without a place: what is of the whole program stands at its first loop.
static const struct check_row *placed(const struct check_result *result,
                                      const struct check_row *row) {
  for (size_t i = 0; !check_row_loop(row) && i < result->count; i++)
    if (result->rows[i].loop)
      return &result->rows[i];
  return row;
}

static void put_result(struct json *results, const struct check_result *all,
                       const struct check_row *row, const char *here) {
  const struct check_row *place = placed(all, row);
  const struct profile_loop *loop = check_row_loop(place);
  struct text message = {0}, fingerprint = {0};
  struct json *result = json_append(results, json_object_new());
  add_message(row, &message);
  add_fingerprint(row, &fingerprint);
  json_put_text(result, "ruleId", check_verdict_name(row->judged.verdict));
  json_put_text(result, "level", row->judged.verdict == CHECK_REGRESSION ? "error" : "warning");
  put_message(result, "message", text_get(&message));
  if (loop && *loop->file) {
    struct json *locations = json_put(result, "locations", json_array_new());
    struct json *location = json_append(locations, json_object_new());
    struct json *physical = json_put(location, "physicalLocation", json_object_new());
    put_uri(json_put(physical, "artifactLocation", json_object_new()), check_row_file(place, here));
    struct json *region = json_put(physical, "region", json_object_new());
    json_put_count(region, "startLine", loop->line ? loop->line : 1);
  }
  struct json *prints = json_put(result, "partialFingerprints", json_object_new());
  json_put_text(prints, "reticle/v1", text_get(&fingerprint));
  text_release(&message);
  text_release(&fingerprint);
}

bool check_sarif_write(const struct check_result *result, const char *here, FILE *stream) {
  static const enum check_verdict rules[] = {CHECK_REGRESSION, CHECK_INCONCLUSIVE};
  struct json *sarif = json_object_new();
  json_put_text(sarif, "$schema", SCHEMA);
  json_put_text(sarif, "version", "2.1.0");
  struct json *run = json_append(json_put(sarif, "runs", json_array_new()), json_object_new());
  struct json *driver =
      json_put(json_put(run, "tool", json_object_new()), "driver", json_object_new());
  json_put_text(driver, "name", "reticle");
  json_put_text(driver, "semanticVersion", RETICLE_VERSION);
  struct json *list = json_put(driver, "rules", json_array_new());
  for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
    struct json *rule = json_append(list, json_object_new());
    json_put_text(rule, "id", check_verdict_name(rules[i]));
    put_message(rule, "shortDescription", rule_texts[rules[i]]);
  }
  struct json *results = json_put(run, "results", json_array_new());
  for (size_t i = 0; i < result->count; i++)
    if (check_row_is_listed(&result->rows[i]) && !check_row_is_idle(result, &result->rows[i]))
      put_result(results, result, &result->rows[i], here);
  bool written = json_write(sarif, stream);
  json_free(sarif);
  return written;
}

bool check_quality_write(const struct check_result *result, const char *here, FILE *stream) {
  struct json *issues = json_array_new();
  for (size_t i = 0; i < result->count; i++) {
    const struct check_row *row = &result->rows[i];
    const struct check_row *place = placed(result, row);
    const struct profile_loop *loop = check_row_loop(place);
    if (!check_row_is_listed(row) || check_row_is_idle(result, row))
      continue;
    struct text message = {0}, fingerprint = {0};
    struct json *issue = json_append(issues, json_object_new());
    add_message(row, &message);
    add_fingerprint(row, &fingerprint);
    json_put_text(issue, "description", text_get(&message));
    json_put_text(issue, "check_name", check_verdict_name(row->judged.verdict));
    json_put_text(issue, "fingerprint", text_get(&fingerprint));
    json_put_text(issue, "severity", row->judged.verdict == CHECK_REGRESSION ? "major" : "info");
    struct json *location = json_put(issue, "location", json_object_new());
    json_put_text(location, "path", loop && *loop->file ? check_row_file(place, here) : ".");
    struct json *lines = json_put(location, "lines", json_object_new());
    json_put_count(lines, "begin", loop && loop->line ? loop->line : 1);
    text_release(&message);
    text_release(&fingerprint);
  }
  bool written = json_write(issues, stream);
  json_free(issues);
  return written;
}
