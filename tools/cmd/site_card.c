// site_card.c - everything that is known about one allocation site: call stack, numbers, its
// objects' words. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/cmd/site_table.h"
#include "tools/ui/table.h"
#include "tools/ui/units.h"

#include <string.h>

/// Words of a line of the map.
#define LINE_WORDS 16u

static const struct table_column stack_columns[] = {
    {"", false, 12, false},
    {"", false, 10, true},
};

static void add_stack(const struct measurement *m, const struct site_use *use,
                      const struct terminal *terminal, struct text *out) {
  struct site_caller *callers;
  size_t count = site_callers(&m->site_names, use, &callers);
  struct table table;
  table_init(&table, stack_columns, sizeof stack_columns / sizeof *stack_columns);
  for (size_t i = 0; i < count; i++) {
    table_add(&table, STYLE_PLAIN, callers[i].function);
    if (callers[i].line)
      table_printf(&table, STYLE_FAINT, "%s:%u", callers[i].file, callers[i].line);
    else
      table_add(&table, STYLE_FAINT, callers[i].file);
  }
  if (count) {
    terminal_add(terminal, out, STYLE_HEADING, "allocated by\n");
    table_print(&table, terminal, NULL, out);
  }
  table_release(&table);
  site_callers_free(callers, count);
}

static void add_quantity(const char *name, struct quantity quantity, struct units value,
                         struct text *out) {
  if (quantity.status == QUANTITY_OK)
    text_printf(out, "  %-18s %s\n", name, value.data);
  else
    text_printf(out, "  %-18s %s: %s\n", name, quantity_status_name(quantity.status),
                quantity.reason);
}

static void add_numbers(const struct site_use *use, struct text *out) {
  const struct profile_site *r = use->record;
  text_printf(out, "  %-18s %s, %s of them touched, %s alive at the end\n", "objects",
              units_exact(r->objects).data, units_exact(r->touched_objects).data,
              units_exact(r->live_objects).data);
  text_printf(out, "  %-18s %s", "size", units_bytes((double)r->min_bytes).data);
  if (r->max_bytes != r->min_bytes)
    text_printf(out, " to %s, mean %s", units_bytes((double)r->max_bytes).data,
                units_bytes((double)r->bytes / (double)r->objects).data);
  text_printf(out, "; at most %s at a time\n", units_bytes((double)r->peak_bytes).data);
  add_quantity("mean lifetime", use->lifetime_ns, units_duration(use->lifetime_ns.value), out);
  add_quantity("useful of fetched", use->useful_share, units_share(use->useful_share.value), out);
  add_quantity("touched ever", use->ever_share, units_share(use->ever_share.value), out);
  add_quantity("waste", use->wasted_bytes, units_bytes(use->wasted_bytes.value), out);
}

/// A word of the map by how often it was touched, less than the most touched one.
static char mark_of(uint64_t heat, uint64_t objects, uint64_t most) {
  if (!heat)
    return objects ? ',' : '.';
  return heat * 2 >= most ? '#' : heat * 10 >= most ? '+' : '-';
}

/// The typical object in lines of 64 bytes, from its start on.
static void add_map(const struct site_use *use, const struct terminal *terminal, struct text *out) {
  uint64_t most = 0;
  uint32_t words = 0;
  for (size_t i = 0; i < use->word_count; i++) {
    most = use->words[i].heat > most ? use->words[i].heat : most;
    words = use->words[i].word + 1;
  }
  terminal_add(terminal, out, STYLE_HEADING, "its first words, 64 bytes a line");
  text_add(out,
           "  # hot  + a tenth of that or more  - less  , touched but in no sample  . never\n");
  if (!words)
    text_add(out, "  none was touched\n");
  size_t next = 0;
  for (uint32_t start = 0; start < words; start += LINE_WORDS) {
    text_printf(out, "  %5u ", 4 * start);
    for (uint32_t i = start; i < start + LINE_WORDS && 4 * (uint64_t)i < use->record->max_bytes;
         i++) {
      bool known = next < use->word_count && use->words[next].word == i;
      char mark[] = {known ? mark_of(use->words[next].heat, use->words[next].objects, most) : '.',
                     0};
      text_add(out, mark);
      next += known;
    }
    text_add(out, "\n");
  }
  uint64_t last = 4 * (uint64_t)((words + LINE_WORDS - 1) / LINE_WORDS * LINE_WORDS);
  if (last < use->record->max_bytes)
    text_printf(out, "  %5llu on: never touched, or beyond the first 512 bytes\n",
                (unsigned long long)last);
}

void site_card_add(const struct measurement *m, size_t rank, const struct terminal *terminal,
                   struct text *out) {
  const struct site_use *use = &m->sites.sites[rank - 1];
  struct text name = {0};
  site_add_name(m, use, &name);
  terminal_printf(terminal, out, STYLE_HEADING, "%s A%zu",
                  use->record->kind == RETICLE_SITE_GLOBAL ? "GLOBAL" : "HEAP", rank);
  text_printf(out, " %s\n", text_get(&name));
  text_release(&name);
  add_numbers(use, out);
  add_stack(m, use, terminal, out);
  add_map(use, terminal, out);
}
