// loop_bound_json.c - what memory costs a loop, measured on copies of it, as JSON.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/render/json/loop/loop_bound_json.h"

#include "tools/model/bound/loop_bound.h"
#include "tools/render/json/json_quantity.h"

void loop_bound_json(const struct measurement *m, const struct measured_loop *loop,
                     struct json *json) {
  struct bound_cost cost;
  if (!loop_bound_get(m, loop, &cost))
    return;
  struct json *bound = json_put(json, "bound", json_object_new());
  json_put_count(bound, "entries", cost.entries);
  json_put_text_or_null(bound, "reason", cost.reason ? cost.reason : "");
  if (cost.reason)
    return;
  json_put_quantity(bound, "memory", cost.memory, "share");
  json_put_quantity(bound, "loads", cost.loads, "share");
  json_put_quantity(bound, "stores", cost.stores, "share");
  json_put_quantity(bound, "as_is", cost.as_is_ns, "ns");
  json_put_quantity(bound, "first_cache", cost.first_ns, "ns");
  json_put_quantity(bound, "second_cache", cost.second_ns, "ns");
}
