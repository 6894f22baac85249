// check_result.c - judges each loop and the program, and puts what matters first.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/model/compare/check_result.h"

#include "tools/analysis/run/account.h"
#include "tools/model/compare/counted_changes.h"
#include "tools/support/memory.h"
#include "tools/support/names.h"
#include "tools/support/problem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/// What times of whole runs differ by at least, a logarithm: diff_test reckons with no less.
#define PROGRAM_SPREAD 0.005
/// CPU and wall time.
#define PROGRAM_ROWS 2
/// More runs a side aren't asked for.
#define RUNS_MOST 500
/// Of the time that its threads lived, a program that doesn't wait is blocked for no more.
#define BLOCKED_MOST 0.15
/// Nor for longer in a run: that is its start and its end.
#define BLOCKED_MOST_NS 10e6

/// What executions as half of them are take of the CPU time of a side's runs: where a few that were
/// held up leave the total unknown, that isn't little.
static double usual_share(const struct loop_stats *stats, const struct compared_side *side) {
  double cpu_ns = 0;
  for (size_t i = 0; i < side->merged.merged_count; i++)
    cpu_ns += (double)side->profiles[i]->env.cpu_ns;
  if (stats->p50_ns.status != QUANTITY_OK || !(cpu_ns > 0))
    return 0;
  return stats->p50_ns.value * (double)stats->executions / cpu_ns;
}

/// head_over_base  CPU time of head's runs over that of the base's
static void set_shares(const struct comparison *comparison, const struct diff_loop *loop,
                       double head_over_base, struct check_row *row) {
  struct quantity a = loop->a.stats.share, b = loop->b.stats.share;
  double share_a = a.status == QUANTITY_OK ? a.value : usual_share(&loop->a.stats, &comparison->a);
  double share_b = b.status == QUANTITY_OK ? b.value : usual_share(&loop->b.stats, &comparison->b);
  row->share = fmin(1, fmax(share_a, share_b));
  row->stake = fmin(1, fmax(share_a, share_b * head_over_base));
  row->told_share = share_b >= share_a && b.status == QUANTITY_OK ? b : a;
  row->base_share = a.status == QUANTITY_OK ? a : row->told_share;
}

static struct quantity all_of_it(void) { return quantity_of(1, 1, 1); }

static void add_row(struct check_result *out, struct check_row row, size_t error_parts) {
  if (row.judged.verdict == CHECK_INCONCLUSIVE && row.judged.by->is_known) {
    size_t least = check_runs_least(error_parts),
           needed =
               check_runs_needed(row.judged.by, row.budget ? 1 : row.stake, row.limit, RUNS_MOST);
    row.runs_needed = needed && needed < least ? least : needed;
  }
  out->verdicts[row.judged.verdict]++;
  out->rows[out->count++] = row;
}

static size_t error_parts(const struct check_limits *limits) {
  return check_error_parts(limits->looks, !limits->has_more);
}

/// In turn, of the side that has fewer.
static double runs_of(const struct comparison *c) {
  return fmin(c->diff.design.turns_a, c->diff.design.turns_b);
}

/// A time of a run, ns.
typedef double run_time_fn(const struct profile *run);

static double cpu_time(const struct profile *run) { return (double)run->env.cpu_ns; }

static double wall_time(const struct profile *run) {
  const struct profile_env *env = &run->env;
  return env->timer_hz ? (double)overview_run_ticks(env) * 1e9 / (double)env->timer_hz : 0;
}

/// Levels of a side's runs; [side->merged.merged_count].
static struct diff_level *levels_of(const struct compared_side *side, run_time_fn *time_of,
                                    double *mean_s) {
  size_t count = side->merged.merged_count;
  struct diff_level *levels = memory_zeroed(count, sizeof *levels);
  *mean_s = 0;
  for (size_t i = 0; i < count; i++) {
    double ns = time_of(side->profiles[i]);
    levels[i] = (struct diff_level){log(fmax(ns, 1)), PROGRAM_SPREAD};
    *mean_s += ns * 1e-9 / (double)count;
  }
  return levels;
}

static const char wall_words[] = "wall time";

/// A row of the program as a whole. means_s  [2] gets what runs of both sides take
static void judge_time(const struct check_limits *limits, const char *time, run_time_fn *time_of,
                       struct check_result *out, struct diff_outcome *outcome, double *means_s) {
  struct comparison *c = &out->comparison;
  struct diff_level *a = levels_of(&c->a, time_of, &means_s[0]),
                    *b = levels_of(&c->b, time_of, &means_s[1]);
  const struct diff_side side_a = {a, c->a.merged.merged_count},
                         side_b = {b, c->b.merged.merged_count};
  struct diff_design design = c->diff.design;
  size_t parts = error_parts(limits);
  design.tests = parts; // a family of its own beside that of the loops
  if (fmin(design.turns_a, design.turns_b) >= DIFF_RUNS)
    *outcome = diff_test(&side_a, &side_b, &design, log1p(limits->regress));
  const struct check_budget budget = {limits->regress, false, parts, runs_of(c), limits->has_more};
  add_row(out,
          (struct check_row){.time = time,
                             .judged = check_judge_program(outcome, &budget),
                             .share = 1,
                             .stake = 1,
                             .told_share = all_of_it(),
                             .base_share = all_of_it(),
                             .limit = limits->regress},
          parts);
  free(a);
  free(b);
}

/// Whether the side's threads wait for anything but a processor, so that CPU time isn't all. Where
/// it isn't known what they wait for, all of it counts.
static bool is_waiting(const struct compared_side *side) {
  struct account account = account_of(&side->merged, &side->overview);
  const struct profile_env *env = &side->merged.env;
  double lived_ns =
      env->timer_hz ? (double)overview_lives_ticks(env) * 1e9 / (double)env->timer_hz : 0;
  double blocked_ns = account.blocked_ns.status == QUANTITY_OK ? account.blocked_ns.value
                                                               : lived_ns - (double)env->cpu_ns;
  double runs = (double)side->merged.merged_count;
  return blocked_ns > fmax(BLOCKED_MOST * lived_ns, BLOCKED_MOST_NS * runs);
}

static void judge_program(const struct check_limits *limits, struct check_result *out) {
  double cpu_s[2], wall_s[2];
  judge_time(limits, "CPU time", cpu_time, out, &out->cpu, cpu_s);
  out->cpu_a_s = cpu_s[0];
  out->cpu_b_s = cpu_s[1];
  if (is_waiting(&out->comparison.a) || is_waiting(&out->comparison.b))
    judge_time(limits, wall_words, wall_time, out, &out->wall, wall_s);
}

static void judge_loops(const struct check_limits *limits, struct check_result *out) {
  double head_over_base = out->cpu_a_s > 0 ? out->cpu_b_s / out->cpu_a_s : 1;
  for (size_t i = 0; i < out->comparison.diff.count; i++) {
    const struct diff_loop *loop = &out->comparison.diff.loops[i];
    const struct budget *own =
        limits->budgets ? budgets_find(limits->budgets, check_loop_shown(loop)) : NULL;
    const struct check_budget budget = {own ? own->limit : limits->regress, own != NULL,
                                        error_parts(limits), runs_of(&out->comparison),
                                        limits->has_more};
    struct check_row row = {.loop = loop, .limit = budget.limit, .budget = own ? own->name : NULL};
    set_shares(&out->comparison, loop, head_over_base, &row);
    if (check_judge_loop(loop, row.share, row.stake, &budget, &row.judged))
      add_row(out, row, budget.error_parts);
  }
}

/// Of the program's times: one that can't be told leaves all open, one that improved is one.
static enum check_verdict program_verdict(const struct check_result *result) {
  bool has[CHECK_VERDICTS] = {false};
  for (size_t i = 0; i < result->count; i++)
    if (!result->rows[i].loop)
      has[result->rows[i].judged.verdict] = true;
  return has[CHECK_REGRESSION]     ? CHECK_REGRESSION
         : has[CHECK_INCONCLUSIVE] ? CHECK_INCONCLUSIVE
         : has[CHECK_IMPROVEMENT]  ? CHECK_IMPROVEMENT
                                   : CHECK_SAME;
}

/// A loop that says nothing by itself is no slower either where the program isn't, and nothing got
/// faster that could hide it.
static void settle(struct check_result *out) {
  if (program_verdict(out) != CHECK_SAME || out->verdicts[CHECK_IMPROVEMENT])
    return;
  for (size_t i = 0; i < out->count; i++) {
    struct check_row *row = &out->rows[i];
    if (row->judged.verdict != CHECK_INCONCLUSIVE || row->budget)
      continue;
    row->judged.verdict = CHECK_SAME;
    row->judged.reason = "the program takes no longer, and nothing got faster";
    row->runs_needed = 0;
    out->verdicts[CHECK_INCONCLUSIVE]--;
    out->verdicts[CHECK_SAME]++;
  }
}

/// Executions of the loop where all runs of the side have as many; NaN where they don't.
static double executions_of(const struct compared_side *side, uint64_t id) {
  double executions = NAN;
  for (size_t i = 0; i < side->merged.merged_count; i++) {
    double own = 0;
    for (size_t j = 0; j < side->profiles[i]->loop_count; j++)
      if (side->profiles[i]->loops[j].id == id)
        own += (double)side->profiles[i]->loops[j].executions;
    if (i && own != executions)
      return NAN;
    executions = own;
  }
  return executions;
}

static int compare_counts(const void *left, const void *right) {
  const struct check_count *a = left, *b = right;
  double by_a = fabs(log((a->b + 1) / (a->a + 1))), by_b = fabs(log((b->b + 1) / (b->a + 1)));
  return (by_a < by_b) - (by_a > by_b);
}

static void find_counts(struct check_result *out) {
  struct comparison *c = &out->comparison;
  out->counts = memory_zeroed(c->diff.count + 1, sizeof *out->counts);
  if (c->a.merged.merged_count < COUNTED_RUNS_LEAST ||
      c->b.merged.merged_count < COUNTED_RUNS_LEAST)
    return;
  for (size_t i = 0; i < c->diff.count; i++) {
    const struct diff_loop *loop = &c->diff.loops[i];
    if (!loop->a.loop || !loop->b.loop)
      continue;
    double a = executions_of(&c->a, loop->a.loop->id), b = executions_of(&c->b, loop->b.loop->id);
    if (!isnan(a) && !isnan(b) && a != b)
      out->counts[out->count_count++] = (struct check_count){loop, a, b};
  }
  qsort(out->counts, out->count_count, sizeof *out->counts, compare_counts);
}

/// What the loss, or the gain, is worth: for the order.
static double weight(const struct check_row *row) {
  const struct diff_outcome *by = row->judged.by;
  return row->loop ? (fabs(by->change) + by->half_width) * row->share : INFINITY;
}

static int compare_rows(const void *left, const void *right) {
  const struct check_row *a = left, *b = right;
  double weight_a = weight(a), weight_b = weight(b);
  if (a->judged.verdict != b->judged.verdict)
    return a->judged.verdict < b->judged.verdict ? -1 : 1;
  return (weight_a < weight_b) - (weight_a > weight_b);
}

/// Whether the check is inconclusive with it: its time as a whole, or what has a budget of its own.
static bool is_binding(const struct check_row *row) { return !row->loop || row->budget; }

static enum check_verdict verdict_of(const struct check_result *result, bool has_more) {
  struct check_rows rows = {.program = program_verdict(result), .has_more = has_more};
  memcpy(rows.verdicts, result->verdicts, sizeof rows.verdicts);
  for (size_t i = 0; i < result->count; i++)
    rows.is_own_open |=
        is_binding(&result->rows[i]) && result->rows[i].judged.verdict == CHECK_INCONCLUSIVE;
  return check_judge_all(&rows);
}

int check_result_load(char *const *a, size_t count_a, char *const *b, size_t count_b,
                      const struct check_limits *limits, struct check_result *out,
                      struct problems *problems) {
  *out = (struct check_result){.limit = limits->regress};
  int status = (limits->is_one_program ? comparison_load_any : comparison_load)(
      a, count_a, b, count_b, error_parts(limits), &out->comparison, problems);
  if (status != PROBLEM_NONE)
    return status;
  out->rows = memory_zeroed(out->comparison.diff.count + PROGRAM_ROWS, sizeof *out->rows);
  judge_program(limits, out);
  judge_loops(limits, out);
  if (!limits->has_more) {
    settle(out);
    function_changes_load(a, count_a, b, count_b, error_parts(limits), &out->functions);
  }
  find_counts(out);
  qsort(out->rows, out->count, sizeof *out->rows, compare_rows);
  out->verdict = verdict_of(out, limits->has_more);
  out->runs_least = check_runs_least(error_parts(limits));
  if (runs_of(&out->comparison) >= (double)out->runs_least)
    out->runs_least = 0;
  for (size_t i = 0; i < out->count; i++) {
    const struct check_row *row = &out->rows[i];
    if (row->judged.verdict == CHECK_INCONCLUSIVE && is_binding(row) &&
        row->runs_needed > out->runs_needed)
      out->runs_needed = row->runs_needed;
  }
  if (!out->runs_needed && !out->cpu.is_known)
    out->runs_needed = out->runs_least;
  return PROBLEM_NONE;
}

void check_result_release(struct check_result *result) {
  free(result->rows);
  free(result->counts);
  function_changes_release(&result->functions);
  comparison_release(&result->comparison);
  *result = (struct check_result){0};
}

struct quantity check_row_change(const struct check_row *row) {
  const struct diff_outcome *by = row->judged.by;
  if (!by->is_known)
    return quantity_none(QUANTITY_TOO_FEW, row->judged.reason);
  return quantity_of(expm1(by->change), expm1(by->change - by->half_width),
                     expm1(by->change + by->half_width));
}

struct quantity check_row_detectable(const struct check_row *row) {
  const struct diff_outcome *by = row->judged.by;
  if (!by->is_known)
    return quantity_none(QUANTITY_TOO_FEW, row->judged.reason);
  if (isinf(by->detectable))
    return quantity_none(QUANTITY_TOO_FEW, "few executions a run: needs more runs a side");
  double share = expm1(by->detectable);
  return quantity_of(share, share, share);
}

struct quantity check_row_worth(const struct check_row *row) {
  struct quantity change = check_row_change(row), share = row->base_share;
  if (change.status != QUANTITY_OK || share.status != QUANTITY_OK)
    return change.status != QUANTITY_OK ? change : share;
  struct told told = told_share(share, false);
  if (isnan(told.value))
    return quantity_none(QUANTITY_TOO_FEW, told.reason);
  return quantity_of(change.value * told.value,
                     fmin(change.low * share.low, change.low * share.high),
                     fmax(change.high * share.low, change.high * share.high));
}

struct told check_row_share(const struct check_row *row) {
  return told_share(row->told_share, false);
}

const struct profile_loop *check_loop_shown(const struct diff_loop *loop) {
  return loop->b.loop ? loop->b.loop : loop->a.loop;
}

char *check_loop_name(const struct diff_loop *loop) {
  const struct profile_loop *shown = check_loop_shown(loop);
  return function_short_name(*shown->inlined_from ? shown->inlined_from : shown->function);
}

const char *check_output_name(enum check_output output) {
  static const char *const names[CHECK_OUTPUTS] = {"", "same", "differs", "varies"};
  return names[output];
}

bool check_row_is_wall(const struct check_row *row) { return row->time == wall_words; }

bool check_row_is_idle(const struct check_result *result, const struct check_row *row) {
  return result->verdict != CHECK_INCONCLUSIVE && row->judged.verdict == CHECK_INCONCLUSIVE &&
         !is_binding(row);
}

bool check_row_is_listed(const struct check_row *row) {
  return row->judged.verdict == CHECK_REGRESSION || row->judged.verdict == CHECK_INCONCLUSIVE;
}

const struct profile_loop *check_row_loop(const struct check_row *row) {
  return row->loop ? check_loop_shown(row->loop) : NULL;
}

char *check_row_name(const struct check_row *row) {
  if (row->loop) {
    char *name = check_loop_name(row->loop);
    name_cut(name);
    return name;
  }
  return text_copy(check_row_is_wall(row) ? "the program's wall time" : "the program");
}

const char *check_row_file(const struct check_row *row, const char *here) {
  const struct profile_loop *loop = check_row_loop(row);
  size_t length = strlen(here);
  if (!loop)
    return "";
  bool is_below = strncmp(loop->file, here, length) == 0 && loop->file[length] == '/';
  return is_below ? loop->file + length + 1 : loop->file;
}

void check_row_message(const struct check_row *row, struct text *out) {
  struct quantity change = check_row_change(row), worth = check_row_worth(row);
  if (change.status != QUANTITY_OK) {
    text_printf(out, "not known: %s", change.reason);
    return;
  }
  const struct profile_loop *loop = check_row_loop(row);
  if (!loop)
    text_printf(out, "the runs' %s is", row->time);
  else
    text_add(out, loop->flags & RETICLE_LOOP_ITERATION ? "iterations take" : "executions take");
  text_printf(out, " %.1f %% %s (%+.1f to %+.1f %%)", 100 * fabs(change.value),
              change.value < 0 ? "less" : "longer", 100 * change.low, 100 * change.high);
  if (loop && worth.status == QUANTITY_OK)
    text_printf(out, ", %s%.1f %% of the base's time",
                told_share(row->base_share, false).is_least ? "at least " : "",
                100 * fabs(worth.value));
  text_printf(out, "; limit %.3g %%", 100 * row->limit);
}
