// struct_summary.c - makes the advice for a struct at the first question, and keeps it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/model/struct_summary.h"

#include "tools/analysis/struct_advice.h"
#include "tools/model/layout_file.h"
#include "tools/support/memory.h"

static void add_advice(const struct struct_advice *advice, const struct advice *what,
                       struct text *out) {
  if (*advice->reason || what->kind == ADVICE_NONE)
    return;
  text_printf(out, "%s the fields of %s", what->kind == ADVICE_SPLIT ? "split" : "order",
              advice->use->record->name);
  text_printf(out, ": %.2f lines a visit instead of %.2f", what->lines, advice->lines_now);
}

static void make(const struct measurement *m, size_t structure, struct struct_summary *out) {
  struct struct_advice *advice = &out->all;
  const struct advice_wish wish = {.work_most = struct_advice_work_most(&m->structs)};
  if (struct_advise(&m->input.profile, &m->structs.structs[structure], &wish, advice) != 0)
    memory_exhausted();
  const struct advice *best =
      advice->order.rank > advice->split.rank ? &advice->order : &advice->split;
  out->is_made = true;
  out->is_split = best == &advice->split && best->kind == ADVICE_SPLIT && !*advice->reason;
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

const struct struct_summary *struct_summary_get(const struct measurement *m, size_t structure) {
  struct struct_summary *summary = &m->struct_summaries[structure];
  if (!summary->is_made)
    make(m, structure, summary);
  return summary;
}
