// page_structs.c - each struct as rows of a cache line, fields to scale and coloured by use.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/model/struct/struct_summary.h"
#include "tools/render/html/html.h"
#include "tools/render/html/page_parts.h"
#include "tools/support/units.h"

/// Rows of the table of its fields at most.
#define FIELDS_MOST 200
static void add_advice(const struct struct_summary *summary, struct text *out) {
  if (summary->advice.length) {
    text_add(out, "<p class=\"change\">");
    html_text(out, text_get(&summary->advice));
    text_add(out, "</p>\n");
  }
  if (summary->order.length && summary->parts != ADVICE_NONE) {
    text_add(out, "<p class=\"change\">");
    html_text(out, text_get(&summary->order));
    text_add(out, "</p>\n");
  }
}

static void add_fields(const struct report *report, const struct struct_use *use,
                       struct text *out) {
  static const struct html_column columns[] = {
      {.key = "name"},   {.key = "offset"}, {.key = "size"}, {.key = "reads"},
      {.key = "writes"}, {.key = "time"},   {.key = "hole"},
  };
  html_table(out, &section_fields, report, columns, sizeof columns / sizeof *columns, use,
             FIELDS_MOST, use->record->name);
}

static void add_card(const struct report *report, size_t i, struct text *out) {
  const struct struct_use *use = &report->m->structs.structs[i];
  const struct struct_summary *summary =
      struct_summary_get(report->m, &report->m->structs.structs[i]);
  text_format(out, "<details class=\"card\" id=\"S%zu\"%s><summary><b>S%zu</b> ", i + 1,
              i == 0 ? " open" : "", i + 1);
  html_text(out, use->record->name);
  text_add(out, " <span class=\"place\">");
  html_printf(out, "%s:%u, %u bytes%s, %s reads, %s writes", use->record->file, use->record->line,
              use->record->size_bytes, summary->all.is_open ? " and more" : "",
              units_count((double)use->reads).data, units_count((double)use->writes).data);
  text_add(out, "</span></summary>\n");
  page_struct_map_add(use, out);
  add_advice(summary, out);
  page_struct_advised_add(use, summary, out);
  add_fields(report, use, out);
  text_add(out, "</details>\n");
}

void page_structs_add(const struct report *report, struct text *out) {
  const struct struct_uses *uses = &report->m->structs;
  if (!uses->accessed)
    return;
  text_add(
      out,
      "<section id=\"structs\"><h2>Structs</h2>\n<p class=\"faint\">Each row is a cache line of 64 "
      "bytes; the darker a field, the more of the struct's accesses go to it; dashed: holes."
      "</p>\n");
  for (size_t i = 0; i < uses->accessed && i < PAGE_CARDS; i++)
    add_card(report, i, out);
  if (uses->accessed > PAGE_CARDS)
    text_format(out,
                "<p class=\"faint\">and %zu more: <code>reticle report --csv structs</code></p>\n",
                uses->accessed - PAGE_CARDS);
  text_add(out, "</section>\n");
}
