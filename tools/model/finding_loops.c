// finding_loops.c - findings on loops: unsteady ones, and those that wait for a part of the core.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/analysis/culprit.h"
#include "tools/model/culprit_tally.h"
#include "tools/model/finding_parts.h"
#include "tools/model/loop_cause.h"
#include "tools/model/on_demand.h"
#include "tools/support/units.h"

#include <stdio.h>

/// What takes less of the run's time is left to the tables.
#define LEAST 0.01

static void set_place(const struct measured_loop *loop, struct finding *finding) {
  snprintf(finding->about, sizeof(finding->about), "L%zu", loop->rank);
  measurement_add_name(loop, &finding->name);
  finding->function = loop->function;
  finding->file = loop->loop->file;
  finding->line = loop->loop->line;
}

static enum finding_code code_of(const struct loop_stats *stats) {
  if (stats->is_work)
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

static void add_unsteady(const struct measured_loop *loop, struct findings *findings) {
  const struct loop_stats *stats = &loop->stats;
  struct quantity lost = lost_share(stats);
  if (lost.status != QUANTITY_OK || lost.value < LEAST)
    return;
  struct finding *finding = findings_add(findings, code_of(stats));
  set_place(loop, finding);
  finding->gain = lost;
  finding->proof = FINDING_ESTIMATE;
  text_add(&finding->text, stats->reason);
  if (stats->slow_share.status == QUANTITY_OK)
    text_printf(&finding->text, "; %s of the executions are slow",
                units_share(stats->slow_share.value).data);
  if (stats->slow_share.status == QUANTITY_OK && stats->slow_by_ns.status == QUANTITY_OK)
    text_printf(&finding->text, ", most by %s", units_duration(stats->slow_by_ns.value).data);
  text_printf(&finding->text, ", and lost %s", units_duration(stats->lost_ns.value).data);
}

static enum finding_code stall_code(enum culprit_group group) {
  switch (group) {
  case CULPRIT_GROUP_MEMORY:
    return FINDING_STALL_MEMORY;
  case CULPRIT_GROUP_SPECULATION:
    return FINDING_STALL_SPECULATION;
  case CULPRIT_GROUP_FRONT_END:
    return FINDING_STALL_FRONT_END;
  case CULPRIT_GROUP_CORE:
  case CULPRIT_GROUPS:
    break;
  }
  return FINDING_STALL_CORE;
}

static void add_stall(const struct measurement *m, const struct measured_loop *loop,
                      const struct loop_cause *cause, struct findings *findings) {
  enum culprit_reason named = cause->no_culprits ? CULPRIT_NONE : culprit_named(&cause->tally);
  if (named == CULPRIT_NONE || !culprit_tally_is_known(&cause->tally) || !m->samples.all_ns)
    return;
  const struct culprit_range *range = &cause->tally.reasons[named];
  double all_ns = (double)m->samples.all_ns;
  double low = range->low / all_ns, high = range->high / all_ns;
  if (!((low + high) / 2 >= LEAST))
    return;
  struct finding *finding = findings_add(findings, stall_code(culprit_group_of(named)));
  set_place(loop, finding);
  finding->gain = quantity_of((low + high) / 2, low, high);
  finding->proof = FINDING_ESTIMATE;
  text_printf(&finding->text, "%s: %.0f to %.0f %% of the time of its hottest blocks",
              culprit_name(named), 100 * range->low / cause->tally.time,
              100 * range->high / cause->tally.time);
  struct text change = {0};
  loop_cause_change(m, loop, cause, &change);
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

void finding_loops_add(const struct measurement *m, struct findings *findings) {
  for (size_t i = 0; i < m->loop_count; i++) {
    const struct measured_loop *loop = &m->loops[i];
    if (loop->stats.verdict == LOOP_UNSTEADY)
      add_unsteady(loop, findings);
    if (has_blocks(m, loop))
      add_stall(m, loop, loop_cause_get(m, loop), findings);
  }
}
