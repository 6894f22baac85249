// finding_loops.c - findings on loops that run unsteadily, or wait.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/analysis/stats/trips.h"
#include "tools/model/finding/finding_parts.h"
#include "tools/model/loop/loop_delay.h"
#include "tools/model/measurement/load.h"
#include "tools/model/remedy/remedy.h"
#include "tools/support/units.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>

/// Of what slow executions lost: with less that isn't waiting it is called waiting.
#define MOSTLY_WAITING (1.0 / 3)
/// Loops that are named beside the one that lost most.
#define WAITS_NAMED 3

void finding_set_loop(const struct measurement *m, const struct measured_loop *loop,
                      struct finding *finding) {
  finding->share = finding_loop_share(m, loop, &finding->base);
  finding->likely = finding_loop_likely(m, loop);
  snprintf(finding->about, sizeof(finding->about), "L%zu", loop->rank);
  measurement_add_name(loop, &finding->name);
  finding->function = loop->function;
  finding->file = loop->loop->file;
  finding->line = loop->loop->line;
}

static enum finding_code code_of(const struct loop_stats *stats) {
  bool is_work =
      stats->variance_work.status == QUANTITY_OK && stats->variance_work.value >= WORK_LEAST;
  if (stats->is_work || is_work)
    return FINDING_WORK;
  switch (stats->shape) {
  case LOOP_SHAPE_BIMODAL:
    return FINDING_BIMODAL;
  case LOOP_SHAPE_DRIFTING:
    return FINDING_DRIFTING;
  case LOOP_SHAPE_SHIFTING:
    return FINDING_SHIFTING;
  case LOOP_SHAPE_PLAIN:
    break;
  }
  return FINDING_UNSTEADY;
}

/// What slow executions lost: a part of what all took, and so of the loop's share.
static struct quantity lost_share(const struct measurement *m, const struct measured_loop *loop) {
  const struct loop_stats *stats = &loop->stats;
  enum finding_base base;
  double share = finding_loop_share(m, loop, &base);
  if (stats->lost_ns.status != QUANTITY_OK)
    return stats->lost_ns;
  if (!(share >= 0) || !(stats->total_ns.value > 0))
    return quantity_none(QUANTITY_UNSUPPORTED, "the loop's share of the time is not known");
  double total_ns = stats->is_most ? stats->total_ns.high : stats->total_ns.value;
  struct quantity part = quantity_scaled(stats->lost_ns, 1 / total_ns);
  return quantity_of(share * fmin(part.value, 1), share * part.low, share * fmin(part.high, 1));
}

/// Part of what slow executions lost that threads did not spend waiting for a lock, input or a
/// timer; all of it where that isn't known.
static double busy_part(const struct slow_causes *causes) {
  struct quantity blocked = causes->share[SLOW_BLOCKED];
  return causes->gap || blocked.status != QUANTITY_OK ? 1 : fmin(1, fmax(0, 1 - blocked.value));
}

void finding_set_unknown(const char *why, double lost, struct finding *finding) {
  finding->gain = quantity_none(QUANTITY_UNSUPPORTED, why);
  finding->at_stake = lost < 1 ? lost : 0;
  finding->is_possible = finding->at_stake > 0;
}

/// Whether slow executions are known to have no more work than others.
static bool is_work_known(const struct loop_stats *stats) {
  return stats->variance_work.status == QUANTITY_OK ||
         stats->variance_work.status == QUANTITY_BELOW_FLOOR;
}

static double sum_of(const struct slow_causes *causes, const enum slow_cause *of, size_t count) {
  double part = 0;
  for (size_t i = 0; !causes->gap && i < count; i++)
    part += causes->share[of[i]].status == QUANTITY_OK ? causes->share[of[i]].value : 0;
  return fmin(1, fmax(0, part));
}

/// Part of what slow executions lost that is CPU time known to be in vain: no work, nor what
/// nothing explains.
static double vain_part(const struct slow_causes *causes) {
  static const enum slow_cause vain[] = {SLOW_PAGE_FAULTS, SLOW_MIGRATION, SLOW_CLOCK};
  return sum_of(causes, vain, sizeof vain / sizeof *vain);
}

/// Part that was CPU time at all.
static double cpu_part(const struct slow_causes *causes) {
  static const enum slow_cause off[] = {SLOW_BLOCKED, SLOW_WAITS_FOR_CPU, SLOW_GAP};
  return 1 - sum_of(causes, off, sizeof off / sizeof *off);
}

static bool is_work(enum slow_cause cause) { return cause == SLOW_ITERATIONS || cause == SLOW_TAG; }

/// Waiting is no time that a change of the loop saves: whether it was for work, nobody knows here.
/// Nor is more work: whether it is needed isn't known either.
static void set_gain(const struct loop_stats *stats, struct quantity lost,
                     const struct slow_causes *causes, struct finding *finding) {
  double busy = busy_part(causes);
  bool has_cause = !causes->gap && causes->has_first;
  if (lost.value * busy < FINDING_LEAST || busy < MOSTLY_WAITING) {
    finding->code = FINDING_WAITS;
    text_clear(&finding->change);
    text_add(&finding->change, remedy_words(REMEDY_FIND_AWAITED));
    finding->base = FINDING_OF_THREADS;
    finding->share = NAN;
    finding_set_unknown("the threads waited; what for, and whether in vain, isn't known", 0,
                        finding);
  } else if (finding->code == FINDING_WORK || (has_cause && is_work(causes->order[0]))) {
    finding_set_unknown("slow executions have more work; whether in vain isn't known", lost.high,
                        finding);
  } else if (has_cause || is_work_known(stats)) {
    finding->gain =
        quantity_scaled(lost, is_work_known(stats) ? cpu_part(causes) : vain_part(causes));
    finding->proof = FINDING_ESTIMATE;
    // What nothing explains may be the loop's data as well as a neighbour on the core.
    finding->is_possible = !has_cause;
  } else {
    finding_set_unknown("whether slow executions have more work isn't known", lost.high, finding);
  }
}

/// Names the first cause, and what takes it away.
static void add_first_cause(const struct measurement *m, const struct slow_causes *causes,
                            struct finding *finding) {
  loop_delay_add_shares(causes, &finding->text);
  if (causes->period_ns.status == QUANTITY_OK)
    text_add(&finding->text, "; they come ");
  loop_delay_add_period(causes, &finding->text);
  if (finding->code == FINDING_WAITS || finding->code == FINDING_WORK)
    return;
  text_clear(&finding->change);
  bool is_quota = causes->order[0] == SLOW_WAITS_FOR_CPU && m->pressure.throttled;
  text_add(&finding->change,
           remedy_words(is_quota ? REMEDY_HIGHER_QUOTA : remedy_of_slow(causes->order[0])));
}

/// Where most are beyond the fastest ones, these aren't what is usual.
static void add_slow(const struct loop_stats *stats, struct text *out) {
  if (stats->slow_share.status != QUANTITY_OK)
    return;
  if (stats->slow_share.value > 0.5) {
    if (stats->amplitude.status == QUANTITY_OK)
      text_printf(out, "; executions differ throughout, 95 %% take up to %s the median",
                  units_ratio(stats->amplitude.value).data);
    return;
  }
  text_printf(out, "; %s of the executions are slow", units_share(stats->slow_share.value).data);
  if (stats->slow_by_ns.status == QUANTITY_OK)
    text_printf(out, ", most by %s", units_duration(stats->slow_by_ns.value).data);
}

static void add_unsteady(const struct measurement *m, const struct measured_loop *loop,
                         struct findings *findings) {
  const struct loop_stats *stats = &loop->stats;
  struct quantity lost = lost_share(m, loop);
  if (lost.status != QUANTITY_OK || lost.value < FINDING_LEAST)
    return;
  struct finding *finding = findings_add(findings, code_of(stats));
  const struct slow_causes *causes = slow_causes_get(m, loop);
  finding_set_loop(m, loop, finding);
  set_gain(stats, lost, causes, finding);
  if (finding->code == FINDING_UNSTEADY && !is_work_known(stats) &&
      !trips_of(loop->loop).known_samples) {
    text_clear(&finding->change);
    text_add(&finding->change, remedy_words(REMEDY_TAG_WORK));
  }
  // Where others have the processor, it is they that make executions slow first of all.
  finding->is_possible |= load_of(m).is_busy;
  text_add(&finding->text, stats->reason);
  add_slow(stats, &finding->text);
  text_printf(&finding->text, ", and lost %s", units_duration(stats->lost_ns.value).data);
  if (!causes->gap && causes->has_first) {
    text_add(&finding->text, "; ");
    add_first_cause(m, causes, finding);
  }
}

/// Executions with facts stand for others, so their sums may be beyond what there was: at most what
/// all threads lived, nor more waiting for a processor than the kernel counted.
static double lost_at_most(const struct measurement *m, const struct slow_causes *causes) {
  double most = m->account.threads_ns.value, part = causes->share[SLOW_WAITS_FOR_CPU].value;
  if (m->account.runnable_ns.status == QUANTITY_OK && part > 0)
    most = fmin(most, m->account.runnable_ns.value / part);
  return fmin(causes->lost_ns, most);
}

/// Of the time that all threads lived, as usual executions wait for a processor as well. Only where
/// the program's own threads, or a quota, are why there is none.
static void add_wait(const struct measurement *m, const struct measured_loop *loop,
                     const struct slow_causes *causes, double lost_ns, struct findings *findings) {
  const struct account *account = &m->account;
  struct load load = load_of(m);
  if (!(load.is_own || m->pressure.throttled) || account->runnable_ns.status != QUANTITY_OK)
    return;
  double share = fmin(1, account->runnable_ns.value / account->threads_ns.value);
  if (!(share >= FINDING_LEAST))
    return;
  struct finding *finding = findings_add(findings, FINDING_WAITS_FOR_CPU);
  finding_set_loop(m, loop, finding);
  finding->share = NAN; // which is of CPU time
  finding->base = FINDING_OF_THREADS;
  finding_set_unknown("whether others have work meanwhile isn't known", share, finding);
  finding->is_possible = false; // the kernel has counted it
  if (load.wanted.status == QUANTITY_OK)
    text_printf(&finding->text, "the threads want %.1f processors of %u; ", load.wanted.value,
                m->input.profile.env.cpu_count);
  text_printf(&finding->text, "slow executions lost %s: ", units_duration(lost_ns).data);
  add_first_cause(m, causes, finding);
}

/// A loop that isn't called unsteady, as the machine may be the cause: the kernel told that it was.
/// More work is no delay.
static void add_delayed(const struct measurement *m, const struct measured_loop *loop,
                        struct findings *findings) {
  const struct slow_causes *causes = slow_causes_get(m, loop);
  double lives_ns = m->account.threads_ns.status == QUANTITY_OK ? m->account.threads_ns.value : 0;
  if (causes->gap || !causes->has_first || !lives_ns)
    return;
  double lost_ns = lost_at_most(m, causes), base_ns = finding_base_ns(m);
  if (causes->order[0] == SLOW_WAITS_FOR_CPU) {
    if (lost_ns > FINDING_LEAST * lives_ns)
      add_wait(m, loop, causes, lost_ns, findings);
    return;
  }
  enum finding_base base;
  double share = fmin(lost_ns / base_ns, finding_loop_share(m, loop, &base));
  if (is_work(causes->order[0]) || !(share > FINDING_LEAST))
    return;
  struct finding *finding = findings_add(findings, FINDING_DELAYED);
  finding_set_loop(m, loop, finding);
  set_gain(&loop->stats, quantity_of(share, 0, share), causes, finding);
  text_printf(&finding->text, "slow executions lost %s: ", units_duration(lost_ns).data);
  add_first_cause(m, causes, finding);
}

/// What keeps a thread off the processor delays whatever loops it is in, and all around these: one
/// finding, on the loop that lost most.
void finding_loops_fold(struct findings *findings) {
  struct finding *items = findings->items;
  size_t most = SIZE_MAX, others = 0, kept = 0;
  struct text names = {0};
  for (size_t i = 0; i < findings->count; i++)
    if (items[i].code == FINDING_WAITS_FOR_CPU &&
        (most == SIZE_MAX || items[i].at_stake > items[most].at_stake))
      most = i;
  for (size_t i = 0; i < findings->count; i++) {
    if (i != most && items[i].code == FINDING_WAITS_FOR_CPU) {
      if (others++ < WAITS_NAMED)
        text_printf(&names, "%s%s", others > 1 ? ", " : "", items[i].about);
      finding_release(&items[i]);
      continue;
    }
    if (i == most)
      most = kept;
    items[kept++] = items[i];
  }
  findings->count = kept;
  if (others)
    text_printf(&items[most].text, "; so did %s%s", text_get(&names),
                others > WAITS_NAMED ? " and others" : "");
  text_release(&names);
}

void finding_loops_add(const struct measurement *m, struct findings *findings) {
  for (size_t i = 0; i < m->loop_count; i++) {
    const struct measured_loop *loop = &m->loops[i];
    if (loop->stats.verdict == LOOP_UNSTEADY)
      add_unsteady(m, loop, findings);
    else
      add_delayed(m, loop, findings);
  }
  finding_loops_fold(findings);
}
