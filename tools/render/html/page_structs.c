// page_structs.c - each struct as rows of a cache line, fields to scale and coloured by use.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/model/struct_summary.h"
#include "tools/render/html/html.h"
#include "tools/render/html/page_parts.h"
#include "tools/support/units.h"

#include <math.h>

/// Lines drawn of one struct at most.
#define LINES 24
/// Rows of the table of its fields at most.
#define FIELDS_MOST 200
#define BYTE 12.0
#define ROW 30.0
#define LEFT 46.0

/// Class by the field's part of all accesses: "h0" for none to "h4".
static const char *heat(const struct struct_use *use, const struct field_use *field) {
  static const char *const classes[] = {"h0", "h1", "h2", "h3", "h4"};
  double all = (double)use->reads + (double)use->writes, part = (double)field_use_sum(field) / all;
  return classes[!(part > 0) ? 0 : part < 0.01 ? 1 : part < 0.1 ? 2 : part < 0.3 ? 3 : 4];
}

/// The part of the field that lies in the line.
static void add_field(const struct struct_use *use, const struct field_use *field, uint32_t line,
                      double y, struct text *out) {
  uint64_t start = field->member->offset_bytes, end = start + field->member->size_bytes;
  uint64_t from = (uint64_t)line * STRUCT_LINE_BYTES, to = from + STRUCT_LINE_BYTES;
  uint64_t first = start > from ? start : from, last = end < to ? end : to;
  if (first >= last)
    return;
  double x = LEFT + BYTE * (double)(first - from), width = BYTE * (double)(last - first);
  text_format(out, "<g><title>");
  html_printf(out, "%s: %s reads, %s writes; bytes %u to %u", field->member->name,
              units_count((double)field->reads).data, units_count((double)field->writes).data,
              field->member->offset_bytes,
              field->member->offset_bytes + field->member->size_bytes - 1);
  text_format(out,
              "</title><rect class=\"%s\" x=\"%.0f\" y=\"%.0f\" width=\"%.1f\" height=\"22\"/>",
              heat(use, field), x, y, width - 1);
  size_t letters = (size_t)(width / 7);
  if (letters >= 2) {
    struct text name = {0};
    text_add_name(&name, field->member->name);
    text_format(out, "<text x=\"%.0f\" y=\"%.0f\">", x + 3, y + 15);
    struct text shown = {0};
    text_add_bytes(&shown, text_get(&name), text_prefix(text_get(&name), letters));
    html_text(out, text_get(&shown));
    text_add(out, "</text>");
    text_release(&shown);
    text_release(&name);
  }
  text_add(out, "</g>");
}

static bool is_used(const struct struct_use *use, uint32_t line) {
  for (size_t i = 0; i < use->field_count; i++) {
    const struct profile_member *m = use->fields[i].member;
    if (field_use_sum(&use->fields[i]) && m->offset_bytes < (line + 1) * STRUCT_LINE_BYTES &&
        (uint64_t)m->offset_bytes + m->size_bytes > (uint64_t)line * STRUCT_LINE_BYTES)
      return true;
  }
  return false;
}

static void add_map(const struct struct_use *use, struct text *out) {
  uint32_t lines = (use->record->size_bytes + STRUCT_LINE_BYTES - 1) / STRUCT_LINE_BYTES;
  uint32_t drawn = 0;
  struct text body = {0};
  for (uint32_t line = 0; line < lines && drawn < LINES; line++) {
    if (lines > LINES && !is_used(use, line))
      continue;
    double y = ROW * drawn++;
    uint32_t bytes = use->record->size_bytes - line * STRUCT_LINE_BYTES;
    text_format(&body,
                "<text class=\"axis\" x=\"0\" y=\"%.0f\">%u</text><rect class=\"hole\" x=\"%.0f\" "
                "y=\"%.0f\" width=\"%.0f\" height=\"22\"><title>hole</title></rect>",
                y + 15, line * STRUCT_LINE_BYTES, LEFT, y, BYTE * fmin(bytes, STRUCT_LINE_BYTES));
    for (size_t i = 0; i < use->field_count; i++)
      add_field(use, &use->fields[i], line, y, &body);
  }
  text_format(out, "<svg class=\"struct\" viewBox=\"0 0 %.0f %.0f\" role=\"img\" aria-label=\"",
              LEFT + BYTE * STRUCT_LINE_BYTES, ROW * drawn);
  html_printf(out, "Fields of %s in lines of 64 bytes", use->record->name);
  text_add(out, "\">");
  text_add(out, text_get(&body));
  text_add(out, "</svg>\n");
  if (drawn < lines)
    text_format(out, "<p class=\"faint\">%u more lines%s</p>\n", lines - drawn,
                drawn < LINES ? " without accesses" : "");
  text_release(&body);
}

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
      {.key = "name"}, {.key = "offset"}, {.key = "size"}, {.key = "reads"}, {.key = "writes"},
  };
  html_table(out, &section_fields, report, columns, sizeof columns / sizeof *columns, use,
             FIELDS_MOST, use->record->name);
}

static void add_card(const struct report *report, size_t i, struct text *out) {
  const struct struct_use *use = &report->m->structs.structs[i];
  const struct struct_summary *summary = struct_summary_get(report->m, i);
  text_format(out, "<details class=\"card\" id=\"S%zu\"%s><summary><b>S%zu</b> ", i + 1,
              i == 0 ? " open" : "", i + 1);
  html_text(out, use->record->name);
  text_add(out, " <span class=\"place\">");
  html_printf(out, "%s:%u, %u bytes, %s reads, %s writes", use->record->file, use->record->line,
              use->record->size_bytes, units_count((double)use->reads).data,
              units_count((double)use->writes).data);
  text_add(out, "</span></summary>\n");
  add_map(use, out);
  add_advice(summary, out);
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
