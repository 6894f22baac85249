// struct_card.c - everything that is known about one struct: fields in their lines, and loops.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/model/struct/field_time.h"
#include "tools/model/struct/known_trial.h"
#include "tools/model/struct/struct_summary.h"
#include "tools/render/text/struct/layout_show.h"
#include "tools/render/text/struct/struct_map.h"
#include "tools/render/text/struct/struct_table.h"
#include "tools/render/text/struct/trials_text.h"
#include "tools/support/memory.h"
#include "tools/support/units.h"
#include "tools/ui/table.h"

#include <stdlib.h>

static const struct table_column field_columns[] = {
    {"offset", true, 0, false}, {"bytes", true, 0, false},  {"field", false, 8, false},
    {"type", false, 8, false},  {"reads", true, 0, false},  {"writes", true, 0, false},
    {"share", true, 0, false},  {"copies", true, 0, false}, {"time", true, 0, false},
    {"hole", true, 0, false},
};

/// Its part of the CPU time, where samples lie on it, and the padding behind it.
static void add_time(struct table *table, const struct measurement *m, const struct struct_use *use,
                     const struct field_use *field) {
  struct quantity time = field_time_share(m, field);
  uint64_t hole = field_hole_bytes(use, field);
  table_add(table, STYLE_PLAIN, time.status == QUANTITY_OK ? units_share(time.value).data : "");
  table_add(table, STYLE_PLAIN, hole ? units_exact(hole).data : "");
}

static void add_field(struct table *table, const struct measurement *measurement,
                      const struct struct_use *use, const struct field_use *field, double all) {
  const struct profile_member *m = field->member;
  if (m->flags & RETICLE_MEMBER_BITFIELD) {
    table_printf(table, STYLE_PLAIN, "%u.%u", m->offset_bytes, m->bit_offset);
    table_printf(table, STYLE_PLAIN, ":%u", m->bit_size);
  } else {
    table_printf(table, STYLE_PLAIN, "%u", m->offset_bytes);
    table_printf(table, STYLE_PLAIN, "%u", m->size_bytes);
  }
  table_add(table, STYLE_PLAIN, m->name);
  const char *kind = m->flags & RETICLE_MEMBER_BASE    ? "(base)"
                     : m->flags & RETICLE_MEMBER_UNION ? "(union)"
                                                       : m->type;
  table_add(table, STYLE_FAINT, kind);
  if (!field_use_sum(field) && !field->copies) {
    uint64_t hole = field_hole_bytes(use, field);
    struct text words = {0};
    text_add(&words, "no access by counted code");
    if (hole)
      text_printf(&words, "; hole %llu", (unsigned long long)hole);
    table_add_tail(table, STYLE_FAINT, text_get(&words));
    text_release(&words);
    return;
  }
  table_add(table, STYLE_PLAIN, units_exact(field->reads).data);
  table_add(table, STYLE_PLAIN, units_exact(field->writes).data);
  table_add(table, STYLE_PLAIN,
            all > 0 ? units_share((double)field_use_sum(field) / all).data : "");
  table_add(table, STYLE_PLAIN, field->copies ? units_exact(field->copies).data : "");
  add_time(table, measurement, use, field);
}

/// By line, then in the order of the declaration.
static int compare_lines(const void *left, const void *right) {
  const struct field_use *a = *(const struct field_use *const *)left,
                         *b = *(const struct field_use *const *)right;
  uint32_t x = a->member->offset_bytes / STRUCT_LINE_BYTES,
           y = b->member->offset_bytes / STRUCT_LINE_BYTES;
  return x != y ? (x > y) - (x < y) : (a > b) - (a < b);
}

static void add_fields(const struct measurement *m, const struct struct_use *use,
                       const struct terminal *terminal, struct text *out) {
  double all = (double)use->reads + (double)use->writes;
  const struct field_use **sorted = memory_zeroed(use->field_count + 1, sizeof(*sorted));
  for (size_t i = 0; i < use->field_count; i++)
    sorted[i] = &use->fields[i];
  if (use->field_count)
    qsort(sorted, use->field_count, sizeof(*sorted), compare_lines);
  for (size_t i = 0; i < use->field_count;) {
    struct table table;
    uint32_t line = sorted[i]->member->offset_bytes / STRUCT_LINE_BYTES;
    table_init(&table, field_columns, sizeof field_columns / sizeof *field_columns);
    for (; i < use->field_count && sorted[i]->member->offset_bytes / STRUCT_LINE_BYTES == line; i++)
      add_field(&table, m, use, sorted[i], all);
    terminal_printf(terminal, out, STYLE_HEADING, "line %u\n", line);
    table_print(&table, terminal, line ? NULL : "", out);
    table_release(&table);
  }
  free(sorted);
  if (use->unplaced)
    terminal_printf(terminal, out, STYLE_FAINT,
                    "  %s more accesses: of several fields at once, or of padding\n",
                    units_exact(use->unplaced).data);
}

/// Groups, matrix and advice; of a struct that can't be changed, too.
static void add_layout(const struct measurement *m, const struct struct_advice *advice,
                       const struct terminal *terminal, struct text *out) {
  layout_show_loops(advice, terminal, out);
  struct_map_matrix(advice, terminal, out);
  if (advice->useful.status == QUANTITY_OK)
    text_printf(out, "useful: %.0f %% of the bytes that visits fetch, %.2f cache lines each\n",
                100 * advice->useful.value, advice->lines_now);
  else
    text_printf(out, "useful: not known: %s\n", advice->useful.reason);
  layout_show_advice(advice, terminal, out);
  struct known_trial known = known_trial_find(&m->input, advice->use);
  if (known.trial) {
    struct text tried = {0};
    trials_add(&known, 0, &tried);
    terminal_add(terminal, out, STYLE_HEADING, "tried: ");
    text_add_wrapped(out, text_get(&tried), 7, 2, terminal->width);
    text_add(out, "\n");
    text_release(&tried);
  }
  layout_show_warnings(advice, terminal, out);
}

static void add_coverage(const struct measurement *m, const struct terminal *terminal,
                         struct text *out) {
  struct text line = {0};
  field_times_add_coverage(m, &line);
  text_add_wrapped(out, text_get(&line), 0, 6, terminal->width);
  text_add(out, "\n");
  text_release(&line);
}

void struct_card_add(const struct measurement *m, size_t rank, const struct struct_advice *advice,
                     const struct terminal *terminal, struct text *out) {
  const struct struct_use *use = &m->structs.structs[rank - 1];
  struct text head = {0};
  text_printf(&head, "STRUCT S%zu %s  ", rank, use->record->name);
  struct_bytes_add(advice, &head);
  text_printf(&head, "  %s:%u\n", *use->record->file ? use->record->file : "?", use->record->line);
  terminal_add(terminal, out, STYLE_HEADING, text_get(&head));
  text_release(&head);
  terminal_printf(terminal, out, STYLE_PLAIN, "%s reads, %s writes\n", units_exact(use->reads).data,
                  units_exact(use->writes).data);
  struct_map_lines(use, terminal, out);
  if (use->field_count)
    add_fields(m, use, terminal, out);
  else
    terminal_add(terminal, out, STYLE_FAINT,
                 "  fields not known: compiled without clang's plug-in action\n");
  add_coverage(m, terminal, out);
  struct_map_holes(use, terminal, out);
  add_layout(m, advice, terminal, out);
}
