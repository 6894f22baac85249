// topdown_json.c - writes the tree of each loop, node by node.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/render/json/loop/topdown_json.h"
#include "tools/model/topdown/topdown_view.h"
#include "tools/render/json/json_quantity.h"

static void put_loop(const struct topdown_view *view, const struct topdown_loop *loop,
                     struct json *loops) {
  struct json *json = json_append(loops, json_object_new());
  struct text id = {0};
  text_printf(&id, "L%zu", loop->loop->rank);
  json_put_text(json, "id", text_get(&id));
  text_release(&id);
  json_put_text_or_null(json, "reason", loop->reason ? loop->reason : "");
  if (!view->is_estimate)
    json_put_number_or_null(json, "level1_sum", loop->result.level1_sum);
  json_put_bool(json, "sum_is_off", loop->result.is_sum_off);
  json_put_text_or_null(json, "bound_by",
                        loop->leaf == SIZE_MAX ? "" : view->tree->nodes[loop->leaf].name);
  json_put_text_or_null(json, "hint",
                        loop->leaf == SIZE_MAX ? "" : view->tree->nodes[loop->leaf].hint);
  json_put_text_or_null(json, "file", loop->source ? loop->source : "");
  if (loop->line)
    json_put_count(json, "line", loop->line);
  else
    json_put_null(json, "line");
  struct json *nodes = json_put(json, "buckets", json_array_new());
  for (size_t i = 0; i < view->tree->node_count && !loop->reason; i++) {
    const struct topdown_node *node = &view->tree->nodes[i];
    struct json *bucket = json_append(nodes, json_object_new());
    json_put_text(bucket, "name", node->name);
    json_put_text_or_null(bucket, "parent", node->parent);
    json_put_text(bucket, "of", node->domain == TOPDOWN_SLOTS ? "slots" : "cycles");
    json_put_bool(bucket, "estimate", view->is_estimate);
    json_put_bool(bucket, "above_threshold", loop->result.nodes[i].is_large);
    json_put_quantity(bucket, "share", loop->result.nodes[i].share, "share");
  }
}

static const char *state_name(enum topdown_state state) {
  switch (state) {
  case TOPDOWN_COUNTED:
    return "counted";
  case TOPDOWN_NOT_ASKED:
    return "not_asked";
  case TOPDOWN_MIXED:
    return "mixed";
  case TOPDOWN_UNKNOWN_TREE:
    return "unknown_tree";
  case TOPDOWN_DENIED:
    return "denied";
  case TOPDOWN_TOO_MANY:
    return "too_few_counters";
  case TOPDOWN_HELD:
    return "held";
  case TOPDOWN_UNREADABLE:
    return "unreadable";
  case TOPDOWN_INCONSISTENT:
    return "lying";
  case TOPDOWN_SHORT:
    return "too_short";
  case TOPDOWN_NO_VISITS:
    return "no_visits";
  }
  return "unknown";
}

void topdown_view_json(const struct measurement *m, const struct topdown_view *view,
                       struct json *report) {
  struct json *json = json_put(report, "topdown", json_object_new());
  struct text state = {0};
  topdown_view_add_state(m, view, &state);
  json_put_text(json, "state", state_name(view->run.state));
  json_put_text(json, "text", text_get(&state));
  text_release(&state);
  json_put_bool(json, "estimate", view->is_estimate);
  json_put_bool(json, "fake", view->run.is_fake);
  json_put_text_or_null(json, "tree", view->tree ? view->tree->name : "");
  json_put_count(json, "executions", view->run.visits);
  json_put_count(json, "dropped", view->run.dropped);
  struct json *loops = json_put(json, "loops", json_array_new());
  for (size_t i = 0; i < view->loop_count; i++)
    put_loop(view, &view->loops[i], loops);
}
