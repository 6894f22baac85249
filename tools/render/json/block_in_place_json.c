// block_in_place_json.c - writes a block's cycles in place and in isolation, and their gap.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/render/json/block_in_place_json.h"
#include "tools/render/json/json_quantity.h"

void block_in_place_json(const struct block_in_place *place, struct json *json) {
  if (place->reason)
    json_put_null(json, "executions");
  else
    json_put_count(json, "executions", place->executions);
  json_put_text_or_null(json, "executions_reason",
                        place->reason   ? place->reason
                        : place->shared ? "threads shared counters: may be too low"
                                        : "");
  json_put_quantity(json, "in_situ", place->cycles.cycles, "cycles");
  json_put_quantity(json, "cpi", place->cycles.cpi, "cycles/instruction");
  json_put_quantity(json, "gap", place->cycles.gap, "ratio");
  json_put_text(json, "confidence", block_confidence_name(place->cycles.confidence));
}
