// diff_words.c - phrases of a comparison: its design, what to doubt, what changed in the work.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/model/compare/diff_words.h"

#include "tools/analysis/stats/trips.h"
#include "tools/support/units.h"

#include <math.h>
#include <stdio.h>

/// A factor from which on a percentage is hard to read.
#define FACTOR 2.0
/// A percentage from which on its decimals say nothing.
#define WHOLE 1000

static bool is_factor(double log_change) { return exp(fabs(log_change)) >= FACTOR; }

static struct units change_as(double log_change, bool as_factor) {
  struct units out;
  double percent = 100 * expm1(log_change);
  if (as_factor)
    snprintf(out.data, sizeof out.data, "%s%.3g", log_change > 0 ? "x" : "/",
             exp(fabs(log_change)));
  else
    snprintf(out.data, sizeof out.data, percent < WHOLE ? "%+.1f %%" : "%+.4g %%", percent);
  return out;
}

struct units diff_change(double log_change) { return change_as(log_change, is_factor(log_change)); }

struct units diff_interval(const struct diff_outcome *o) {
  struct units out;
  bool as_factor = is_factor(o->change);
  snprintf(out.data, sizeof out.data, "%s to %s",
           change_as(o->change - o->half_width, as_factor).data,
           change_as(o->change + o->half_width, as_factor).data);
  return out;
}

void diff_verdicts_words(const size_t *verdicts, struct text *out) {
  static const char *const words[] = {"slower",    "faster",      "inconclusive",
                                      "the same",  "below floor", "too few samples",
                                      "only in A", "only in B"};
  _Static_assert(sizeof(words) / sizeof(words[0]) == DIFF_ONLY_B + 1, "each verdict has its words");
  for (size_t i = 0; i <= DIFF_ONLY_B; i++)
    if (verdicts[i] || i <= DIFF_SAME)
      text_printf(out, "%s%zu %s", out->length ? ", " : "", verdicts[i], words[i]);
}

void diff_design_words(const struct comparison *c, struct text *floor, struct text *turns) {
  const struct diff *diff = &c->diff;
  double least = fmin(diff->design.turns_a, diff->design.turns_b);
  if (c->a.floor.t_diff_ns.status == QUANTITY_OK)
    text_printf(floor, "timer floor: differences %s",
                units_duration(c->a.floor.t_diff_ns.value).data);
  else
    text_printf(floor, "timer floor unknown: %s", c->a.floor.t_diff_ns.reason);
  if (diff->tested)
    text_printf(floor, "; %s compared, equal ones called different in under 1 %% of diffs",
                units_counted(diff->tested, "loop").data);
  if (least >= DIFF_RUNS)
    text_printf(turns, "taken in turn, %.0f times or more: runs tell how runs differ", least);
  else if (c->a.merged.merged_count + c->b.merged.merged_count == 2)
    text_add(turns, "one run a side: how runs differ is guessed from how each moved; changes under "
                    "5 % are not detectable");
  else
    text_add(turns, "runs not taken in turn (A B A B A B): what changed on the machine in between "
                    "looks like the program; judged as one run a side");
}

const char *diff_doubt(const struct diff *diff, size_t i) {
  if (diff->is_crowded && i-- == 0)
    return "A and B got different shares of the processors: the machine was busier for one of "
           "them, or the program waits otherwise; changes up to a factor of 4 are not detectable";
  if (diff->is_shifted && i == 0)
    return "nearly all loops moved the same way, as a busy neighbour or another clock makes them; "
           "one run a side can't tell that from the program";
  return NULL;
}

/// A change of executions below this is left out: programs that wait or race never run alike.
#define COUNT_CHANGE 0.01

/// Adds "400k -> 800k executions a run (x2)" for what differs.
static void add_counts(struct text *line, double a, double b, double least, const char *what) {
  if (a <= 0 || b <= 0 || fabs(log(b / a)) <= least)
    return;
  text_printf(line, "%s%s -> %s %s (%s)", line->length ? "; " : "", units_count(a).data,
              units_count(b).data, what, diff_change(log(b / a)).data);
}

/// Adds how the trip counts changed, and what an iteration takes on either side.
static void add_trips(struct text *line, const struct diff_loop *loop) {
  struct trip_counts a = trips_of(loop->a.loop), b = trips_of(loop->b.loop);
  const struct quantity *p50_a = &loop->a.p50_ns, *p50_b = &loop->b.p50_ns;
  if (!trips_differ(&a, &b) || !a.median || !b.median)
    return;
  add_counts(line, (double)a.median, (double)b.median, COUNT_CHANGE, "iterations an execution");
  if (p50_a->status == QUANTITY_OK && p50_b->status == QUANTITY_OK)
    text_printf(line, ": an iteration %s -> %s",
                units_duration(p50_a->value / (double)a.median).data,
                units_duration(p50_b->value / (double)b.median).data);
}

/// Whether executions that became more, or fewer, make the total go the other way than the mean.
static bool turns_total(const struct diff_loop *loop) {
  return loop->mean.is_known && loop->total_change_ns.status == QUANTITY_OK &&
         loop->mean.change * loop->total_change_ns.value < 0;
}

void diff_work_words(const struct diff_loop *loop, struct text *line) {
  if (!loop->a.loop || !loop->b.loop)
    return;
  add_counts(line, loop->a.executions, loop->b.executions, turns_total(loop) ? 0 : COUNT_CHANGE,
             "executions a run");
  add_trips(line, loop);
  if (!loop->is_moved)
    return;
  text_add(line, line->length ? "; " : "");
  if (loop->a.loop->line != loop->b.loop->line)
    text_printf(line, "line %u -> %u, ", loop->a.loop->line, loop->b.loop->line);
  text_add(line, "matched by function and order");
}
