// loop_cause_json.c - writes stall causes, structs and remedy of one loop.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/render/json/loop/loop_cause_json.h"
#include "tools/model/loop/loop_cause.h"
#include "tools/model/loop/loop_sites.h"
#include "tools/render/json/block/stall_cause_json.h"
#include "tools/render/json/json_quantity.h"
#include "tools/render/json/loop/loop_sites_json.h"
#include "tools/render/json/struct/trials_json.h"

void loop_cause_json(const struct measurement *m, const struct measured_loop *loop,
                     struct json *json) {
  const struct loop_cause *cause = loop_cause_get(m, loop);
  struct text change = {0};
  stall_cause_json(cause->no_stall_causes ? NULL : &cause->tally, cause->no_stall_causes, json);
  struct json *structs = json_put(json, "structs", json_array_new());
  for (size_t i = 0; i < cause->struct_count; i++) {
    const struct loop_struct *s = &cause->structs[i];
    struct json *item = json_append(structs, json_object_new());
    json_put_text(item, "name", s->use->record->name);
    json_put_count(item, "accesses", s->accesses);
    json_put_text(item, "fields", s->fields);
    json_put_quantity(item, "useful_share", s->useful, "share");
    json_put_text_or_null(item, "advice", text_get(&s->advice));
    json_put_quantity(item, "gain", s->gain, "ratio");
    trials_json(&s->trial, loop->loop->id, item);
  }
  loop_sites_json(m, loop_sites_get(m, loop), json);
  loop_cause_change(m, loop, cause, &change);
  json_put_text_or_null(json, "change", text_get(&change));
  text_release(&change);
}
