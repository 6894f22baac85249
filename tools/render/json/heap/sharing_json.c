// sharing_json.c - writes shared lines with the words of each thread.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/render/json/heap/sharing_json.h"
#include "tools/model/heap/site_find.h"
#include "tools/model/heap/site_gap.h"
#include "tools/render/json/json_quantity.h"

#include <stdio.h>

enum { WORD_BYTES = 4 };

static void put_words(const struct profile_sharedline *line, struct json *into) {
  struct json *words = json_put(into, "words", json_array_new());
  for (unsigned i = 0; i < SHARING_LINE_WORDS; i++) {
    unsigned threads = sharing_threads(line, i);
    if (!((line->read | line->written) >> i & 1))
      continue;
    struct json *word = json_append(words, json_object_new());
    json_put_count(word, "position", WORD_BYTES * i);
    json_put_bool(word, "own", line->own >> i & 1);
    json_put_bool(word, "read", line->read >> i & 1);
    json_put_bool(word, "written", line->written >> i & 1);
    struct json *numbers = json_put(word, "threads", json_array_new());
    for (unsigned t = 0; t < RETICLE_SHADOW_THREADS; t++)
      if (threads >> t & 1)
        json_append_count(numbers, t + 1);
    json_put_bool(word, "other_threads", threads >> RETICLE_SHADOW_THREADS & 1);
  }
}

static void put_line(const struct measurement *m, const struct sharing_line *line,
                     struct json *lines) {
  const struct profile_sharedline *r = line->record;
  struct json *json = json_append(lines, json_object_new());
  size_t neighbour = r->neighbour ? site_rank(&m->sites, r->neighbour) : 0;
  char name[32] = "";
  json_put_text(json, "verdict", sharing_verdict_name(line->verdict));
  json_put_count(json, "offset", r->offset);
  json_put_count(json, "first_position", WORD_BYTES * (uint64_t)r->first);
  json_put_count(json, "lines", r->lines);
  json_put_count(json, "intervals", line->intervals);
  json_put_count(json, "intervals_apart", r->apart);
  json_put_count(json, "intervals_mixed", r->mixed);
  json_put_count(json, "intervals_common", r->common);
  json_put_count(json, "looks", r->looks);
  json_put_quantity(json, "met", line->met, "share");
  json_put_bool(json, "seldom", line->is_seldom);
  if (neighbour)
    snprintf(name, sizeof name, "A%zu", neighbour);
  json_put_text_or_null(json, "neighbour", name);
  put_words(r, json);
}

void sharing_json_put(const struct measurement *m, const struct site_use *use, struct json *site) {
  if (!m->sharing.measured) {
    json_put_null(site, "shared_lines");
    return;
  }
  struct json *lines = json_put(site, "shared_lines", json_array_new());
  for (size_t i = 0; i < m->sharing.count; i++)
    if (m->sharing.lines[i].record->site == use->record->id)
      put_line(m, &m->sharing.lines[i], lines);
}

void sharing_json_put_coverage(const struct measurement *m, struct json *report) {
  const struct sharing *s = &m->sharing;
  struct json *coverage = json_put(report, "sharing_coverage", json_object_new());
  json_put_bool(coverage, "measured", s->measured && !*site_gap(m));
  json_put_text_or_null(coverage, "reason", sharing_gap(m));
  json_put_count(coverage, "threads", s->threads);
  json_put_quantity(coverage, "look", s->look, "ns");
  json_put_count(coverage, "lines_lost", s->lines_lost);
  json_put_count(coverage, "object_files", s->told);
  json_put_count(coverage, "object_files_without", s->untold);
}
