// site_json.c - writes sites with stacks, words, types and waste.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/render/json/site_json.h"
#include "tools/model/site_find.h"
#include "tools/model/site_gap.h"
#include "tools/model/site_type.h"
#include "tools/render/json/json_quantity.h"
#include "tools/render/json/sharing_json.h"

static void put_stack(const struct measurement *m, const struct site_use *use, struct json *site) {
  struct json *stack = json_put(site, "stack", json_array_new());
  struct site_caller *callers;
  size_t count = site_callers(&m->site_names, use, &callers);
  for (size_t i = 0; i < count; i++) {
    struct json *json = json_append(stack, json_object_new());
    json_put_text(json, "function", callers[i].function);
    json_put_text(json, "file", callers[i].file);
    json_put_count(json, "line", callers[i].line);
  }
  site_callers_free(callers, count);
}

/// Reads and writes: null where they weren't told apart.
static void put_words(const struct site_use *use, bool has_kinds, struct json *site) {
  struct json *words = json_put(site, "words", json_array_new());
  for (size_t i = 0; i < use->word_count; i++) {
    struct json *json = json_append(words, json_object_new());
    json_put_count(json, "offset", 4 * (uint64_t)use->words[i].word);
    json_put_count(json, "objects", use->words[i].objects);
    json_put_count(json, "heat", use->words[i].heat);
    if (has_kinds) {
      json_put_count(json, "reads", use->words[i].reads);
      json_put_count(json, "writes", use->words[i].writes);
    } else {
      json_put_null(json, "reads");
      json_put_null(json, "writes");
    }
  }
}

static void put_type(const struct measurement *m, const struct site_use *use, struct json *site) {
  struct site_type type = site_type_find(m, use);
  struct text name = {0};
  site_type_add_name(&type, &name);
  if (type.status == SITE_TYPE_UNKNOWN)
    json_put_null(site, "type");
  else
    json_put_text(site, "type", text_get(&name));
  json_put_text_or_null(site, "type_reason", type.reason);
  text_release(&name);
}

static void put_site(const struct measurement *m, size_t i, struct json *sites) {
  const struct site_use *use = &m->sites.sites[i];
  const struct profile_site *record = use->record;
  struct json *site = json_append(sites, json_object_new());
  struct text text = {0};
  text_printf(&text, "A%zu", i + 1);
  json_put_text(site, "id", text_get(&text));
  text_clear(&text);
  text_printf(&text, "%016llx", (unsigned long long)record->id);
  json_put_text(site, "stable_id", text_get(&text));
  text_clear(&text);
  json_put_text(site, "kind", site_kind_name(record->kind));
  site_add_name(m, use, &text);
  json_put_text(site, "name", text_get(&text));
  text_release(&text);
  put_stack(m, use, site);
  put_type(m, use, site);
  json_put_count(site, "objects", record->objects);
  json_put_number(site, "objects_error", use->objects_error);
  json_put_count(site, "live_objects", record->live_objects);
  json_put_count(site, "touched_objects", record->touched_objects);
  json_put_count(site, "bytes", record->bytes);
  json_put_count(site, "peak_bytes", record->peak_bytes);
  json_put_count(site, "min_bytes", record->min_bytes);
  json_put_count(site, "max_bytes", record->max_bytes);
  json_put_quantity(site, "lifetime", use->lifetime_ns, "ns");
  json_put_quantity(site, "useful_share", use->useful_share, "share");
  json_put_quantity(site, "ever_share", use->ever_share, "share");
  json_put_quantity(site, "wasted_bytes", use->wasted_bytes, "bytes");
  if (use->stride_bytes) {
    json_put_count(site, "stride_bytes", use->stride_bytes);
    json_put_count(site, "stride_used_bytes", use->stride_used_bytes);
  } else {
    json_put_null(site, "stride_bytes");
    json_put_null(site, "stride_used_bytes");
  }
  json_put_quantity(site, "unread_bytes", use->unread_bytes, "bytes");
  put_words(use, m->sharing.measured, site);
  sharing_json_put(m, use, site);
}

void site_json_put(const struct measurement *m, size_t only, struct json *report) {
  struct json *sites = json_put(report, "sites", json_array_new());
  for (size_t i = 0; !*site_gap(m) && i < m->sites.count; i++)
    if (!only || i + 1 == only)
      put_site(m, i, sites);
  struct json *coverage = json_put(report, "site_coverage", json_object_new());
  json_put_bool(coverage, "marked", m->sites.marked);
  json_put_text_or_null(coverage, "reason", site_gap(m));
  json_put_count(coverage, "samples", m->sites.samples);
  json_put_number_or_null(coverage, "scan_share", m->sites.scan_share);
  json_put_number_or_null(coverage, "marked_share",
                          m->sites.code_all
                              ? (double)m->sites.code_marked / (double)m->sites.code_all
                              : __builtin_nan(""));
  sharing_json_put_coverage(m, report);
  // Without bursts the program marks all the time.
  json_put_number(coverage, "duty", m->sites.in_bursts ? m->sites.duty : 1);
  if (m->sites.in_bursts)
    json_put_count(coverage, "bursts", m->sites.bursts);
  else
    json_put_null(coverage, "bursts");
  json_put_number_or_null(coverage, "burst_share", m->sites.burst_share);
  json_put_count(coverage, "objects_every", m->sites.every);
  json_put_number_or_null(coverage, "copied_share",
                          m->sites.code_marked
                              ? (double)m->sites.code_copied / (double)m->sites.code_marked
                              : __builtin_nan(""));
}
