// layout_json.c - writes order, groups and gain of an advised layout.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/render/json/struct/layout_json.h"
#include "tools/model/struct/layout_visible.h"
#include "tools/render/json/json_quantity.h"

#include <math.h>

/// A field belongs to a loop's group if so much of the visits touch it.
#define GROUP_SHARE 0.05

static void put_names(struct json *json, const char *key, const struct struct_advice *a,
                      const size_t *order, const bool *only) {
  struct json *names = json_put(json, key, json_array_new());
  for (size_t i = 0; i < a->item_count; i++) {
    size_t item = order ? order[i] : i;
    for (size_t k = 0; (!only || only[item]) && k < a->items[item].count; k++)
      json_append_text(names, a->items[item].first[k].name);
  }
}

static void put_groups(const struct struct_advice *a, struct json *json) {
  struct json *groups = json_put(json, "groups", json_array_new());
  for (size_t i = 0; i < a->loop_count; i++) {
    const struct advice_loop *l = &a->loops[i];
    struct json *group = json_append(groups, json_object_new());
    struct text text = {0};
    struct json *names = json_put(group, "fields", json_array_new());
    for (size_t k = 0; k < a->item_count; k++)
      for (size_t n = 0; l->share[k] >= GROUP_SHARE && n < a->items[k].count; n++)
        json_append_text(names, a->items[k].first[n].name);
    text_printf(&text, "%016llx", (unsigned long long)l->loop->loop);
    json_put_text_or_null(group, "loop", l->loop->loop ? text_get(&text) : "");
    text_clear(&text);
    struct_loop_add_place(l->loop, &text);
    json_put_text(group, "place", text_get(&text));
    json_put_text(group, "exposure", exposure_name(l->walk.exposure));
    json_put_bool(group, "in_row",
                  !l->walk.stays && element_exposure(&l->walk) != l->walk.exposure);
    json_put_bool(group, "stays", l->walk.stays);
    json_put_number(group, "visits", l->walk.visits);
    json_put_count(group, "reads", l->loop->reads);
    json_put_count(group, "writes", l->loop->writes);
    text_release(&text);
  }
}

static void put_advice(const struct struct_advice *a, const struct advice *advice,
                       struct json *list) {
  if (advice->kind == ADVICE_NONE)
    return;
  struct json *json = json_append(list, json_object_new());
  bool parts = advice->kind != ADVICE_ORDER;
  json_put_text(json, "kind", advice_kind_name(advice->kind));
  put_names(json, "fields", a, parts ? NULL : a->best.order, parts ? a->is_hot : NULL);
  json_put_quantity(json, "gain", advice->gain, "ratio");
  json_put_number_or_null(json, "lines", advice->lines);
  json_put_bool(json, "estimate", parts);
  json_put_text_or_null(json, "method", parts ? "" : layout_method_name(a->best.method));
  json_put_bool(json, "bounded", a->is_bounded);
  json_put_bool(json, "copy", parts && a->is_copy);
  json_put_number_or_null(json, "objects", a->count.elements);
}

void layout_json_put(const struct struct_advice *a, struct json *json) {
  json_put_quantity(json, "useful_share", a->useful, "share");
  json_put_number_or_null(json, "lines_a_visit", a->lines_now);
  put_groups(a, json);
  struct json *list = json_put(json, "advice", json_array_new());
  bool order_first = a->order.rank > a->parts.rank;
  put_advice(a, order_first ? &a->order : &a->parts, list);
  put_advice(a, order_first ? &a->parts : &a->order, list);
  if (*a->reason) {
    struct json *none = json_append(list, json_object_new());
    json_put_text(none, "kind", "none");
    json_put(none, "fields", json_array_new());
    json_put_quantity(none, "gain", quantity_of(1, 1, 1), "ratio");
    json_put_text(none, "reason", a->reason);
    json_put_bool(none, "bounded", a->is_bounded);
    json_put_number_or_null(none, "objects", a->count.elements);
  }
  json_put_number(json, "rank", fmax(a->order.rank, a->parts.rank));
  struct json *visible = json_put(json, "visible", json_array_new());
  for (size_t i = 0; i < LAYOUT_VISIBLE; i++)
    if (a->use->record->flags & layout_visible[i].flag)
      json_append_text(visible, layout_visible[i].code);
}

void layout_json_put_replay(const struct known_trial *replay, struct json *json) {
  if (!replay->trial)
    return;
  struct json *put = json_put(json, "replay", json_object_new());
  json_put_text(put, "change", replay->trial->change);
  json_put_text(put, "verdict", trial_verdict_name(replay->trial->verdict));
  json_put_quantity(put, "gain", trial_gain(replay->trial), "ratio");
  json_put_count(put, "pairs", replay->trial->pairs);
  json_put_text(put, "state", trial_state_name(replay->state));
}

void layout_json_put_sharing(const struct struct_sharing *sharing, struct json *json) {
  if (!sharing->line) {
    json_put_null(json, "pad");
    return;
  }
  struct text number = {0};
  struct json *put = json_put(json, "pad", json_object_new());
  text_printf(&number, "A%zu", sharing->site);
  json_put_text(put, "site", text_get(&number));
  json_put_text(put, "verdict", sharing_verdict_name(sharing->line->verdict));
  json_put_count(put, "intervals", sharing->line->intervals);
  json_put_quantity(put, "met", sharing->line->met, "share");
  text_release(&number);
}

void layout_json_put_shrink(const struct struct_shrink *shrink, struct json *json) {
  struct json *put = json_put(json, "shrink", json_object_new());
  struct json *fields = json_put(put, "fields", json_array_new());
  for (size_t i = 0; i < shrink->count; i++) {
    const struct shrink_field *f = &shrink->fields[i];
    struct json *field = json_append(fields, json_object_new());
    json_put_text(field, "name", f->member->name);
    json_put_count(field, "bytes", f->member->size_bytes);
    json_put_count(field, "to_bytes", f->bytes);
    json_put_count(field, "bits", f->bits);
    json_put_bool(field, "signed", f->is_signed);
    json_put_count(field, "values", f->values);
  }
  json_put_count(put, "size_bytes", shrink->size_bytes);
}
