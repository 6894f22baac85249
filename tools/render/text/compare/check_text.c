// check_text.c - prints what regressed, by how much, and what that is of the program.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/render/text/compare/check_text.h"

#include "tools/model/measurement/measurement.h"
#include "tools/render/text/compare/diff_table.h"
#include "tools/render/text/compare/diff_text.h"
#include "tools/support/names.h"
#include "tools/support/units.h"
#include "tools/ui/table.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/// Rows that aren't a regression, and counts, unless all are asked for.
#define ROWS_MOST 10
/// Functions, unless all are asked for.
#define FUNCTIONS_MOST 5

static const struct table_column columns[] = {
    {.title = ""},                                    // verdict
    {.title = "", .narrowest = 8},                    // function
    {.title = "", .narrowest = 11, .keep_end = true}, // place
    {.title = "change", .right = true},
    {.title = "95 % interval", .right = true},
    {.title = "detectable", .right = true},
    {.title = "share", .right = true},
    {.title = "limit", .right = true},
};

static enum style style_of(enum check_verdict verdict) {
  switch (verdict) {
  case CHECK_REGRESSION:
    return STYLE_BAD;
  case CHECK_INCONCLUSIVE:
    return STYLE_CAUTION;
  default:
    return STYLE_GOOD;
  }
}

static struct told share_of(const struct diff_loop *loop) {
  return told_share(loop->b.loop ? loop->b.stats.share : loop->a.stats.share, false);
}

static const char *kind_of(const struct profile_loop *loop) {
  return loop->flags & RETICLE_LOOP_REGION      ? "region "
         : loop->flags & RETICLE_LOOP_ITERATION ? "iteration "
                                                : "";
}

static void add_place(const struct diff_loop *of, struct table *table) {
  const struct profile_loop *loop = check_loop_shown(of);
  struct text place = {0};
  char *name = check_loop_name(of);
  name_cut(name);
  table_printf(table, STYLE_PLAIN, "%s%s", kind_of(loop), name);
  measurement_add_place(loop, &place);
  table_add(table, STYLE_FAINT, text_get(&place));
  text_release(&place);
  free(name);
}

static void add_row(const struct check_row *row, struct table *table) {
  const struct diff_outcome *by = row->judged.by;
  table_add(table, style_of(row->judged.verdict), check_verdict_name(row->judged.verdict));
  if (row->loop) {
    add_place(row->loop, table);
  } else {
    table_add(table, STYLE_HEADING, "the program");
    table_add(table, STYLE_FAINT, row->time);
  }
  if (!by->is_known) {
    table_add_tail(table, STYLE_FAINT, row->judged.reason);
    return;
  }
  table_add(table, STYLE_HEADING, diff_change(by->change).data);
  table_add(table, STYLE_PLAIN, diff_interval(by).data);
  if (isinf(by->detectable))
    table_add(table, STYLE_FAINT, "none");
  else
    diff_detectable_add(table, by->detectable);
  table_add(table, STYLE_PLAIN, check_row_share(row).words);
  table_printf(table, row->budget ? STYLE_HEADING : STYLE_FAINT, "%.3g %%", 100 * row->limit);
}

static void add_rows(const struct check_result *result, bool all, const struct terminal *terminal,
                     struct text *out) {
  struct table table;
  size_t left = 0, open = 0;
  table_init(&table, columns, sizeof columns / sizeof *columns);
  for (size_t i = 0; i < result->count; i++) {
    const struct check_row *row = &result->rows[i];
    bool is_first = row->judged.verdict == CHECK_REGRESSION || !row->loop;
    bool is_quiet = row->judged.verdict == CHECK_SAME;
    if (!all && check_row_is_idle(result, row)) {
      open++;
      continue;
    }
    if (all || is_first || (!is_quiet && i < ROWS_MOST))
      add_row(row, &table);
    else
      left += !is_quiet;
  }
  table_print(&table, terminal, "", out);
  table_release(&table);
  if (left)
    text_printf(out, "  and %zu more: --all\n", left);
  if (open)
    text_printf(out, "  %s can't be told by %s: --all\n", units_counted(open, "loop").data,
                open == 1 ? "itself" : "themselves");
}

static struct units duration_or_none(double ns) {
  return ns > 0 ? units_duration(ns) : (struct units){"none"};
}

/// Which functions the change is in, also where loops of them have no counterpart.
static void add_functions(const struct function_changes *changes, bool all,
                          const struct terminal *terminal, struct text *out) {
  static const struct table_column shown[] = {
      {.title = "change", .right = true}, {.title = "95 % interval", .right = true},
      {.title = "", .narrowest = 8},      {.title = "base", .right = true},
      {.title = "head", .right = true},
  };
  struct table table;
  if (!changes->count)
    return;
  terminal_add(terminal, out, STYLE_HEADING, "FUNCTIONS");
  text_add(out, " by samples: their own time a run, of the base's CPU time\n");
  table_init(&table, shown, sizeof shown / sizeof *shown);
  for (size_t i = 0; i < changes->count && (all || i < FUNCTIONS_MOST); i++) {
    const struct function_change *change = &changes->items[i];
    table_printf(&table, change->worth.value > 0 ? STYLE_BAD : STYLE_GOOD, "%+.1f %%",
                 100 * change->worth.value);
    table_printf(&table, STYLE_PLAIN, "%+.1f to %+.1f %%", 100 * change->worth.low,
                 100 * change->worth.high);
    table_add(&table, STYLE_PLAIN, change->name);
    table_add(&table, STYLE_PLAIN, duration_or_none(change->base_ns).data);
    table_add(&table, STYLE_PLAIN, duration_or_none(change->head_ns).data);
  }
  table_print(&table, terminal, "", out);
  table_release(&table);
  if (!all && changes->count > FUNCTIONS_MOST)
    text_printf(out, "  and %zu more: --all\n", changes->count - FUNCTIONS_MOST);
}

/// Loops that only one side has: what they take shows in the program's row alone.
static void add_single(const struct check_result *result, bool all, const struct terminal *terminal,
                       struct text *out) {
  for (size_t i = 0, shown = 0; i < result->comparison.diff.count; i++) {
    const struct diff_loop *loop = &result->comparison.diff.loops[i];
    bool is_single = loop->verdict == DIFF_ONLY_A || loop->verdict == DIFF_ONLY_B;
    struct told share = share_of(loop);
    if (!is_single || (!all && (!(share.value >= CHECK_SHARE_LEAST) || shown == ROWS_MOST)))
      continue;
    struct text line = {0}, place = {0};
    char *name = check_loop_name(loop);
    name_cut(name);
    measurement_add_place(check_loop_shown(loop), &place);
    text_printf(&line, "  in %s alone: %s%s %s, %s of the time",
                loop->verdict == DIFF_ONLY_A ? "base" : "head", kind_of(check_loop_shown(loop)),
                name, text_get(&place), share.words);
    text_add_wrapped(out, text_get(&line), 0, 4, terminal->width);
    text_add(out, "\n");
    text_release(&line);
    text_release(&place);
    free(name);
    shown++;
  }
}

static void add_line(const struct text *line, const struct terminal *terminal, struct text *out) {
  text_add_wrapped(out, line->data, 0, 4, terminal->width);
  text_add(out, "\n");
}

static void add_counted(const struct counted_changes *counted, bool all,
                        const struct terminal *terminal, struct text *out) {
  for (size_t i = 0; i < counted->count && (all || i < ROWS_MOST); i++) {
    const struct counted_change *change = &counted->counts[i];
    struct text line = {0};
    text_printf(&line, "  %s a run: %.0f, were %.0f   %s",
                change->is_access ? "accesses" : "allocations", change->b, change->a, change->name);
    add_line(&line, terminal, out);
    text_release(&line);
  }
  if (!all && counted->count > ROWS_MOST)
    text_printf(out, "  and %zu more: --all\n", counted->count - ROWS_MOST);
  if (counted->unknown)
    text_printf(out, "  fields and allocations aren't known: %s\n", counted->unknown);
}

/// "hash at 24, was 16".
static void add_member(const struct moved_member *member, struct text *line) {
  text_printf(line, "; %s ", member->name);
  if (member->offset_b == MEMBER_NONE)
    text_add(line, "is gone");
  else if (member->offset_a == MEMBER_NONE)
    text_printf(line, "at %u is new", member->offset_b);
  else
    text_printf(line, "at %u, was %u", member->offset_b, member->offset_a);
}

/// Fields that are used together, and drifted apart.
static void add_parted(const struct parted_group *group, const struct terminal *terminal,
                       struct text *out) {
  struct text line = {0};
  text_printf(&line, "    used together, in %s, was %zu: ",
              units_counted(group->lines_b, "cache line").data, group->lines_a);
  text_printf(&line, "{%s} in %s", text_get(&group->fields), text_get(&group->place));
  add_line(&line, terminal, out);
  text_release(&line);
}

static void add_layouts(const struct counted_changes *counted, bool all,
                        const struct terminal *terminal, struct text *out) {
  if (!counted->struct_count)
    return;
  terminal_add(terminal, out, STYLE_HEADING, "LAYOUT");
  text_add(out, " of structs that differs, bytes\n");
  for (size_t i = 0; i < counted->struct_count && (all || i < ROWS_MOST); i++) {
    const struct moved_struct *moved = &counted->structs[i];
    struct text line = {0};
    text_printf(&line, "  %s: %u", moved->name, moved->bytes_b);
    if (moved->bytes_a != moved->bytes_b)
      text_printf(&line, ", was %u", moved->bytes_a);
    for (size_t k = 0; k < moved->count && (all || k < ROWS_MOST); k++)
      add_member(&moved->members[k], &line);
    if (!all && moved->count > ROWS_MOST)
      text_printf(&line, "; and %zu more", moved->count - ROWS_MOST);
    add_line(&line, terminal, out);
    text_release(&line);
    for (size_t k = 0; k < moved->parted_count && (all || k < ROWS_MOST); k++)
      add_parted(&moved->parted[k], terminal, out);
  }
}

static void add_counts(const struct check_result *result, const struct counted_changes *counted,
                       bool all, const struct terminal *terminal, struct text *out) {
  bool has_counted = counted && (counted->count || counted->unknown);
  if (!result->count_count && !has_counted)
    return;
  terminal_add(terminal, out, STYLE_HEADING, "COUNTS");
  text_add(out, " that differ, the same in all runs of a side\n");
  for (size_t i = 0; i < result->count_count && (all || i < ROWS_MOST); i++) {
    const struct check_count *count = &result->counts[i];
    struct text line = {0}, place = {0};
    char *name = check_loop_name(count->loop);
    name_cut(name);
    measurement_add_place(check_loop_shown(count->loop), &place);
    text_printf(&line, "  executions a run: %.0f, were %.0f   %s %s", count->b, count->a, name,
                text_get(&place));
    text_add_wrapped(out, text_get(&line), 0, 4, terminal->width);
    text_add(out, "\n");
    text_release(&line);
    text_release(&place);
    free(name);
  }
  if (!all && result->count_count > ROWS_MOST)
    text_printf(out, "  and %zu more: --all\n", result->count_count - ROWS_MOST);
  if (counted)
    add_counted(counted, all, terminal, out);
}

static void add_summary(const struct check_result *result, const char *needs,
                        const struct terminal *terminal, struct text *out) {
  struct text line = {0};
  terminal_printf(terminal, out, style_of(result->verdict), "%s",
                  check_verdict_name(result->verdict));
  static const char *const words[CHECK_VERDICTS] = {"regressed", "improved", "inconclusive",
                                                    "the same"};
  for (size_t i = 0; i < CHECK_VERDICTS; i++)
    text_printf(&line, "%s%zu %s", i ? ", " : ": ", result->verdicts[i], words[i]);
  text_printf(&line,
              " of %s and the program; limit %.3g %%, equal ones called different "
              "in under 1 %% of checks",
              units_counted(result->comparison.diff.tested, "loop").data, 100 * result->limit);
  text_add_wrapped(out, text_get(&line), strlen(check_verdict_name(result->verdict)), 2,
                   terminal->width);
  text_add(out, "\n");
  if (result->runs_least)
    text_printf(
        out,
        "nothing is called slower or faster before %zu runs a side in turn: by chance one may "
        "have all of\n  the slower ones\n",
        result->runs_least);
  if (result->verdict == CHECK_INCONCLUSIVE)
    text_printf(out, "to decide it: %s\n",
                *needs ? needs : "a calmer machine, or runs with more executions");
  text_release(&line);
}

static void add_next(const struct check_result *result, const struct terminal *terminal,
                     struct text *out) {
  struct text command = {0};
  const struct diff_loop *first = NULL;
  for (size_t i = 0; i < result->count && !first; i++)
    if (result->rows[i].judged.verdict == result->verdict)
      first = result->rows[i].loop;
  if (first)
    text_printf(&command, "reticle show %016" PRIx64, check_loop_shown(first)->id);
  else
    text_add(&command, "reticle report");
  comparison_add_operands(&result->comparison.b, &command);
  text_add(out, "next: ");
  terminal_add(terminal, out, STYLE_COMMAND, text_get(&command));
  text_add(out, "\n");
  text_release(&command);
}

/// A change that nothing executed is not measured, whatever the verdict.
static void add_changed(const struct changed_lines *changed, const struct terminal *terminal,
                        struct text *out) {
  struct text line = {0};
  bool is_missed = changed->unknown || (changed->with_code && !changed->executed);
  text_add(&line, ": ");
  changed_lines_add(changed, &line);
  terminal_add(terminal, out, is_missed ? STYLE_CAUTION : STYLE_HEADING, "changed lines");
  text_add_wrapped(out, text_get(&line), strlen("changed lines"), 2, terminal->width);
  text_add(out, "\n");
  text_release(&line);
}

/// A program that prints something else may do less.
static void add_output(enum check_output output, const struct terminal *terminal,
                       struct text *out) {
  static const char *const words[CHECK_OUTPUTS] = {
      "", "the same in all runs", "head's differs from the base's: its work may, too",
      "differs from run to run, so it isn't compared"};
  if (output == CHECK_OUTPUT_UNKNOWN)
    return;
  bool is_bad = output == CHECK_OUTPUT_DIFFERS;
  terminal_add(terminal, out, is_bad ? STYLE_CAUTION : STYLE_HEADING, "output");
  text_printf(out, ": %s\n", words[output]);
}

void check_text_add(const struct check_result *result, const char *needs,
                    const struct changed_lines *changed, const struct counted_changes *counted,
                    bool all, const struct terminal *terminal, struct text *out) {
  diff_side_add(&result->comparison.a, "base", terminal, out);
  diff_side_add(&result->comparison.b, "head", terminal, out);
  diff_notes_add(&result->comparison, terminal, out);
  text_add(out, "\n");
  add_rows(result, all, terminal, out);
  add_functions(&result->functions, all, terminal, out);
  add_single(result, all, terminal, out);
  add_counts(result, counted, all, terminal, out);
  if (counted)
    add_layouts(counted, all, terminal, out);
  if (changed)
    add_changed(changed, terminal, out);
  add_output(result->output, terminal, out);
  text_add(out, "\n");
  add_summary(result, needs, terminal, out);
  add_next(result, terminal, out);
}
