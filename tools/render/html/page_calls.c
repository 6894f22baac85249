// page_calls.c - the call tree: a flame graph, and who calls whom as a table.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/model/sample/call_tree.h"
#include "tools/render/html/html.h"
#include "tools/render/html/page_parts.h"
#include "tools/render/html/svg_flame.h"
#include "tools/support/memory.h"
#include "tools/support/names.h"
#include "tools/support/units.h"

#include <stdlib.h>

/// Functions in the table, and callers and callees of each.
#define FUNCTIONS_MOST 500
#define NEIGHBOURS_MOST 4
/// Smaller parts of a function aren't worth a word.
#define NEIGHBOUR_LEAST 0.01

struct neighbours {
  const struct call_edge **by_callee; ///< [edge_count] those of a callee in a row, most first
  size_t *first_of_callee;            ///< [function_count + 1]
  size_t *first_of_caller;            ///< [function_count + 1] in tree->edges
};

static int compare_by_callee(const void *left, const void *right) {
  const struct call_edge *a = *(const struct call_edge *const *)left;
  const struct call_edge *b = *(const struct call_edge *const *)right;
  if (a->callee != b->callee)
    return a->callee < b->callee ? -1 : 1;
  if (a->samples != b->samples)
    return a->samples > b->samples ? -1 : 1;
  return (a->caller > b->caller) - (a->caller < b->caller);
}

static void find_neighbours(const struct call_tree *tree, struct neighbours *out) {
  size_t functions = tree->function_count;
  out->by_callee = memory_zeroed(tree->edge_count + 1, sizeof *out->by_callee);
  out->first_of_callee = memory_zeroed(functions + 2, sizeof *out->first_of_callee);
  out->first_of_caller = memory_zeroed(functions + 2, sizeof *out->first_of_caller);
  for (size_t i = 0; i < tree->edge_count; i++) {
    out->by_callee[i] = &tree->edges[i];
    out->first_of_callee[tree->edges[i].callee + 1]++;
    out->first_of_caller[tree->edges[i].caller + 1]++;
  }
  for (size_t i = 0; i < functions; i++) {
    out->first_of_callee[i + 1] += out->first_of_callee[i];
    out->first_of_caller[i + 1] += out->first_of_caller[i];
  }
  qsort(out->by_callee, tree->edge_count, sizeof(*out->by_callee), compare_by_callee);
}

/// A name, which may be of any length: so many columns of it, more as title.
static void add_short(const char *name, size_t columns, struct text *out) {
  size_t bytes = text_prefix(name, columns);
  if (!name[bytes]) {
    html_text(out, name);
    return;
  }
  text_add(out, "<span title=\"");
  html_printf(out, "%.400s", name);
  text_add(out, "\">");
  html_printf(out, "%.*s\xe2\x80\xa6", (int)bytes, name);
  text_add(out, "</span>");
}

static void add_neighbour(const struct call_tree *tree, size_t function, uint64_t samples,
                          uint64_t of, struct text *out) {
  text_add(out, "<div>");
  add_short(tree->functions[function].name, 60, out);
  text_add(out, " <span class=\"part\">");
  html_text(out, units_share((double)samples / (double)of).data);
  text_add(out, "</span></div>");
}

static void add_callers(const struct call_tree *tree, const struct neighbours *n, size_t function,
                        struct text *out) {
  uint64_t of = tree->functions[function].samples;
  size_t shown = 0, end = n->first_of_callee[function + 1];
  for (size_t i = n->first_of_callee[function]; i < end && shown < NEIGHBOURS_MOST; i++)
    if ((double)n->by_callee[i]->samples >= NEIGHBOUR_LEAST * (double)of) {
      add_neighbour(tree, n->by_callee[i]->caller, n->by_callee[i]->samples, of, out);
      shown++;
    }
}

static void add_callees(const struct call_tree *tree, const struct neighbours *n, size_t function,
                        struct text *out) {
  uint64_t of = tree->functions[function].samples;
  size_t shown = 0, end = n->first_of_caller[function + 1];
  for (size_t i = n->first_of_caller[function]; i < end && shown < NEIGHBOURS_MOST; i++)
    if ((double)tree->edges[i].samples >= NEIGHBOUR_LEAST * (double)of) {
      add_neighbour(tree, tree->edges[i].callee, tree->edges[i].samples, of, out);
      shown++;
    }
}

static void add_number(struct text *out, double sort, const char *words) {
  text_format(out, "<td class=\"number\" data-v=\"%.9g\">", sort);
  html_text(out, words);
  text_add(out, "</td>");
}

static void add_function(const struct call_tree *tree, const struct neighbours *n, size_t index,
                         struct text *out) {
  const struct call_function *f = &tree->functions[index];
  double total = (double)f->samples / (double)tree->samples;
  double self = (double)f->self_samples / (double)tree->samples;
  text_format(out,
              "<tr><td><svg class=\"key\" viewBox=\"0 0 10 10\" role=\"img\" aria-label=\"%s\">"
              "<rect class=\"k-%s\" width=\"10\" height=\"10\"/></svg>",
              call_kind_name(f->kind), call_kind_name(f->kind));
  add_short(f->name, 160, out);
  text_add(out, "<div class=\"place\" title=\"");
  html_text(out, f->loadfile);
  text_add(out, "\">");
  if (f->line)
    html_printf(out, "%s:%u", base_name(f->source), f->line);
  else
    html_text(out, base_name(f->loadfile));
  text_add(out, "</div></td>");
  add_number(out, total, units_share(total).data);
  add_number(out, self, f->self_samples ? units_share(self).data : "0");
  text_format(out, "<td class=\"number\" data-v=\"%llu\">%llu</td><td>",
              (unsigned long long)f->samples, (unsigned long long)f->samples);
  add_callers(tree, n, index, out);
  text_add(out, "</td><td>");
  add_callees(tree, n, index, out);
  text_add(out, "</td></tr>\n");
}

static void add_table(const struct call_tree *tree, struct text *out) {
  static const struct {
    const char *title, *help;
    bool number;
  } heads[] = {{"function",
                "with where it is declared, or its load file; the colour says whose it is", false},
               {"total", "in it and in what it called, of the samples with a stack", true},
               {"self", "in it alone", true},
               {"samples", "in it and in what it called", true},
               {"called by", "part of its samples", false},
               {"calls", "part of its samples", false}};
  struct neighbours n;
  find_neighbours(tree, &n);
  text_add(out,
           "<h3>Who calls whom</h3>\n<div class=\"scroll calls\" tabindex=\"0\" role=\"region\" "
           "aria-label=\"Who calls whom\"><table><thead><tr>");
  for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
    text_format(out, "<th scope=\"col\"%s title=\"%s\">%s</th>",
                heads[i].number ? " class=\"number\"" : "", heads[i].help, heads[i].title);
  text_add(out, "</tr></thead><tbody>\n");
  size_t shown = 0;
  for (; shown < tree->function_count && shown < FUNCTIONS_MOST; shown++) {
    if (!tree->functions[shown].samples)
      break;
    add_function(tree, &n, shown, out);
  }
  text_add(out, "</tbody></table></div>\n");
  if (shown < tree->function_count && tree->functions[shown].samples)
    text_format(out, "<p class=\"faint\">and %zu more functions</p>\n",
                tree->function_count - shown);
  free(n.by_callee);
  free(n.first_of_callee);
  free(n.first_of_caller);
}

static void add_belief(const struct call_tree *tree, struct text *out) {
  double complete = (double)tree->complete / (double)tree->samples;
  text_add(out, "<p class=\"faint\">");
  html_printf(out, "%s with a call stack, %s of them down to main or a thread's start",
              units_counted(tree->samples, "sample").data, units_share(complete).data);
  if (tree->cut)
    html_printf(out, "; %s deeper than is noted", units_exact(tree->cut).data);
  if (tree->no_room)
    html_printf(out, "; %s more found no place in a full table", units_exact(tree->no_room).data);
  if (call_tree_is_sound(tree))
    text_add(out, ". Widths are CPU time; order and colour say nothing of time. [unknown]: who "
                  "called isn't known, as code there has no unwind information.</p>\n");
  else
    text_add(out, ".</p>\n<p class=\"doubt\">Most callers are lost, so no tree is shown: compile "
                  "with <code>-fplugin-arg-reticle-stacks=1</code>, or build with "
                  "<code>RETICLE_STACKS=1</code>.</p>\n");
}

void page_calls_add(const struct report *report, struct text *out) {
  const struct call_tree *tree = call_tree_get(report->m);
  if (!tree->samples)
    return;
  text_add(out, "<section id=\"calls\"><h2>Call tree</h2>\n");
  add_belief(tree, out);
  if (call_tree_is_sound(tree)) {
    svg_flame(out, tree);
    add_table(tree, out);
  }
  text_add(out, "</section>\n");
}
