// finding_stalls.c - findings on what hot code waits for inside of the core.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/analysis/stall/stall_cause.h"
#include "tools/analysis/stats/statistics.h"
#include "tools/model/block/function_code.h"
#include "tools/model/bound/loop_bound.h"
#include "tools/model/finding/finding_parts.h"
#include "tools/model/heat/heat.h"
#include "tools/model/loop/loop_cause.h"
#include "tools/model/measurement/load.h"
#include "tools/model/remedy/remedy.h"
#include "tools/model/stall/stall_tally.h"
#include "tools/support/units.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

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

/// What samples say of the range: so many more or fewer may have fallen there.
static struct stall_range with_error(const struct measurement *m, struct stall_range range) {
  double period_ns = (double)m->samples.all_ns / fmax(1, (double)m->samples.all);
  return (struct stall_range){fmax(0, range.low - STATISTICS_Z95 * sqrt(range.low * period_ns)),
                              range.high + STATISTICS_Z95 * sqrt(range.high * period_ns)};
}

/// Of what an execution walks over: several times a first cache of usual size.
#define BEYOND_FIRST_BYTES (128 * 1024)

/// Whether an execution of the loop reaches more memory than the first cache holds.
static bool goes_beyond(const struct measurement *m, const struct measured_loop *loop) {
  const struct heat_place *place = heat_loop_place(heat_get(m), loop);
  return place && finding_iterations(loop->loop) * (double)place->strides.least_bytes >=
                      BEYOND_FIRST_BYTES; // NaN: not known
}

/// What full store buffers take at least, where stores are known to go beyond the first cache: what
/// no other cause of a program alone can.
static void prove_stores(struct stall_tally *tally) {
  struct stall_range *stores = &tally->causes[STALL_CAUSE_WRITE_BUFFER];
  double others = 0;
  for (unsigned r = 0; r < STALL_CAUSES; r++)
    others += r == STALL_CAUSE_WRITE_BUFFER ? 0 : tally->causes[r].high;
  stores->low = fmax(stores->low, stores->high - others);
}

/// Of the CPU time: less is of blocks that samples and counts tell too little of.
#define STALL_LEAST 0.02

static bool is_open(const struct stall_range *range) {
  return finding_is_open(range->low, range->high);
}

/// Of one cause; where nothing tells it from another one of the same part of the core, of that
/// part. Not of a function without a loop: what it waits for may be of its callers.
static const struct stall_range *range_of(const struct stall_tally *tally, enum stall_cause named,
                                          bool is_loop) {
  const struct stall_range *group = &tally->groups[stall_group_of(named)];
  return is_loop && is_open(&tally->causes[named]) && !is_open(group) ? group
                                                                      : &tally->causes[named];
}

static void add_change(const struct stall_tally *tally, bool is_of_group, struct text *out) {
  enum stall_cause ranked[STALL_CAUSES];
  size_t count = stall_cause_rank(tally, ranked);
  enum remedy first = remedy_of_stall(ranked[0]);
  if (!first)
    return;
  text_clear(out);
  text_add(out, remedy_words(first));
  for (size_t i = 1; is_of_group && i < count; i++) {
    enum remedy other = remedy_of_stall(ranked[i]);
    if (stall_group_of(ranked[i]) != stall_group_of(ranked[0]) || !other || other == first)
      continue;
    text_printf(out, "; where it is %s, %s", stall_cause_name(ranked[i]), remedy_words(other));
    return;
  }
}

/// Whether a neighbour on the core may be all of it: on a busy machine code takes up to twice as
/// long in place. What waits for results of its own, or for other threads, doesn't.
static bool may_be_load(const struct measurement *m, const struct stall_tally *tally,
                        const struct stall_range *range, enum stall_cause named) {
  return stall_group_of(named) != STALL_GROUP_CORE && named != STALL_CAUSE_SYNCHRONISED &&
         range->low < tally->time / 2 && load_of(m).is_busy;
}

/// Null where no cause is to be named, or it costs too little. The place is missing.
static struct finding *add_stall(const struct measurement *m, const struct stall_tally *tally,
                                 bool is_loop, struct findings *findings) {
  enum stall_cause named = stall_cause_named(tally);
  if (named == STALL_CAUSE_NONE || !stall_tally_is_known(tally) || !m->samples.all_ns)
    return NULL;
  const struct stall_range *range = range_of(tally, named, is_loop);
  bool is_of_group = range != &tally->causes[named];
  double all_ns = (double)m->samples.all_ns / heat_get(m)->user_part;
  const struct stall_range wide = with_error(m, *range);
  double low = wide.low / all_ns, high = wide.high / all_ns, time = tally->time;
  double middle = (range->low + range->high) / 2 / all_ns;
  if (!(middle >= STALL_LEAST))
    return NULL;
  struct finding *finding = findings_add(findings, stall_code(stall_group_of(named)));
  add_change(tally, is_of_group, &finding->change);
  finding->is_possible = may_be_load(m, tally, range, named);
  if (range->low > 0) {
    if (is_of_group) {
      finding->gain = quantity_none(QUANTITY_UNSUPPORTED, "which of its causes it is isn't known");
      finding->at_stake = high;
    } else {
      finding->gain = quantity_of(middle, low, high);
      finding->proof = FINDING_ESTIMATE;
      finding->is_doubted_by_load = finding->is_possible && !finding_is_open(low, high);
    }
    double from = round(100 * range->low / time), to = round(100 * range->high / time);
    if (is_of_group)
      stall_tally_add_candidates(tally, stall_group_of(named), &finding->text);
    else
      text_add(&finding->text, stall_cause_name(named));
    text_add(&finding->text, ": ");
    if (from < to)
      text_printf(&finding->text, "%.0f to ", from);
    text_printf(&finding->text, "%.0f %% of the time of its hottest blocks", to);
    return finding;
  }
  finding_set_unknown("nothing shows that it was this stall cause", range->high / all_ns, finding);
  size_t candidates = stall_tally_add_candidates(tally, STALL_GROUPS, &finding->text);
  text_printf(&finding->text, ": up to %.0f %% of the time of its hottest blocks; nothing shows %s",
              100 * range->high / time, candidates > 1 ? "which" : "that there were any");
  return finding;
}

static bool has_blocks(const struct measurement *m, const struct measured_loop *loop) {
  for (size_t i = 0; i < m->block_count; i++)
    if (m->blocks[i].loop == loop)
      return true;
  return false;
}

/// The causes that ruling out leaves, and what helps; else by which accesses cost more.
static void add_bound_cause(const struct loop_cause *cause, const struct bound_cost *cost,
                            struct finding *finding) {
  const struct stall_tally *tally = &cause->tally;
  enum stall_cause named = cause->no_stall_causes ? STALL_CAUSE_NONE : stall_cause_named(tally);
  bool is_stores = cost->stores.status == QUANTITY_OK && cost->loads.status == QUANTITY_OK &&
                   cost->stores.low > cost->loads.high;
  if (named != STALL_CAUSE_NONE && stall_group_of(named) == STALL_GROUP_MEMORY) {
    stall_tally_add_candidates(tally, STALL_GROUP_MEMORY, &finding->text);
    add_change(tally, true, &finding->change);
    return;
  }
  text_add(&finding->text, is_stores ? "stores to memory" : "memory");
  text_clear(&finding->change);
  text_add(&finding->change, remedy_words(remedy_of_stall(is_stores ? STALL_CAUSE_WRITE_BUFFER
                                                                    : STALL_CAUSE_D_CACHE)));
}

/// What memory was measured to cost the loop's own code; null where that is little or not known.
/// The place is missing.
static struct finding *add_bound(const struct measurement *m, const struct measured_loop *loop,
                                 const struct loop_cause *cause, struct findings *findings) {
  struct bound_cost cost;
  double own_ns, all_ns = (double)m->samples.all_ns / heat_get(m)->user_part;
  const struct measured_loop *measured = loop_bound_measured(m, loop, &cost);
  if (!measured || !m->samples.all_ns)
    return NULL;
  struct quantity time = loop_bound_reach(m, loop, &own_ns);
  if (time.status != QUANTITY_OK || time.value < STALL_CAUSE_LEAST * own_ns ||
      !(time.value / all_ns >= STALL_LEAST) || finding_is_open(time.low, time.high))
    return NULL;
  struct finding *finding = findings_add(findings, FINDING_STALL_MEMORY);
  finding->gain = quantity_scaled(time, 1 / all_ns);
  finding->proof = FINDING_MEASURED;
  add_bound_cause(cause, &cost, finding);
  text_printf(&finding->text, ": %s of ", units_share(cost.memory.value).data);
  if (measured == measurement_whole_loop(m, loop))
    text_add(&finding->text, "its time");
  else
    text_printf(&finding->text, "the time of L%zu around it", measured->rank);
  text_printf(&finding->text, " (%s", units_share(cost.memory.low).data);
  text_printf(&finding->text, " to %s), by %s run again with its data in the first cache",
              units_share(cost.memory.high).data, cost.entries == 1 ? "1 execution" : "executions");
  return finding;
}

static void add_loop(const struct measurement *m, const struct measured_loop *loop,
                     struct findings *findings) {
  const struct loop_cause *cause = loop_cause_get(m, loop);
  struct stall_tally tally = cause->tally;
  struct finding *finding = add_bound(m, loop, cause, findings);
  struct text change = {0};
  if (!finding && !cause->no_stall_causes && has_blocks(m, loop)) {
    if (goes_beyond(m, loop))
      prove_stores(&tally);
    finding = add_stall(m, &tally, true, findings);
  }
  if (!finding)
    return;
  finding_set_loop(m, loop, finding);
  size_t structure = loop_cause_change(m, loop, cause, &change);
  if (structure)
    snprintf(finding->remedy, sizeof(finding->remedy), "S%zu", structure);
  if (change.length) {
    text_clear(&finding->change);
    text_add(&finding->change, text_get(&change));
  }
  text_release(&change);
}

/// Of a function's samples, those of the place whose stalls its code has.
#define OWN_LEAST 0.9

/// Of a function nearly all of whose samples are of one place, whatever was inlined there.
static const struct sampled_function *
function_of(const struct measurement *m, const struct heat *heat, const struct heat_place *place) {
  uint64_t all = 0;
  for (size_t i = 0; i < heat->place_count; i++)
    if (strcmp(heat->places[i].linkage, place->linkage) == 0)
      all += heat->places[i].own.samples;
  if ((double)place->own.samples < OWN_LEAST * (double)all)
    return NULL;
  for (size_t i = 0; *place->linkage && i < m->samples.function_count; i++)
    if (strcmp(m->samples.functions[i].symbol, place->linkage) == 0)
      return &m->samples.functions[i];
  return NULL;
}

static void add_function(const struct measurement *m, const struct heat_place *place,
                         struct findings *findings) {
  const struct heat *heat = heat_get(m);
  const struct sampled_function *function = function_of(m, heat, place);
  const struct function_code *code = function ? function_code_get(m, function) : NULL;
  if (!code || !code->tallies)
    return;
  struct stall_tally tally = function_code_sum(code);
  struct finding *finding = add_stall(m, &tally, false, findings);
  if (!finding)
    return;
  finding->share = heat_share(heat, &place->time).value;
  finding->function = place->function;
  finding->file = place->file;
  finding->line = place->line;
  text_add(&finding->name, place->function);
}

void finding_stalls_add(const struct measurement *m, struct findings *findings) {
  const struct heat *heat = heat_get(m);
  for (size_t i = 0; i < m->loop_count; i++)
    if (!m->loops[i].is_iteration || has_blocks(m, &m->loops[i]))
      add_loop(m, &m->loops[i], findings);
  for (size_t i = 0; i < heat->place_count; i++)
    if (!heat->places[i].loop && heat_share(heat, &heat->places[i].time).value >= FINDING_LEAST)
      add_function(m, &heat->places[i], findings);
}
