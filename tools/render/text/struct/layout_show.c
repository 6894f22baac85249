// layout_show.c - prints an advised order, split or array, its gain, and warnings.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/render/text/struct/layout_show.h"

#include "tools/model/struct/layout_file.h"
#include "tools/model/struct/layout_visible.h"
#include "tools/model/struct/struct_summary.h"
#include "tools/support/text.h"
#include "tools/support/units.h"

#include <string.h>

/// Loops listed.
#define LOOPS_SHOWN 8
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
  text_printf(out, "  cache lines a visit %.2f -> %.2f, gain 1.0x to %.1fx", a->lines_now,
              advice->lines, advice->gain.high);
}

/// "; 1.4M elements: 10.9 MB instead of 65.1 MB"
static void add_elements(const struct struct_advice *a, struct text *out) {
  double elements = a->count.elements;
  if (!(elements > 1) || a->parts.kind == ADVICE_SOA)
    return;
  text_printf(out, "; %s elements: %s", units_count(elements).data,
              units_bytes(elements * (a->hot_bytes + a->count.more_bytes)).data);
  text_printf(out, " instead of %s",
              units_bytes(elements * (a->use->record->size_bytes + a->count.more_bytes)).data);
}

static void add_parts(const struct struct_advice *a, struct text *out) {
  text_printf(out, "%s {", advice_kind_name(a->parts.kind));
  add_part(a, true, out);
  if (a->parts.kind == ADVICE_SPLIT) {
    text_add(out, " | ");
    add_part(a, false, out);
  }
  text_add(out, "}");
  add_lines(a, &a->parts, out);
  if (a->parts.kind == ADVICE_SOA)
    text_add(out, " (estimate; each of them an array of its own");
  else if (a->parts.kind == ADVICE_ARRAY && a->is_copy)
    text_printf(out,
                " (estimate; a copy in an array of its own, %u bytes an element, the struct as "
                "it is",
                a->hot_bytes);
  else if (a->is_open)
    text_printf(out, " (estimate; %u hot bytes with the data behind them, the others by a pointer",
                a->hot_bytes);
  else
    text_printf(out, " (estimate; %u hot bytes in an array of their own%s", a->hot_bytes,
                a->parts.kind == ADVICE_SPLIT && !a->count.is_array
                    ? ", both parts from pools: allocated one by one they lie as far apart as now"
                    : "");
  add_elements(a, out);
  text_add(out, ")");
}

static void add_order(const struct struct_advice *a, struct text *out) {
  text_add(out, "order ");
  layout_names_add(a, a->best.order, a->item_count, " ", out);
  add_lines(a, &a->order, out);
  text_printf(out, " (%s)   try: ", layout_method_name(a->best.method));
  struct_try_add(a->use->record->name, out);
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
  const struct advice *both[] = {&a->parts, &a->order};
  if (a->order.rank > a->parts.rank)
    both[0] = &a->order, both[1] = &a->parts;
  int number = 0;
  if (a->is_bounded)
    terminal_add(terminal, out, STYLE_FAINT, BOUNDED);
  for (size_t i = 0; i < 2; i++) {
    struct text line = {0};
    if (both[i]->kind == ADVICE_NONE)
      continue;
    if (both[i] == &a->parts)
      add_parts(a, &line);
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

void layout_show_replay(const struct known_trial *replay, const struct terminal *terminal,
                        struct text *out) {
  if (!replay->trial)
    return;
  struct quantity gain = trial_gain(replay->trial);
  struct text line = {0};
  text_add_clean(&line, replay->trial->change);
  if (gain.status == QUANTITY_OK)
    text_printf(&line, ": %.3fx of the program (%.3f to %.3f)", gain.value, gain.low, gain.high);
  if (replay->trial->verdict != RETICLE_TRIAL_GAIN)
    text_add(&line,
             replay->trial->verdict == RETICLE_TRIAL_WORSE ? ", slower" : ", no measurable gain");
  if (replay->state != TRIAL_CURRENT)
    text_printf(&line, " (of another %s)",
                replay->state == TRIAL_OTHER_STRUCT ? "definition" : "build, perhaps");
  terminal_add(terminal, out, STYLE_HEADING, "replayed ");
  text_add_wrapped(out, text_get(&line), strlen("replayed "), 9, terminal->width);
  text_add(out, "\n");
  text_release(&line);
}

void layout_show_loops(const struct struct_advice *a, const struct terminal *terminal,
                       struct text *out) {
  terminal_add(terminal, out, STYLE_HEADING, "used together, by innermost loop\n");
  for (size_t i = 0; i < a->loop_count && i < LOOPS_SHOWN; i++) {
    const struct advice_loop *l = &a->loops[i];
    struct text line = {0};
    const char *before = "";
    text_add(&line, "  ");
    struct_loop_add_place(l->loop, &line);
    text_printf(&line, "  %s%s  %s visits  R %s W %s  {",
                l->loop->line ? exposure_name(l->walk.exposure) : "no loop",
                l->walk.stays                                    ? ", few elements"
                : element_exposure(&l->walk) != l->walk.exposure ? ", in a row"
                                                                 : "",
                units_count(l->walk.visits).data, units_count((double)l->loop->reads).data,
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

void layout_show_warnings(const struct struct_advice *a, const struct terminal *terminal,
                          struct text *out) {
  struct text line = {0};
  const char *before = "the layout can be seen outside: ";
  for (size_t i = 0; i < LAYOUT_VISIBLE; i++)
    if (a->use->record->flags & layout_visible[i].flag) {
      text_printf(&line, "%s%s", before, layout_visible[i].text);
      before = "; ";
    }
  if (a->pins & ADVICE_PIN_PREFIX)
    text_printf(&line, "%sit begins as another struct of a union does: these fields stay", before),
        before = "; ";
  if (a->pins & ADVICE_PIN_HEADER)
    text_printf(&line, "%sits first field is a struct, which a pointer may be taken for: it stays",
                before),
        before = "; ";
  if (a->pins & ADVICE_PIN_TAIL)
    text_printf(&line, "%sa base class' last array may go on over its fields: all stay", before);
  if (line.length) {
    terminal_add(terminal, out, STYLE_BAD, "warning ");
    text_add_wrapped(out, text_get(&line), strlen("warning "), 8, terminal->width);
    text_add(out, "\n");
  }
  text_release(&line);
}
