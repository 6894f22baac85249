// struct_summary.c - makes the advice for a struct at the first question, and keeps it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/model/struct/struct_summary.h"

#include "tools/model/measurement/lazy.h"

#include "tools/analysis/struct/struct_advice.h"
#include "tools/model/struct/layout_file.h"
#include "tools/model/struct/struct_elements.h"
#include "tools/support/units.h"

#include <math.h>
#include <string.h>

/// Lines a visit that are told as fewer.
#define FEWER_LINES 0.05

/// "energy of point in an array of its own"
static void add_array(const struct struct_advice *a, struct text *out) {
  size_t count = 0;
  for (size_t i = 0; i < a->item_count; i++) {
    if (!a->is_hot[i])
      continue;
    if (count++)
      text_add(out, " ");
    layout_names_add(a, &i, 1, " ", out);
  }
  text_printf(out, " of %s in an array of %s own", a->use->record->name,
              count == 1 ? "its" : "their");
}

static void add_advice(const struct struct_advice *advice, const struct advice *what,
                       struct text *out) {
  if (*advice->reason || what->kind == ADVICE_NONE)
    return;
  const char *name = advice->use->record->name;
  if (what->kind == ADVICE_ARRAY)
    add_array(advice, out);
  else if (what->kind == ADVICE_SOA)
    text_printf(out, "an array for each field of %s", name);
  else
    text_printf(out, "%s the fields of %s", advice_kind_name(what->kind), name);
  // With as many lines of each visit the smaller elements are what counts: more of them fit a
  // cache.
  bool is_smaller = what->kind == ADVICE_ARRAY || what->kind == ADVICE_SPLIT;
  if (!is_smaller || what->lines < advice->lines_now - FEWER_LINES)
    text_printf(out, ": each visit fetches %.2f cache lines instead of %.2f", what->lines,
                advice->lines_now);
  else
    text_printf(out, ": %.0f of the %.0f bytes of an element",
                advice->hot_bytes + advice->count.more_bytes,
                advice->use->record->size_bytes + advice->count.more_bytes);
}

static void make(const struct measurement *m, const struct struct_use *use,
                 struct struct_summary *out) {
  struct struct_advice *advice = &out->all;
  struct element_count count = struct_elements_get(m, use);
  const struct advice_wish wish = {.work_most = struct_advice_work_most(&m->structs),
                                   .count = &count,
                                   .walks = struct_walks_get(m, use)};
  struct_advise(&m->input.profile, use, &wish, advice);
  const struct advice *best =
      advice->order.rank > advice->parts.rank ? &advice->order : &advice->parts;
  out->parts = best == &advice->parts && !*advice->reason ? best->kind : ADVICE_NONE;
  out->useful = advice->useful;
  add_advice(advice, best, &out->advice);
  add_advice(advice, &advice->order, &out->order);
  struct quantity none = quantity_none(QUANTITY_UNSUPPORTED, "no change of the layout is advised");
  out->gain = out->advice.length ? best->gain : none;
  out->order_gain = out->order.length ? advice->order.gain : none;
  if (out->order.length) {
    struct text layout = {0};
    layout_file_add(advice, advice->best.order, 0, &layout);
    out->layout = layout_file_hash(text_get(&layout));
    text_release(&layout);
  }
}

static void release(struct struct_summary *summary) {
  text_release(&summary->advice);
  text_release(&summary->order);
  struct_advice_release(&summary->all);
}

LAZY_OF(struct_summary, struct struct_summary, struct struct_use, make, release)

void struct_bytes_add(const struct struct_advice *a, struct text *out) {
  const struct profile_struct *record = a->use->record;
  if (!a->is_open)
    text_printf(out, "%s, %s", units_counted(record->size_bytes, "byte").data,
                units_counted(struct_lines(record), "line").data);
  else if (isnan(a->count.more_bytes))
    text_printf(out, "%s and an array of any length",
                units_counted(record->size_bytes, "byte").data);
  else
    text_printf(out, "%s, %.0f with what is behind it (mean)",
                units_counted(record->size_bytes, "byte").data,
                record->size_bytes + a->count.more_bytes);
}

bool struct_is_named(const char *name) { return *name && !strstr(name, "(anonymous)"); }

void struct_try_add(const char *name, struct text *out) {
  if (!struct_is_named(name)) {
    text_add(out, "give the struct a name, then reticle try NAME -- BUILD-AND-RUN");
    return;
  }
  text_add(out, "reticle try ");
  text_add_quoted(out, name);
  text_add(out, " -- BUILD-AND-RUN");
}
