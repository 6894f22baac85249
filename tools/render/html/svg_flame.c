// svg_flame.c - draws a box for each node of the call tree that is wide enough to be seen.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/render/html/svg_flame.h"

#include "tools/render/html/html.h"
#include "tools/support/memory.h"
#include "tools/support/names.h"
#include "tools/support/units.h"

#include <stdlib.h>

#define ROW 18u
/// Boxes at most, and rows: 120 bytes of a page each, and more than a screen shows.
#define BOXES_MOST 4000
#define ROWS_MOST 160
/// Narrower boxes are no pixel wide; narrower ones have no room for text.
#define WIDTH_LEAST 0.0004
#define TEXT_LEAST 0.012

static int compare_samples(const void *left, const void *right) {
  uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
  return (a < b) - (a > b);
}

/// Samples that a box needs.
static uint64_t least_samples(const struct call_tree *tree) {
  uint64_t least = (uint64_t)(WIDTH_LEAST * (double)tree->samples) + 1;
  if (tree->node_count <= BOXES_MOST)
    return least;
  uint64_t *sorted = memory_zeroed(tree->node_count, sizeof *sorted);
  for (size_t i = 0; i < tree->node_count; i++)
    sorted[i] = tree->nodes[i].samples;
  qsort(sorted, tree->node_count, sizeof *sorted, compare_samples);
  least = sorted[BOXES_MOST] + 1 > least ? sorted[BOXES_MOST] + 1 : least;
  free(sorted);
  return least;
}

/// A name's first part: names may have any length, and stand in the page often.
static void add_name(const char *name, size_t columns, struct text *out) {
  size_t bytes = text_prefix(name, columns);
  html_printf(out, name[bytes] ? "%.*s\xe2\x80\xa6" : "%.*s", (int)bytes, name);
}

static void add_box(const struct call_tree *tree, const struct call_node *node, uint64_t start,
                    struct text *out) {
  const struct call_function *f = &tree->functions[node->function];
  double all = (double)tree->samples, width = (double)node->samples / all;
  text_format(
      out, "<svg class=\"k-%s\" x=\"%.3f%%\" y=\"%u\" width=\"%.3f%%\" height=\"%u\"><title>",
      call_kind_name(f->kind), 100 * (double)start / all, node->depth * ROW, 100 * width, ROW - 1);
  add_name(f->name, 120, out);
  html_printf(out, "%s, %s", node->inlined ? " (inlined)" : "", units_share(width).data);
  if (node->self_samples && node->self_samples != node->samples)
    html_printf(out, ", itself %s", units_share((double)node->self_samples / all).data);
  html_printf(out, ", %s samples", units_exact(node->samples).data);
  if (*f->loadfile)
    html_printf(out, ", %.60s", base_name(f->loadfile));
  text_add(out, "</title><rect width=\"100%\" height=\"100%\"/>");
  if (width >= TEXT_LEAST) {
    text_add(out, "<text x=\"3\" y=\"12\">");
    add_name(f->name, 100, out);
    text_add(out, "</text>");
  }
  text_add(out, "</svg>\n");
}

static void add_legend(const struct call_tree *tree, struct text *out) {
  static const char *const words[] = {"program", "libraries", "kernel's code",
                                      "unknown, or in no file"};
  bool used[4] = {false};
  for (size_t i = 0; i < tree->node_count; i++)
    used[tree->functions[tree->nodes[i].function].kind] = true;
  text_add(out, "<ul class=\"legend\">");
  for (int kind = 0; kind < 4; kind++)
    if (used[kind])
      text_format(out,
                  "<li><svg class=\"key\" viewBox=\"0 0 10 10\" aria-hidden=\"true\"><rect "
                  "class=\"k-%s\" width=\"10\" height=\"10\"/></svg>%s</li>",
                  call_kind_name((enum call_kind)kind), words[kind]);
  text_add(out, "</ul>\n");
}

void svg_flame(struct text *out, const struct call_tree *tree) {
  uint64_t least = least_samples(tree), start = 0;
  size_t drawn = 0;
  unsigned rows = 0;
  for (size_t i = 0; i < tree->node_count; i++)
    if (tree->nodes[i].samples >= least && tree->nodes[i].depth < ROWS_MOST)
      rows = rows > tree->nodes[i].depth ? rows : tree->nodes[i].depth + 1;
  add_legend(tree, out);
  text_format(out,
              "<div class=\"flames\"><svg class=\"flame\" width=\"100%%\" height=\"%u\" "
              "role=\"img\" aria-label=\"Flame "
              "graph: callers above what they call; the table below has the numbers\">\n",
              rows * ROW);
  uint64_t *next = memory_zeroed(tree->depth + 1, sizeof *next); // where a depth's next box begins
  for (size_t i = 0; i < tree->node_count; i++) {
    const struct call_node *node = &tree->nodes[i];
    if (node->caller == SIZE_MAX) {
      next[0] = start;
      start += node->samples;
    }
    uint64_t at = next[node->depth];
    next[node->depth] += node->samples;
    next[node->depth + 1] = at;
    if (node->samples < least || node->depth >= ROWS_MOST)
      continue;
    add_box(tree, node, at, out);
    drawn++;
  }
  free(next);
  text_add(out, "</svg></div>\n");
  if (drawn < tree->node_count)
    text_format(out,
                "<p class=\"faint\">%zu boxes of %zu: the others are too narrow or too deep to be "
                "seen.</p>\n",
                drawn, tree->node_count);
}
