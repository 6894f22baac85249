// replay_show.c - prints the gain of a replay, and what it rests on.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/render/text/struct/replay_show.h"

#include "tools/support/units.h"

static void add_verdict(const struct replay_result *r, const struct terminal *terminal,
                        struct text *out) {
  enum style style = r->verdict == PAIRED_WORSE ? STYLE_BAD : STYLE_HEADING;
  terminal_add(terminal, out, style,
               r->verdict == PAIRED_GAIN    ? "gain"
               : r->verdict == PAIRED_WORSE ? "worse"
                                            : "no measurable gain");
  if (r->speedup.status == QUANTITY_OK)
    text_printf(out,
                ": %s%.3fx of the program (95 %% interval of the replay %.3f to %.3f), replayed\n",
                r->is_least && r->verdict == PAIRED_GAIN ? "at least " : "", r->speedup.value,
                r->speedup.low, r->speedup.high);
  else
    text_printf(out, ": %s\n", r->speedup.reason);
}

static void add_memory(const struct replay_result *r, const struct terminal *terminal,
                       struct text *out) {
  const struct quantity *gain = &r->memory.gain;
  terminal_add(terminal, out, STYLE_HEADING, "memory    ");
  text_printf(out, "as written %.2f ns a visit, changed %.2f ns", r->written_ns, r->changed_ns);
  if (gain->status == QUANTITY_OK)
    text_printf(out, ": %.2fx (%.2f to %.2f)", gain->value, gain->low, gain->high);
  text_printf(out, "; %llu pairs in turn, the list's own %.2f ns taken out\n",
              (unsigned long long)r->pairs, r->list_ns);
}

static void add_program(const struct replay_result *r, const struct terminal *terminal,
                        struct text *out) {
  if (!(r->program_visit_ns == r->program_visit_ns))
    return;
  terminal_add(terminal, out, STYLE_HEADING, "program   ");
  text_printf(out, "%.2f ns", r->program_visit_ns);
  if (r->program_visit_instructions == r->program_visit_instructions)
    text_printf(out, " and %.0f instructions", r->program_visit_instructions);
  text_add(out, " a visit");
  if (r->branch_share < 1)
    text_printf(
        out,
        "; at most %.0f %% of what no branch predicts waits for the struct's data: more would "
        "take longer than the program",
        100 * r->branch_share);
  text_add(out, "\n");
}

static void add_elements(const struct replay_result *r, const struct terminal *terminal,
                         struct text *out) {
  terminal_add(terminal, out, STYLE_HEADING, "elements  ");
  if (r->elements == r->elements)
    text_printf(out, "%s at a time, %s visited", units_count(r->elements).data,
                units_count((double)r->elements_seen).data);
  else
    text_printf(out, "%s visited; how many there are isn't known",
                units_count((double)r->elements_seen).data);
  text_printf(out, "; as written in %s", units_bytes(r->written_bytes).data);
  text_printf(out, ", changed in %s\n", units_bytes(r->changed_bytes).data);
}

void replay_show_add(const struct replay_result *r, const struct terminal *terminal,
                     struct text *out) {
  terminal_printf(terminal, out, STYLE_HEADING, "REPLAY %s  ", r->structure);
  text_add_clean(out, r->change);
  text_add(out, "\n");
  add_verdict(r, terminal, out);
  add_memory(r, terminal, out);
  add_program(r, terminal, out);
  add_elements(r, terminal, out);
  terminal_add(terminal, out, STYLE_HEADING, "visits    ");
  text_printf(out, "%s timed, in %llu windows", units_count((double)r->visits).data,
              (unsigned long long)r->windows);
  if (r->coverage == r->coverage)
    text_printf(out, "; %.0f %% of the accesses are by loops that are in them", 100 * r->coverage);
  text_add(out, "\n");
  if (!(r->memory_share == r->memory_share))
    return;
  terminal_add(terminal, out, STYLE_HEADING, "share     ");
  text_printf(out, "%.0f %% of the CPU time, %s a run, is memory time of these visits",
              100 * r->memory_share, units_duration(r->program_ns).data);
  if (r->loops_share == r->loops_share)
    text_printf(out, "; code that accesses the struct takes %.0f %%", 100 * r->loops_share);
  text_add(out, r->is_least ? " (of a build that counts; the program's own share is larger: give "
                              "the program as it is behind --)\n"
                            : "\n");
}
