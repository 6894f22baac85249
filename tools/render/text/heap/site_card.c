// site_card.c - everything known about an allocation site: stack, numbers, its objects' words.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/model/heap/site_find.h"
#include "tools/render/text/heap/sharing_show.h"
#include "tools/render/text/heap/site_map.h"
#include "tools/render/text/heap/site_table.h"
#include "tools/support/names.h"
#include "tools/support/units.h"
#include "tools/ui/table.h"

#include <math.h>

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

static void add_objects(const struct site_uses *uses, const struct site_use *use,
                        struct text *out) {
  const struct profile_site *r = use->record;
  text_printf(out, "  %-18s %s", "objects", units_exact(r->objects).data);
  if (use->objects_error > 0)
    text_printf(out, " within %s (one in %u below 1 KiB was looked at)",
                units_exact(quantity_count(ceil(use->objects_error))).data, uses->every);
  if (uses->in_bursts && !uses->bursts)
    text_printf(out, ", no burst shows which were touched, %s alive at the end\n",
                units_exact(r->live_objects).data);
  else
    text_printf(out, ", %s of them touched%s, %s alive at the end\n",
                units_exact(r->touched_objects).data, uses->in_bursts ? " in bursts" : "",
                units_exact(r->live_objects).data);
}

static void add_numbers(const struct site_uses *uses, const struct site_use *use,
                        struct text *out) {
  const struct profile_site *r = use->record;
  add_objects(uses, use, out);
  text_printf(out, "  %-18s %s", "size", units_bytes((double)r->min_bytes).data);
  if (r->max_bytes != r->min_bytes)
    text_printf(out, " to %s, mean %s", units_bytes((double)r->max_bytes).data,
                units_bytes((double)r->bytes / (double)r->objects).data);
  text_printf(out, "; at most %s at a time\n", units_bytes((double)r->peak_bytes).data);
  add_quantity("mean lifetime", use->lifetime_ns, units_duration(use->lifetime_ns.value), out);
  add_quantity("useful of fetched", use->useful_share, units_share(use->useful_share.value), out);
  add_quantity("touched ever", use->ever_share, units_share(use->ever_share.value), out);
  if (use->stride_bytes)
    text_printf(out, "  %-18s %u of each %u bytes are touched, in the first %u\n", "stride",
                use->stride_used_bytes, use->stride_bytes, SITE_STRIDE_BYTES);
  add_quantity("waste", use->wasted_bytes, units_bytes(use->wasted_bytes.value), out);
  add_quantity("written, not read", use->unread_bytes, units_bytes(use->unread_bytes.value), out);
}

/// "struct order[]  152 bytes each, book.c:4"
static void add_type(const struct site_type *type, struct text *out) {
  struct text name = {0};
  site_type_add_name(type, &name);
  text_printf(out, "  %-18s %s", "type", text_get(&name));
  if (type->status != SITE_TYPE_KNOWN)
    text_printf(out, ": %s", type->reason);
  else if (type->structure)
    text_printf(out, "  %s%s, %s:%u", units_bytes((double)type->size_bytes).data,
                type->is_array ? " each" : "", base_name(type->structure->file),
                type->structure->line);
  text_add(out, "\n");
  text_release(&name);
}

void site_card_add(const struct measurement *m, size_t rank, const struct terminal *terminal,
                   struct text *out) {
  const struct site_use *use = &m->sites.sites[rank - 1];
  struct text name = {0};
  site_add_name(m, use, &name);
  terminal_printf(terminal, out, STYLE_HEADING, "%s A%zu",
                  use->record->kind == RETICLE_SITE_GLOBAL ? "GLOBAL"
                  : use->record->kind == RETICLE_SITE_MMAP ? "MMAP"
                                                           : "HEAP",
                  rank);
  text_printf(out, " %s\n", text_get(&name));
  text_release(&name);
  struct site_type type = site_type_find(m, use);
  add_numbers(&m->sites, use, out);
  add_type(&type, out);
  add_stack(m, use, terminal, out);
  site_map_add(use, &type, m->sharing.measured, terminal, out);
  sharing_card_add(m, use, &type, terminal, out);
}
