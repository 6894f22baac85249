// loop_sites_json.c - writes the array of sites that one loop touches.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/render/json/loop/loop_sites_json.h"
#include "tools/model/heap/site_find.h"
#include "tools/model/loop/loop_sites.h"
#include "tools/render/json/json_quantity.h"

void loop_sites_json(const struct measurement *m, const struct loop_sites *sites,
                     struct json *json) {
  struct json *list = json_put(json, "sites", json_array_new());
  json_put_text_or_null(json, "sites_reason", sites->reason ? sites->reason : "");
  for (size_t i = 0; !sites->reason && i < sites->count; i++) {
    const struct loop_site *s = &sites->sites[i];
    struct json *item = json_append(list, json_object_new());
    struct text text = {0};
    text_printf(&text, "A%zu", s->rank);
    json_put_text(item, "id", text_get(&text));
    text_clear(&text);
    site_add_name(m, s->use, &text);
    json_put_text(item, "name", text_get(&text));
    text_release(&text);
    json_put_count(item, "samples", s->samples);
    json_put_number(item, "share", (double)s->samples / (double)sites->samples);
    json_put_quantity(item, "useful_share", s->use->useful_share, "share");
  }
}
