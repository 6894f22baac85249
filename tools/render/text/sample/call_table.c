// call_table.c - prints the call tree from the outside in, and how far its stacks can be believed.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/render/text/sample/call_table.h"
#include "tools/model/sample/call_tree.h"
#include "tools/render/text/section_table.h"
#include "tools/support/memory.h"
#include "tools/support/names.h"
#include "tools/support/units.h"

#include <stdlib.h>

/// Deeper rows aren't moved further to the right.
#define INDENT_MOST 20
/// Smaller parts aren't listed unless all are.
#define ROW_LEAST 0.001
/// Of a function's samples, in one that it calls: it does little but call that one.
#define PASS_LEAST 0.95

static const struct shown_column columns[] = {
    {.key = "share"},
    {.title = "self", .right = true},
    {.title = "function", .narrowest = 24},
    {.key = "loadfile", .narrowest = 8, .keep_end = true},
};
#define COLUMNS (sizeof columns / sizeof *columns)

static int compare_samples(const void *left, const void *right) {
  uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
  return (a < b) - (a > b);
}

/// Whether a node does little but call the one behind it.
static bool passes(const struct call_tree *tree, size_t i) {
  return i + 1 < tree->node_count && tree->nodes[i + 1].caller == i &&
         (double)tree->nodes[i + 1].samples >= PASS_LEAST * (double)tree->nodes[i].samples;
}

/// A node within a chain of such: chains are told by both of their ends.
static bool is_within(const struct call_tree *tree, size_t i) {
  return i && tree->nodes[i].caller == i - 1 && passes(tree, i - 1) && passes(tree, i);
}

/// Samples that a node needs to be among the `most` largest. As callers have no fewer than what
/// they call, these are a tree.
static uint64_t least_samples(const struct call_tree *tree, size_t most) {
  uint64_t least = (uint64_t)(ROW_LEAST * (double)tree->samples) + 1;
  if (most == SIZE_MAX || most > tree->node_count)
    return most == SIZE_MAX ? 1 : least;
  uint64_t *sorted = memory_zeroed(tree->node_count + 1, sizeof *sorted);
  for (size_t i = 0; i < tree->node_count; i++)
    sorted[i] = is_within(tree, i) ? 0 : tree->nodes[i].samples;
  qsort(sorted, tree->node_count, sizeof *sorted, compare_samples);
  if (most && sorted[most - 1] > least)
    least = sorted[most - 1];
  free(sorted);
  return least;
}

static double share_of(const struct call_tree *tree, uint64_t samples) {
  return tree->samples ? (double)samples / (double)tree->samples : 0;
}

static int indent_of(unsigned depth) {
  return 2 * (int)(depth < INDENT_MOST ? depth : INDENT_MOST);
}

/// depth: of the row, from 0
static void add_row(const struct measurement *m, const struct call_tree *tree,
                    const struct call_node *node, unsigned depth, struct table *table) {
  const struct call_function *f = &tree->functions[node->function];
  section_cell(table, &section_calls, "share", m, node, STYLE_PLAIN, "");
  if (node->self_samples)
    table_add(table, STYLE_PLAIN,
              units_share(samples_share(&m->samples, node->self_time_ns).value).data);
  else
    table_add(table, STYLE_FAINT, "");
  struct text name = {0};
  text_printf(&name, "%*s%s%s", indent_of(depth), "", node->inlined ? "inlined: " : "", f->name);
  table_add_name(table, f->kind == CALL_PROGRAM ? STYLE_PLAIN : STYLE_FAINT, text_get(&name));
  text_release(&name);
  table_add(table, STYLE_FAINT, base_name(f->loadfile));
}

static void add_chain(size_t count, unsigned depth, struct table *table) {
  table_add(table, STYLE_PLAIN, "");
  table_add(table, STYLE_PLAIN, "");
  table_printf(table, STYLE_FAINT, "%*s... %zu calls ...", indent_of(depth), "", count);
  table_add(table, STYLE_PLAIN, "");
}

/// Returns how many nodes have a row, or are told by one.
static size_t add_rows(const struct measurement *m, const struct call_tree *tree, size_t most,
                       struct table *table) {
  unsigned *depths = memory_zeroed(tree->node_count + 1, sizeof *depths);
  uint64_t least = least_samples(tree, most);
  size_t shown = 0, told = 0;
  for (size_t i = 0; i < tree->node_count && shown < most; i++) {
    const struct call_node *node = &tree->nodes[i];
    if (node->samples < least)
      continue;
    depths[i] = node->caller == SIZE_MAX ? 0 : depths[node->caller] + 1;
    size_t end = i;
    while (most != SIZE_MAX && is_within(tree, end))
      depths[end++] = depths[i];
    if (end > i + 1) { // one is told as fast as counted
      add_chain(end - i, depths[i], table);
      told += end - i;
      i = end - 1;
      continue;
    }
    add_row(m, tree, node, depths[i], table);
    told++;
    shown++;
  }
  free(depths);
  return told;
}

static void add_origin(const struct call_tree *tree, const struct terminal *terminal,
                       struct text *out) {
  struct text line = {0};
  text_printf(&line, " %s with a call stack, %s of them down to main or a thread's start",
              units_counted(tree->samples, "sample").data,
              units_share(share_of(tree, tree->complete)).data);
  if (tree->cut)
    text_printf(&line, "; %s deeper than is noted", units_exact(tree->cut).data);
  if (tree->no_room)
    text_printf(&line, "; %s more without a place in a full table",
                units_exact(tree->no_room).data);
  if (!call_tree_is_sound(tree))
    text_add(&line, ": compile with -fplugin-arg-reticle-stacks=1 (RETICLE_STACKS=1), else callers "
                    "are lost");
  terminal_add(terminal, out, STYLE_HEADING, "CALL TREE");
  text_add_wrapped(out, text_get(&line), 9, 4, terminal->width);
  text_add(out, "\n");
  text_release(&line);
}

void call_table_add(const struct measurement *m, size_t most, const struct terminal *terminal,
                    struct text *out) {
  const struct call_tree *tree = call_tree_get(m);
  if (!tree->samples)
    return;
  add_origin(tree, terminal, out);
  if (!call_tree_is_sound(tree))
    return;
  struct table table;
  struct table_column made[COLUMNS];
  section_table_init(&table, &section_calls, columns, COLUMNS, made);
  size_t shown = add_rows(m, tree, most, &table);
  table_print(&table, terminal, "", out);
  table_release(&table);
  if (shown < tree->node_count)
    terminal_printf(terminal, out, STYLE_FAINT, "  and %zu more: --all\n",
                    tree->node_count - shown);
}
