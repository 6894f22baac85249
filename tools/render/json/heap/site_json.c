// site_json.c - writes sites with stacks, words, types and waste.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/render/json/heap/site_json.h"
#include "tools/model/heap/site_find.h"
#include "tools/model/heap/site_gap.h"
#include "tools/render/json/heap/sharing_json.h"
#include "tools/render/json/json_section.h"

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

static void put_site(const struct measurement *m, size_t i, struct json *sites) {
  const struct site_use *use = &m->sites.sites[i];
  struct json *site = json_append(sites, json_object_new());
  json_put_columns(site, &section_sites, m, use);
  put_stack(m, use, site);
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
