// finding_loops.c - findings on loops: unsteady ones, and those that wait for a part of the core.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/analysis/stall/stall_cause.h"
#include "tools/model/finding/finding_parts.h"
#include "tools/model/loop/loop_cause.h"
#include "tools/model/loop/loop_delay.h"
#include "tools/model/remedy/remedy.h"
#include "tools/model/stall/stall_tally.h"
#include "tools/support/units.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>

/// Of what slow executions lost: with less that isn't waiting it is called waiting.
#define MOSTLY_WAITING (1.0 / 3)
/// Loops that are named beside the one that lost most.
#define WAITS_NAMED 3

static void set_place(const struct measured_loop *loop, struct finding *finding) {
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

/// What slow executions lost, of the time that the threads lived.
static struct quantity lost_share(const struct loop_stats *stats) {
  if (stats->lost_ns.status != QUANTITY_OK)
    return stats->lost_ns;
  if (stats->share.status != QUANTITY_OK || !(stats->total_ns.value > 0))
    return quantity_none(QUANTITY_UNSUPPORTED, "the loop's share of the time is not known");
  if (!(stats->share.value > 0))
    return stats->share;
  return quantity_scaled(stats->lost_ns, stats->share.value / stats->total_ns.value);
}

/// Part of what slow executions lost that threads did not spend waiting for a lock, input or a
/// timer; all of it where that isn't known.
static double busy_part(const struct slow_causes *causes) {
  struct quantity blocked = causes->share[SLOW_BLOCKED];
  return causes->gap || blocked.status != QUANTITY_OK ? 1 : fmin(1, fmax(0, 1 - blocked.value));
}

/// lost  at most. All of the time, as of a loop of which only the least is known, bounds nothing.
static void set_unknown(const char *why, double lost, struct finding *finding) {
  finding->gain = quantity_none(QUANTITY_UNSUPPORTED, why);
  finding->at_stake = lost < 1 ? lost : 0;
}

/// Whether slow executions are known to have no more work than others.
static bool is_work_known(const struct loop_stats *stats) {
  return stats->variance_work.status == QUANTITY_OK ||
         stats->variance_work.status == QUANTITY_BELOW_FLOOR;
}

/// Part of what slow executions lost that is known to be in vain: no work, nor what nothing
/// explains.
static double vain_part(const struct slow_causes *causes) {
  static const enum slow_cause vain[] = {SLOW_PAGE_FAULTS, SLOW_WAITS_FOR_CPU, SLOW_MIGRATION,
                                         SLOW_CLOCK, SLOW_GAP};
  double part = 0;
  for (size_t i = 0; i < sizeof(vain) / sizeof(*vain); i++)
    part += causes->share[vain[i]].status == QUANTITY_OK ? causes->share[vain[i]].value : 0;
  return part;
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
    set_unknown("the threads waited; what for, and whether in vain, isn't known", 0, finding);
  } else if (finding->code == FINDING_WORK || (has_cause && is_work(causes->order[0]))) {
    set_unknown("slow executions have more work; whether in vain isn't known", lost.high, finding);
  } else if (has_cause || is_work_known(stats)) {
    finding->gain = quantity_scaled(lost, is_work_known(stats) ? busy : vain_part(causes));
    finding->proof = FINDING_ESTIMATE;
  } else {
    set_unknown("whether slow executions have more work isn't known", lost.high, finding);
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
  struct quantity lost = lost_share(stats);
  if (lost.status != QUANTITY_OK || lost.value < FINDING_LEAST)
    return;
  struct finding *finding = findings_add(findings, code_of(stats));
  const struct slow_causes *causes = slow_causes_get(m, loop);
  set_place(loop, finding);
  set_gain(stats, lost, causes, finding);
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

/// What processors of its own save the program: usual executions wait for one as well, where others
/// want it all the time.
static void set_wait(const struct measurement *m, double share, struct finding *finding) {
  const struct account *account = &m->account;
  if (account->runnable_ns.status != QUANTITY_OK || finding->gain.status != QUANTITY_OK)
    return;
  double all = fmin(1, account->runnable_ns.value / account->threads_ns.value);
  if (all <= share)
    return;
  finding->gain.high = all;
  text_printf(&finding->text, "; threads waited for one %s of their time in all",
              units_share(all).data);
}

/// A loop that isn't called unsteady, as the machine may be the cause: the kernel told that it was.
static void add_delayed(const struct measurement *m, const struct measured_loop *loop,
                        struct findings *findings) {
  const struct slow_causes *causes = slow_causes_get(m, loop);
  double lives_ns = m->account.threads_ns.status == QUANTITY_OK ? m->account.threads_ns.value : 0;
  if (causes->gap || !causes->has_first || !lives_ns)
    return;
  double lost_ns = lost_at_most(m, causes), share = lost_ns / lives_ns;
  if (!(share > FINDING_LEAST))
    return;
  bool is_for_cpu = causes->order[0] == SLOW_WAITS_FOR_CPU;
  struct finding *finding =
      findings_add(findings, is_for_cpu ? FINDING_WAITS_FOR_CPU : FINDING_DELAYED);
  set_place(loop, finding);
  set_gain(&loop->stats, quantity_of(share, 0, share), causes, finding);
  text_printf(&finding->text, "slow executions lost %s: ", units_duration(lost_ns).data);
  add_first_cause(m, causes, finding);
  if (is_for_cpu)
    set_wait(m, share, finding);
}

static enum finding_code stall_code(enum stall_group group) {
  switch (group) {
  case STALL_GROUP_MEMORY:
    return FINDING_STALL_MEMORY;
  case STALL_GROUP_SPECULATION:
    return FINDING_STALL_SPECULATION;
  case STALL_GROUP_FRONT_END:
    return FINDING_STALL_FRONT_END;
  case STALL_GROUP_CORE:
  case STALL_GROUPS:
    break;
  }
  return FINDING_STALL_CORE;
}

static void add_stall(const struct measurement *m, const struct measured_loop *loop,
                      const struct loop_cause *cause, struct findings *findings) {
  enum stall_cause named =
      cause->no_stall_causes ? STALL_CAUSE_NONE : stall_cause_named(&cause->tally);
  if (named == STALL_CAUSE_NONE || !stall_tally_is_known(&cause->tally) || !m->samples.all_ns)
    return;
  const struct stall_range *range = &cause->tally.causes[named];
  double all_ns = (double)m->samples.all_ns;
  double low = range->low / all_ns, high = range->high / all_ns;
  if (!((low + high) / 2 >= FINDING_LEAST))
    return;
  struct finding *finding = findings_add(findings, stall_code(stall_group_of(named)));
  set_place(loop, finding);
  double time = cause->tally.time;
  if (range->low > 0) {
    finding->gain = quantity_of((low + high) / 2, low, high);
    finding->proof = FINDING_ESTIMATE;
    double from = round(100 * range->low / time), to = round(100 * range->high / time);
    text_printf(&finding->text, "%s: ", stall_cause_name(named));
    if (from < to)
      text_printf(&finding->text, "%.0f to ", from);
    text_printf(&finding->text, "%.0f %% of the time of its hottest blocks", to);
  } else {
    set_unknown("nothing shows that it was this stall cause", high, finding);
    size_t candidates = stall_tally_add_candidates(&cause->tally, &finding->text);
    text_printf(&finding->text,
                ": up to %.0f %% of the time of its hottest blocks; nothing shows %s",
                100 * range->high / time, candidates > 1 ? "which" : "that there were any");
  }
  struct text change = {0};
  size_t structure = loop_cause_change(m, loop, cause, &change);
  if (structure)
    snprintf(finding->remedy, sizeof(finding->remedy), "S%zu", structure);
  if (change.length) {
    text_clear(&finding->change);
    text_add(&finding->change, text_get(&change));
  }
  text_release(&change);
}

static bool has_blocks(const struct measurement *m, const struct measured_loop *loop) {
  for (size_t i = 0; i < m->block_count; i++)
    if (m->blocks[i].loop == loop)
      return true;
  return false;
}

/// What keeps a thread off the processor delays whatever loops it is in, and all around these: one
/// finding, on the loop that lost most.
void finding_loops_fold(struct findings *findings) {
  struct finding *items = findings->items;
  size_t most = SIZE_MAX, others = 0, kept = 0;
  struct text names = {0};
  for (size_t i = 0; i < findings->count; i++)
    if (items[i].code == FINDING_WAITS_FOR_CPU &&
        (most == SIZE_MAX || items[i].gain.value > items[most].gain.value))
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
    if (has_blocks(m, loop))
      add_stall(m, loop, loop_cause_get(m, loop), findings);
  }
  finding_loops_fold(findings);
}
