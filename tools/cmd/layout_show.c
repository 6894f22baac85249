// layout_show.c - see layout_show.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/cmd/layout_show.h"

#include "tools/cmd/input.h"
#include "tools/cmd/json_quantity.h"
#include "tools/cmd/layout_file.h"
#include "tools/cmd/names.h"
#include "tools/support/messages.h"
#include "tools/support/units.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/// Loops listed.
#define LOOPS_SHOWN 8
/// A field belongs to a loop's group if so much of the visits touch it.
#define GROUP_SHARE 0.05

static void add_part(const struct struct_advice *a, bool hot, struct text *out) {
  const char *before = "";
  for (size_t i = 0; i < a->item_count; i++) {
    if (a->is_hot[i] != hot)
      continue;
    text_add(out, before);
    layout_names_add(a, &i, 1, " ", out);
    before = " ";
  }
}

static void add_lines(const struct struct_advice *a, const struct advice *advice,
                      struct text *out) {
  text_printf(out, "  lines a visit %.2f -> %.2f, gain 1.0x to %.1fx", a->lines_now, advice->lines,
              advice->gain.high);
}

static void add_split(const struct struct_advice *a, struct text *out) {
  text_add(out, "split {");
  add_part(a, true, out);
  text_add(out, " | ");
  add_part(a, false, out);
  text_add(out, "}");
  add_lines(a, &a->split, out);
  text_printf(out, " (estimate; %u hot bytes in an array of their own)", a->hot_bytes);
}

static void add_order(const struct struct_advice *a, struct text *out) {
  text_add(out, "order ");
  layout_names_add(a, a->best.order, a->item_count, " ", out);
  add_lines(a, &a->order, out);
  text_printf(out, " (%s)   try: reticle try ", layout_method_name(a->best.method));
  input_add_quoted(a->use->record->name, out);
  text_add(out, " -- BUILD-AND-RUN");
}

/// In front of advice from a search that was cut short.
#define BOUNDED "the search was ended early, as it is large: there may be better ones\n"

void layout_show_advice(const struct struct_advice *a, const struct terminal *terminal,
                        struct text *out) {
  if (*a->reason) {
    struct text line = {0};
    text_printf(&line, "no gain expected: %s%s", a->reason,
                a->is_bounded ? "; not all orders were looked at" : "");
    text_add_wrapped(out, text_get(&line), 0, 2, terminal->width);
    text_add(out, "\n");
    text_release(&line);
    return;
  }
  const struct advice *both[] = {&a->split, &a->order};
  if (a->order.rank > a->split.rank)
    both[0] = &a->order, both[1] = &a->split;
  int number = 0;
  if (a->is_bounded)
    terminal_add(terminal, out, STYLE_FAINT, BOUNDED);
  for (size_t i = 0; i < 2; i++) {
    struct text line = {0};
    if (both[i]->kind == ADVICE_NONE)
      continue;
    if (both[i] == &a->split)
      add_split(a, &line);
    else
      add_order(a, &line);
    terminal_printf(terminal, out, STYLE_HEADING, "advice %d ", ++number);
    text_add_wrapped(out, text_get(&line), strlen("advice 1 "), 9, terminal->width);
    text_add(out, "\n");
    text_release(&line);
  }
  if (a->order.kind == ADVICE_NONE)
    terminal_add(terminal, out, STYLE_FAINT, "         order: no better one was found\n");
}

/// "parse_line book.c:95", or the function alone.
static void add_place(const struct struct_loop *loop, struct text *out) {
  char *function = function_short_name(loop->function);
  text_add_name(out, function);
  free(function);
  if (loop->line)
    text_printf(out, " %s:%u", base_name(loop->file), loop->line);
}

void layout_show_loops(const struct struct_advice *a, const struct terminal *terminal,
                       struct text *out) {
  terminal_add(terminal, out, STYLE_HEADING, "used together, by innermost loop\n");
  for (size_t i = 0; i < a->loop_count && i < LOOPS_SHOWN; i++) {
    const struct advice_loop *l = &a->loops[i];
    struct text line = {0};
    const char *before = "";
    text_add(&line, "  ");
    add_place(l->loop, &line);
    text_printf(&line, "  %s  %s visits  R %s W %s  {",
                l->loop->line ? exposure_name(l->exposure) : "no loop", units_count(l->visits).data,
                units_count((double)l->loop->reads).data,
                units_count((double)l->loop->writes).data);
    for (size_t k = 0; k < a->use->field_count; k++) {
      const struct field_use *f = &l->loop->fields[k];
      if (!field_use_sum(f))
        continue;
      text_printf(&line, "%s%s %s%s", before, f->member->name, f->reads ? "r" : "",
                  f->writes ? "w" : "");
      before = ", ";
    }
    text_add(&line, "}");
    text_add_wrapped(out, text_get(&line), 0, 4, terminal->width);
    text_add(out, "\n");
    text_release(&line);
  }
  if (a->loop_count > LOOPS_SHOWN)
    terminal_printf(terminal, out, STYLE_FAINT, "  and %zu more places\n",
                    a->loop_count - LOOPS_SHOWN);
}

/// A use that shows the layout, with its code for scripts.
static const struct {
  uint32_t flag;
  const char *code, *text;
} uses[] = {
    {RETICLE_STRUCT_BYTES, "bytes", "it is read, written, copied or compared as bytes"},
    {RETICLE_STRUCT_OFFSETOF, "offsetof", "offsetof is taken of its fields"},
    {RETICLE_STRUCT_IN_UNION, "union", "it is a field of a union"},
    {RETICLE_STRUCT_POSITIONAL, "positional",
     "it is initialised by position: the compiler refuses to try another order"},
    {RETICLE_STRUCT_EXTERN_C, "extern_c", "it is declared extern \"C\""},
    {RETICLE_STRUCT_COMPARED, "compared", "a defaulted comparison goes by the order of its fields"},
};

void layout_show_warnings(const struct struct_advice *a, const struct terminal *terminal,
                          struct text *out) {
  struct text line = {0};
  const char *before = "the layout can be seen outside: ";
  for (size_t i = 0; i < sizeof uses / sizeof *uses; i++)
    if (a->use->record->flags & uses[i].flag) {
      text_printf(&line, "%s%s", before, uses[i].text);
      before = "; ";
    }
  if (a->pins & ADVICE_PIN_PREFIX)
    text_printf(&line, "%sit begins as another struct of a union does: these fields stay", before),
        before = "; ";
  if (a->pins & ADVICE_PIN_HEADER)
    text_printf(&line, "%sits first field is a struct, which a pointer may be taken for: it stays",
                before);
  if (line.length) {
    terminal_add(terminal, out, STYLE_BAD, "warning ");
    text_add_wrapped(out, text_get(&line), strlen("warning "), 8, terminal->width);
    text_add(out, "\n");
  }
  text_release(&line);
}

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
    add_place(l->loop, &text);
    json_put_text(group, "place", text_get(&text));
    json_put_text(group, "exposure", exposure_name(l->exposure));
    json_put_number(group, "visits", l->visits);
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
  bool split = advice->kind == ADVICE_SPLIT;
  json_put_text(json, "kind", split ? "split" : "order");
  put_names(json, "fields", a, split ? NULL : a->best.order, split ? a->is_hot : NULL);
  json_put_quantity(json, "gain", advice->gain, "ratio");
  json_put_number_or_null(json, "lines", advice->lines);
  json_put_bool(json, "estimate", split);
  json_put_text_or_null(json, "method", split ? "" : layout_method_name(a->best.method));
  json_put_bool(json, "bounded", a->is_bounded);
}

void layout_json_put(const struct struct_advice *a, struct json *json) {
  json_put_quantity(json, "useful_share", a->useful, "share");
  json_put_number_or_null(json, "lines_a_visit", a->lines_now);
  put_groups(a, json);
  struct json *list = json_put(json, "advice", json_array_new());
  bool order_first = a->order.rank > a->split.rank;
  put_advice(a, order_first ? &a->order : &a->split, list);
  put_advice(a, order_first ? &a->split : &a->order, list);
  if (*a->reason) {
    struct json *none = json_append(list, json_object_new());
    json_put_text(none, "kind", "none");
    json_put(none, "fields", json_array_new());
    json_put_quantity(none, "gain", quantity_of(1, 1, 1), "ratio");
    json_put_text(none, "reason", a->reason);
  }
  json_put_number(json, "rank", fmax(a->order.rank, a->split.rank));
  struct json *visible = json_put(json, "visible", json_array_new());
  for (size_t i = 0; i < sizeof uses / sizeof *uses; i++)
    if (a->use->record->flags & uses[i].flag)
      json_append_text(visible, uses[i].code);
}
