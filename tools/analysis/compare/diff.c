// diff.c - compares the levels of all loops of two sets of runs; constants: docs/method/diff.md.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/analysis/compare/diff.h"

#include "tools/analysis/compare/diff_parts.h"
#include "tools/analysis/loop/loop_sample.h"
#include "tools/analysis/run/overview.h"
#include "tools/support/memory.h"

#include <math.h>
#include <stdlib.h>

/// Timer steps by which a difference must exceed nothing.
#define FLOOR_STEPS 2
/// Shares of the processors that differ by this much are different. Measured: 0.4 of a processor on
/// a crowded machine, on which a scan of 1 MB took 2.4 times as long, against 1.0.
#define SHARE_CHANGE 0.1

/// One loop while it is compared: levels [runs of the side that could be compared].
struct work {
  struct diff_level *mean, *median;
  size_t count;
  double step_ns;
  enum quantity_status status; ///< of the last run that could not be compared
  const char *reason;
};

static const struct profile_loop *find_loop(const struct profile *profile, uint64_t id) {
  for (size_t i = 0; i < profile->loop_count; i++)
    if (profile->loops[i].id == id)
      return &profile->loops[i];
  return NULL;
}

/// The loop in one run. Returns whether it is there.
static bool run_of(const struct diff_runs *side, size_t i, uint64_t id, struct diff_run *out) {
  const struct profile_loop *loop = find_loop(side->runs[i], id);
  if (side->known) {
    const struct diff_run *known =
        loop ? side->known->run(side->known->of, side->runs[i], id) : NULL;
    if (known)
      *out = *known;
    return known != NULL;
  }
  if (loop)
    *out = diff_run_of(loop, &side->runs[i]->env, side->floor);
  return loop;
}

/// Levels of the loop in all runs of a side. work: its arrays hold side->count.
static void take_levels(const struct diff_runs *side, uint64_t id, struct work *work) {
  work->count = 0;
  work->step_ns = 0;
  work->status = QUANTITY_TOO_FEW;
  work->reason = "not executed";
  for (size_t i = 0; i < side->count; i++) {
    struct diff_run run;
    if (!run_of(side, i, id, &run))
      continue;
    if (run.status != QUANTITY_OK) {
      work->status = run.status;
      work->reason = run.reason;
      continue;
    }
    work->step_ns = fmax(work->step_ns, run.step_ns);
    work->mean[work->count] = run.mean;
    work->median[work->count++] = run.median;
  }
}

/// Smallest difference that the timer tells and a pair in another place doesn't make, over the
/// shortest of the levels.
static double floor_share(const struct diff_runs *a, const struct diff_runs *b,
                          const struct work *in_a, const struct work *in_b,
                          const struct diff_level *levels_a, const struct diff_level *levels_b) {
  double least = fmax(FLOOR_STEPS * fmax(in_a->step_ns, in_b->step_ns), LOOP_PAIR_NS);
  double shortest = INFINITY;
  const struct quantity *floors[] = {&a->floor->t_diff_ns, &b->floor->t_diff_ns};
  for (size_t i = 0; i < 2; i++)
    if (floors[i]->status == QUANTITY_OK)
      least = fmax(least, floors[i]->value);
  for (size_t i = 0; i < in_a->count; i++)
    shortest = fmin(shortest, levels_a[i].log_ns);
  for (size_t i = 0; i < in_b->count; i++)
    shortest = fmin(shortest, levels_b[i].log_ns);
  return least / exp(shortest);
}

/// Tests both levels with what `work` holds.
static void test_levels(const struct diff_runs *a, const struct diff_runs *b,
                        const struct work *in_a, const struct work *in_b,
                        const struct diff_design *design, struct diff_loop *loop) {
  if (!in_a->count || !in_b->count)
    return;
  struct diff_side mean_a = {in_a->mean, in_a->count}, mean_b = {in_b->mean, in_b->count};
  struct diff_side median_a = {in_a->median, in_a->count}, median_b = {in_b->median, in_b->count};
  double share = floor_share(a, b, in_a, in_b, in_a->mean, in_b->mean);
  loop->mean = diff_test(&mean_a, &mean_b, design, diff_relevant(design, share));
  share = floor_share(a, b, in_a, in_b, in_a->median, in_b->median);
  loop->median = diff_test(&median_a, &median_b, design, diff_relevant(design, share));
}

static void describe(const struct diff_runs *side, const struct profile_loop *loop,
                     struct diff_loop_side *out) {
  *out = (struct diff_loop_side){.loop = loop};
  if (!loop) {
    out->mean_ns = out->p50_ns = out->total_ns = quantity_none(QUANTITY_TOO_FEW, "not executed");
    return;
  }
  if (side->known)
    side->known->stats(side->known->of, loop->id, &out->stats);
  else
    out->stats = loop_analyse(loop, &side->merged->env, side->floor, NULL);
  out->executions = (double)loop->executions / (double)side->count;
  out->mean_ns = out->stats.mean_ns;
  out->p50_ns = out->stats.p50_ns;
}

static struct quantity level_of(struct diff_estimate level) {
  return quantity_of(exp(level.log_ns), exp(level.log_ns - level.half_width),
                     exp(level.log_ns + level.half_width));
}

/// The time of a recursive loop's executions, which contain each other, is not their sum.
static struct quantity total_of(const struct diff_loop_side *side) {
  if (side->mean_ns.status != QUANTITY_OK || side->stats.total_ns.status != QUANTITY_OK)
    return side->mean_ns.status != QUANTITY_OK ? side->mean_ns : side->stats.total_ns;
  return side->stats.is_recursive
             ? quantity_none(QUANTITY_UNSUPPORTED, "recursive: its executions contain each other")
             : quantity_scaled(side->mean_ns, side->executions);
}

/// B less A; the intervals' widths add up.
static struct quantity change_of(struct quantity a, struct quantity b) {
  if (a.status != QUANTITY_OK)
    return a;
  if (b.status != QUANTITY_OK)
    return b;
  return quantity_of(b.value - a.value, b.low - a.high, b.high - a.low);
}

/// All that is shown of a loop is of the levels that were compared: of the samples of all runs
/// together, a run that was disturbed has as much of the mean as it took.
static void show_levels(struct diff_loop *loop) {
  if (loop->mean.is_known) {
    loop->a.mean_ns = level_of(loop->mean.a);
    loop->b.mean_ns = level_of(loop->mean.b);
  }
  if (loop->median.is_known) {
    loop->a.p50_ns = level_of(loop->median.a);
    loop->b.p50_ns = level_of(loop->median.b);
  }
  if (loop->a.loop)
    loop->a.total_ns = total_of(&loop->a);
  if (loop->b.loop)
    loop->b.total_ns = total_of(&loop->b);
  loop->total_change_ns = change_of(loop->a.total_ns, loop->b.total_ns);
}

/// The status of what could not be compared. a, b: of the loop's last attempts.
static void explain(const struct work *a, const struct work *b, struct diff_loop *loop) {
  const struct work *side = a->count ? b : a;
  if (a->count && b->count) {
    loop->verdict = DIFF_TOO_FEW;
    loop->reason = "under 30 samples in a run: needs 3 runs a side, in turn";
    return;
  }
  loop->verdict = side->status == QUANTITY_BELOW_FLOOR ? DIFF_BELOW_FLOOR : DIFF_TOO_FEW;
  loop->reason = side->reason;
}

/// Fills in one loop with the tests of `design`. in_a, in_b: scratch.
static void compare_pair(const struct diff_runs *a, const struct diff_runs *b,
                         const struct diff_design *design, struct work *in_a, struct work *in_b,
                         struct diff_loop *loop) {
  take_levels(a, loop->a.loop->id, in_a);
  take_levels(b, loop->b.loop->id, in_b);
  loop->a.runs = in_a->count;
  loop->b.runs = in_b->count;
  test_levels(a, b, in_a, in_b, design, loop);
  if (!loop->mean.is_known)
    explain(in_a, in_b, loop);
}

static struct work work_for(size_t count) {
  return (struct work){.mean = memory_zeroed(count, sizeof(struct diff_level)),
                       .median = memory_zeroed(count, sizeof(struct diff_level))};
}

static void work_release(struct work *work) {
  free(work->mean);
  free(work->median);
}

/// Tests all loops, and decides when it is known how many there are.
static void test_all(const struct diff_runs *a, const struct diff_runs *b, size_t error_parts,
                     struct diff *diff) {
  struct work in_a = work_for(a->count), in_b = work_for(b->count);
  for (size_t i = 0; i < diff->count; i++) {
    struct diff_loop *loop = &diff->loops[i];
    if (!loop->a.loop || !loop->b.loop)
      continue;
    compare_pair(a, b, &diff->design, &in_a, &in_b, loop);
    diff->tested += loop->mean.is_known;
  }
  diff->design.tests = 2 * diff->tested * error_parts;
  for (size_t i = 0; i < diff->count; i++) {
    show_levels(&diff->loops[i]);
    if (diff->loops[i].mean.is_known) {
      diff_decide(&diff->loops[i].mean, diff->design.tests);
      diff_decide(&diff->loops[i].median, diff->design.tests);
    }
  }
  work_release(&in_a);
  work_release(&in_b);
}

static void take_pairs(const struct diff_runs *a, const struct diff_runs *b, diff_name_fn *name_of,
                       struct diff *diff) {
  struct diff_pair *pairs;
  size_t count;
  diff_match(a->merged, b->merged, name_of, &pairs, &count);
  diff->loops = memory_zeroed(count + 1, sizeof *diff->loops);
  for (size_t i = 0; i < count; i++) {
    struct diff_loop *loop = &diff->loops[i];
    *loop = (struct diff_loop){.is_moved = pairs[i].is_moved, .reason = ""};
    describe(a, pairs[i].a, &loop->a);
    describe(b, pairs[i].b, &loop->b);
    diff->common += pairs[i].a && pairs[i].b;
    diff->count++;
  }
  free(pairs);
}

/// CPU time over the time that they ran, of all runs; NaN if that is not known.
static double running_share(const struct diff_runs *side) {
  double cpu_ns = 0, elapsed_ns = 0;
  for (size_t i = 0; i < side->count; i++) {
    const struct profile_env *env = &side->runs[i]->env;
    if (!env->timer_hz || !env->cpu_ns || !overview_run_ticks(env))
      return NAN;
    cpu_ns += (double)env->cpu_ns;
    elapsed_ns += (double)overview_run_ticks(env) * 1e9 / (double)env->timer_hz;
  }
  return cpu_ns / elapsed_ns;
}

void diff_compare(const struct diff_runs *a, const struct diff_runs *b, const double *start,
                  size_t error_parts, diff_name_fn *name_of, struct diff *out) {
  struct diff diff = {0};
  diff_turns(start, a->count, a->count + b->count, &diff.design);
  diff.share_factor = exp(fabs(log(running_share(b) / running_share(a))));
  diff.is_crowded = fmin(diff.design.turns_a, diff.design.turns_b) < DIFF_RUNS &&
                    log(diff.share_factor) > SHARE_CHANGE;
  take_pairs(a, b, name_of, &diff);
  test_all(a, b, error_parts, &diff);
  diff_judge(&diff);
  *out = diff;
}

void diff_release(struct diff *diff) {
  free(diff->loops);
  *diff = (struct diff){0};
}
