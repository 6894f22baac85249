// page_tables.c - allocation sites, functions and stalls, blocks, and how it was measured.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/model/heap/site_gap.h"
#include "tools/render/html/html.h"
#include "tools/render/html/page_parts.h"
#include "tools/render/html/svg.h"
#include "tools/support/names.h"

#include <math.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

static void draw_useful(const struct measurement *m, const void *of, struct text *out) {
  const struct site_use *use = of;
  (void)m;
  if (use->useful_share.status == QUANTITY_OK)
    svg_share(out, use->useful_share.value, "c1");
}

void page_sites_add(const struct report *report, struct text *out) {
  static const struct html_column columns[] = {
      {.key = "id", .title = "id"},
      {.key = "name", .title = "allocated by"},
      {.key = "type"},
      {.key = "objects"},
      {.key = "peak_bytes"},
      {.key = "lifetime"},
      {.key = "useful_share"},
      {.title = "", .help = "useful part of the fetched bytes", .draw = draw_useful},
      {.key = "ever_share"},
      {.key = "wasted_bytes"},
  };
  if (*site_gap(report->m) || !report->m->sites.count)
    return;
  text_add(out, "<section id=\"heap\"><h2>Heap and globals, by wasted bytes</h2>\n");
  html_table(out, &section_sites, report, columns, COUNT(columns), NULL, PAGE_ROWS,
             "Allocation sites");
  text_add(out, "</section>\n");
}

static void draw_function(const struct measurement *m, const void *of, struct text *out) {
  const struct sampled_function *function = of;
  bool has_code = page_has_code(m, function);
  if (has_code)
    text_format(out, "<a href=\"#F%zu\">", (size_t)(function - m->samples.functions) + 1);
  if (function->own)
    text_add(out, "<span class=\"none\">(instrumentation) ");
  html_text(out, function->name);
  text_add(out, function->own ? "</span>" : "");
  text_add(out, has_code ? "</a>" : "");
}

/// The file's name, its path as title.
static void draw_loadfile(const struct measurement *m, const void *of, struct text *out) {
  const struct sampled_function *function = of;
  const char *path = m->samples.files[function->file].file->path;
  text_add(out, "<span title=\"");
  html_text(out, path);
  text_add(out, "\">");
  html_text(out, base_name(path));
  text_add(out, "</span>");
}

void page_code_add(const struct report *report, struct text *out) {
  static const struct html_column functions[] = {
      {.title = "function", .help = "demangled", .draw = draw_function},
      {.key = "share"},
      {.key = "samples"},
      {.title = "load file", .help = "executable or library", .draw = draw_loadfile},
      {.key = "file", .title = "hottest line of"},
      {.key = "line"},
  };
  static const struct html_column stalls[] = {
      {.key = "function", .title = "function"},
      {.key = "place", .title = "place"},
      {.key = "share"},
      {.key = "cycles"},
      {.key = "suspects"},
      {.key = "instruction"},
  };
  struct row_cursor cursor = {0};
  if (!report->m->samples.function_count)
    return;
  text_add(out, "<section id=\"code\"><h2>Functions, by samples of CPU time</h2>\n");
  html_table(out, &section_functions, report, functions, COUNT(functions), NULL, PAGE_ROWS,
             "Functions");
  page_code_cards_add(report->m, out);
  if (section_stalls.walk(report, &cursor)) {
    text_add(out, "<h2>Instructions that the processor waits for</h2>\n");
    html_table(out, &section_stalls, report, stalls, COUNT(stalls), NULL, PAGE_ROWS, "Stalls");
    text_add(
        out,
        "<p class=\"faint\">why: v divider, m multiplier, u long instruction, s synchronised, r "
        "dependency chain, p branch mispredict, d D-cache miss, D DTLB miss, w write buffer, f "
        "store forwarding, i I-cache miss, n denormals; several: not ruled out</p>\n");
  }
  text_add(out, "</section>\n");
}

/// In place against isolated, on the scale of the larger one.
static void draw_gap(const struct measurement *m, const void *of, struct text *out) {
  const struct measured_block *block = of;
  struct quantity place = block->place.cycles.cycles;
  (void)m;
  if (block->cycles.status != QUANTITY_OK || place.status != QUANTITY_OK || block->place.reason)
    return;
  double most = fmax(block->cycles.value, place.value);
  svg_share(out, block->cycles.value / most, "c2");
  svg_share(out, place.value / most, "c1");
}

void page_blocks_add(const struct report *report, struct text *out) {
  static const struct html_column columns[] = {
      {.key = "id", .title = "id"},
      {.key = "loop"},
      {.key = "function", .title = "function"},
      {.key = "line", .title = "line"},
      {.key = "instructions"},
      {.key = "share"},
      {.key = "isolated"},
      {.key = "in_situ"},
      {.title = "", .help = "above in isolation, below in the program", .draw = draw_gap},
      {.key = "gap"},
      {.key = "status", .title = "status"},
  };
  if (!report->m->block_count)
    return;
  text_add(out, "<section id=\"blocks\"><h2>Blocks, in isolation and in place</h2>\n<p "
                "class=\"faint\">Cycles of "
                "one execution; isolated: memory in the first cache, branches predicted.</p>\n");
  html_table(out, &section_blocks, report, columns, COUNT(columns), NULL, PAGE_ROWS, "Blocks");
  text_add(out, "</section>\n");
}

void page_topdown_add(const struct report *report, struct text *out) {
  static const struct html_column columns[] = {
      {.key = "loop"},
      {.key = "name"},
      {.key = "parent"},
      {.key = "of"},
      {.key = "share"},
      {.key = "above_threshold", .title = "large"},
      {.key = "estimate", .title = "estimate"},
  };
  struct row_cursor cursor = {0};
  if (!section_topdown.walk(report, &cursor))
    return;
  text_add(out, "<section id=\"topdown\"><h2>Top-down: what bounds each loop</h2>\n");
  html_table(out, &section_topdown, report, columns, COUNT(columns), NULL, PAGE_ROWS, "Top-down");
  text_add(out, "</section>\n");
}

void page_waits_add(const struct report *report, struct text *out) {
  static const struct html_column columns[] = {
      {.key = "id", .title = "id"},
      {.key = "operation", .title = "operation"},
      {.key = "function", .title = "function"},
      {.key = "line", .title = "line"},
      {.key = "calls"},
      {.key = "time"},
      {.key = "share"},
      {.key = "longest"},
      {.key = "late"},
      {.key = "waited_for", .title = "waited for rank"},
  };
  struct row_cursor cursor = {0};
  if (!section_waits.walk(report, &cursor))
    return;
  text_add(out, "<section id=\"waits\"><h2>Waits, by call site</h2>\n");
  html_table(out, &section_waits, report, columns, COUNT(columns), NULL, PAGE_ROWS, "Waits");
  text_add(out, "</section>\n");
}

void page_method_add(const struct report *report, struct text *out) {
  static const struct section *const of[] = {&section_env, &section_account, &section_coverage,
                                             &section_health};
  text_add(
      out,
      "<section id=\"how\"><h2>How it was measured</h2>\n<p class=\"faint\">What each word means "
      "stands behind it: point at it. n/a says why.</p>\n");
  for (size_t i = 0; i < COUNT(of); i++) {
    text_add(out, "<h3>");
    html_text(out, of[i]->help);
    text_add(out, "</h3>\n");
    html_facts(out, of[i], report);
  }
  text_add(out, "<p>Again: <code>reticle report");
  struct text operands = {0};
  input_add_operands(&report->m->input, &operands);
  html_text(out, text_get(&operands));
  text_add(out, " --html FILE</code></p>\n</section>\n");
  text_release(&operands);
}
