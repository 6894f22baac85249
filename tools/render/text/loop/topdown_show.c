// topdown_show.c - prints a tree as a table, and the facts beside it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/render/text/loop/topdown_show.h"

#include "tools/analysis/topdown/topdown_estimate.h"
#include "tools/model/topdown/topdown_view.h"
#include "tools/render/text/block/stall_cause_show.h"
#include "tools/support/names.h"
#include "tools/support/units.h"
#include "tools/ui/table.h"

#include <math.h>
#include <string.h>

/// Depth of a node: 1 for those of level 1.
static unsigned depth_of(const struct topdown_tree *tree, size_t node) {
  unsigned depth = 1;
  for (; *tree->nodes[node].parent; depth++)
    node = topdown_node_find(tree, tree->nodes[node].parent);
  return depth;
}

static bool is_on_path(const struct topdown_tree *tree, size_t leaf, size_t node) {
  for (; leaf != SIZE_MAX; leaf = *tree->nodes[leaf].parent
                                      ? topdown_node_find(tree, tree->nodes[leaf].parent)
                                      : SIZE_MAX)
    if (leaf == node)
      return true;
  return false;
}

/// What was not looked at is left out; what could not be had says why.
static bool is_shown(const struct topdown_tree *tree, const struct topdown_loop *loop,
                     size_t node) {
  if (loop->result.nodes[node].share.status == QUANTITY_OK || !*tree->nodes[node].parent)
    return true;
  size_t parent = topdown_node_find(tree, tree->nodes[node].parent);
  return loop->result.nodes[parent].is_large;
}

/// "62.1 %": to the point that formulas are checked for.
static void add_share(double share, struct text *out) { text_printf(out, "%.1f", 100 * share); }

static void add_row(const struct topdown_view *view, const struct topdown_loop *loop, size_t node,
                    size_t indent, struct table *table) {
  const struct topdown_tree *tree = view->tree;
  const struct topdown_value *value = &loop->result.nodes[node];
  const struct quantity *total = &loop->loop->stats.total_ns;
  bool path = is_on_path(tree, loop->leaf, node);
  struct text name = {0}, share = {0}, note = {0};
  text_add_repeated(&name, " ", indent + 2 * (depth_of(tree, node) - 1));
  text_add(&name, tree->nodes[node].name);
  enum style style = path ? STYLE_HEADING : value->is_large ? STYLE_PLAIN : STYLE_FAINT;
  table_add(table, style, text_get(&name));
  if (value->share.status != QUANTITY_OK) {
    table_add(table, STYLE_FAINT, "not known");
    text_add(&note, value->share.reason);
    if (value->missing)
      text_printf(&note, " (%s)", value->missing->vendor);
    table_add_tail(table, STYLE_FAINT, text_get(&note));
  } else {
    text_printf(&share, "%s", view->is_estimate ? "estimate " : "");
    if (view->is_estimate) {
      text_printf(&share, "%.0f to %.0f", floor(100 * value->share.low),
                  ceil(100 * value->share.high));
    } else {
      add_share(value->share.value, &share);
    }
    text_add(&share, " %");
    table_add(table, style, text_get(&share));
    table_add(table, style,
              total->status != QUANTITY_OK || tree->nodes[node].domain == TOPDOWN_CYCLES
                  ? ""
                  : units_duration(value->share.value * total->value).data);
    text_add(&note, tree->nodes[node].domain == TOPDOWN_CYCLES ? "of cycles " : "");
    text_add(&note, value->is_clamped ? "clamped " : "");
    text_add(&note, path ? "<" : "");
    table_add(table, STYLE_CAUTION, text_get(&note));
  }
  text_release(&name);
  text_release(&share);
  text_release(&note);
}

/// The node's children below it, and theirs.
static void add_rows(const struct topdown_view *view, const struct topdown_loop *loop,
                     const char *parent, size_t indent, struct table *table) {
  for (size_t i = 0; i < view->tree->node_count; i++) {
    if (strcmp(view->tree->nodes[i].parent, parent) != 0 || !is_shown(view->tree, loop, i))
      continue;
    add_row(view, loop, i, indent, table);
    add_rows(view, loop, view->tree->nodes[i].name, indent, table);
  }
}

static void add_fact(const struct terminal *terminal, size_t indent, const char *label,
                     const char *fact, struct text *out) {
  text_add_repeated(out, " ", indent);
  terminal_add(terminal, out, STYLE_FAINT, label);
  text_add_wrapped(out, fact, indent + strlen(label), indent + strlen(label), terminal->width);
  text_add(out, "\n");
}

/// How sure an estimate is: candidate causes, and what else may be the largest.
static void add_evidence(const struct topdown_view *view, const struct topdown_loop *loop,
                         size_t indent, bool is_card, const struct terminal *terminal,
                         struct text *out) {
  struct text fact = {0};
  size_t rival = topdown_estimate_rival(&loop->result, loop->leaf);
  if (!is_card) {
    text_add(&fact, "estimate, ");
    stall_cause_show_add(&loop->tally, &fact);
    add_fact(terminal, indent, "likely: ", text_get(&fact), out);
    text_clear(&fact);
  }
  if (rival != SIZE_MAX) {
    text_printf(&fact, "%s may be as large (estimate %.0f to %.0f %%)",
                view->tree->nodes[rival].name, floor(100 * loop->result.nodes[rival].share.low),
                ceil(100 * loop->result.nodes[rival].share.high));
    add_fact(terminal, indent, "or: ", text_get(&fact), out);
  }
  text_release(&fact);
}

/// Why no share is named: level 1 isn't known, or none of it is large.
static void add_none(const struct topdown_view *view, const struct topdown_loop *loop,
                     struct text *out) {
  size_t largest = SIZE_MAX;
  text_clear(out);
  for (size_t i = 0; i < view->tree->node_count; i++)
    if (!*view->tree->nodes[i].parent && loop->result.nodes[i].share.status == QUANTITY_OK &&
        (largest == SIZE_MAX ||
         loop->result.nodes[i].share.value > loop->result.nodes[largest].share.value))
      largest = i;
  if (isnan(loop->result.level1_sum) || largest == SIZE_MAX)
    text_add(out, "level 1 is not complete");
  else
    text_printf(out, "no share of level 1 is above its threshold; the largest is %s%s",
                view->tree->nodes[largest].name, view->is_estimate ? " (estimate)" : "");
}

static void add_conclusion(const struct topdown_view *view, const struct topdown_loop *loop,
                           size_t indent, bool is_card, const struct terminal *terminal,
                           struct text *out) {
  const struct topdown_node *leaf = loop->leaf == SIZE_MAX ? NULL : &view->tree->nodes[loop->leaf];
  struct text fact = {0};
  if (loop->result.is_sum_off) {
    text_printf(&fact,
                "level 1 adds up to %.0f %%: not all counters counted all the time, too few "
                "executions were read, or the PMU lies; don't "
                "trust these shares",
                100 * loop->result.level1_sum);
    add_fact(terminal, indent, "flagged: ", text_get(&fact), out);
  }
  if (!leaf) {
    add_none(view, loop, &fact);
    add_fact(terminal, indent, "hint: ", text_get(&fact), out);
    text_release(&fact);
    return;
  }
  text_clear(&fact);
  text_printf(&fact, "%s%s: %s", leaf->name, view->is_estimate ? " (estimate)" : "", leaf->hint);
  add_fact(terminal, indent, "hint: ", text_get(&fact), out);
  if (view->is_estimate)
    add_evidence(view, loop, indent, is_card, terminal, out);
  if (loop->source) {
    text_clear(&fact);
    text_printf(&fact, "%s:%u waits most", base_name(loop->source), loop->line);
    add_fact(terminal, indent, "where: ", text_get(&fact), out);
  } else if (*leaf->locate) {
    text_clear(&fact);
    text_printf(&fact, "perf record -e %s finds the lines", leaf->locate);
    add_fact(terminal, indent, "where: ", text_get(&fact), out);
  }
  text_release(&fact);
}

void topdown_view_add_tree(const struct topdown_view *view, const struct topdown_loop *loop,
                           size_t indent, bool is_card, const struct terminal *terminal,
                           struct text *out) {
  static const struct table_column columns[] = {{.title = "bucket"},
                                                {.title = "share", .right = true},
                                                {.title = "time", .right = true},
                                                {.title = ""}};
  if (loop->reason) {
    add_fact(terminal, indent, view->is_estimate ? "no estimate: " : "not known: ", loop->reason,
             out);
    return;
  }
  struct table table;
  table_init(&table, columns, sizeof(columns) / sizeof(columns[0]));
  add_rows(view, loop, "", indent, &table);
  table_print(&table, terminal, "", out);
  table_release(&table);
  add_conclusion(view, loop, indent, is_card, terminal, out);
}

/// "executions read: 28 level 1, 99 backend".
static void add_visits(const struct topdown_tree *tree, const struct topdown_loop *loop,
                       struct text *out) {
  const char *separator = "   executions read: ";
  for (size_t i = 0; i < tree->group_count; i++) {
    const char *parent = tree->groups[i].parent;
    if (!loop->input.groups[i].visits)
      continue;
    text_printf(out, "%s%s %s", separator, units_exact(loop->input.groups[i].visits).data,
                *parent ? parent : "level 1");
    separator = ", ";
  }
}

static void add_loop(const struct topdown_view *view, const struct topdown_loop *loop,
                     const struct terminal *terminal, struct text *out) {
  struct text name = {0}, place = {0};
  measurement_add_name(loop->loop, &name);
  measurement_add_place(loop->loop->loop, &place);
  terminal_printf(terminal, out, STYLE_HEADING, "L%zu %s %s", loop->loop->rank, text_get(&name),
                  text_get(&place));
  if (loop->loop->stats.total_ns.status == QUANTITY_OK)
    text_printf(out, "   %s in all", units_duration(loop->loop->stats.total_ns.value).data);
  if (!view->is_estimate)
    add_visits(view->tree, loop, out);
  text_add(out, "\n");
  topdown_view_add_tree(view, loop, 2, false, terminal, out);
  text_release(&name);
  text_release(&place);
}

void topdown_view_add(const struct measurement *m, const struct topdown_view *view, size_t most,
                      const struct terminal *terminal, struct text *out) {
  struct text state = {0};
  topdown_view_add_state(m, view, &state);
  terminal_add(terminal, out, STYLE_HEADING, "TOP-DOWN ");
  text_add_wrapped(out, text_get(&state), strlen("TOP-DOWN "), 2, terminal->width);
  text_add(out, "\n");
  text_release(&state);
  for (size_t i = 0; i < view->loop_count && i < most; i++) {
    text_add(out, i ? "\n" : "");
    add_loop(view, &view->loops[i], terminal, out);
  }
  if (view->loop_count > most)
    terminal_printf(terminal, out, STYLE_FAINT, "  and %zu more loops: --all\n",
                    view->loop_count - most);
}
