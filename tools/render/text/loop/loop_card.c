// loop_card.c - prints the card of one loop: verdict, times, losses, causes, source.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/render/text/loop/loop_card.h"

#include "tools/analysis/loop/child_variance.h"
#include "tools/analysis/stats/trips.h"
#include "tools/model/block/block_in_place_words.h"
#include "tools/model/bound/loop_bound.h"
#include "tools/model/loop/loop_cause.h"
#include "tools/model/loop/loop_delay.h"
#include "tools/model/loop/loop_sites.h"
#include "tools/model/loop/loop_told.h"
#include "tools/model/rank/rank_names.h"
#include "tools/model/topdown/topdown_view.h"
#include "tools/render/text/block/block_report.h"
#include "tools/render/text/block/stall_cause_show.h"
#include "tools/render/text/loop/loop_parts.h"
#include "tools/render/text/loop/loop_sites_text.h"
#include "tools/render/text/loop/topdown_show.h"
#include "tools/render/text/source.h"
#include "tools/render/text/struct/trials_text.h"
#include "tools/support/units.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/// What the machine makes slow is printed from this share on.
#define MACHINE_LEAST 0.01
/// Where the text behind the labels starts.
#define LABEL_COLUMNS 11

/// Adds "label      text", broken to the width.
static void add_fact(const struct terminal *terminal, struct text *out, const char *label,
                     enum style style, struct text *fact) {
  struct text wrapped = {0};
  terminal_add(terminal, out, STYLE_HEADING, label);
  text_add_repeated(out, " ", LABEL_COLUMNS - text_width(label));
  text_add_wrapped(&wrapped, text_get(fact), LABEL_COLUMNS, LABEL_COLUMNS, terminal->width);
  terminal_add(terminal, out, style, text_get(&wrapped));
  text_add(out, "\n");
  text_release(&wrapped);
  text_clear(fact);
}

/// "61 %", or "unknown (too few samples)".
static void add_quantity(struct text *out, struct quantity quantity,
                         struct units (*number)(double)) {
  if (quantity.status != QUANTITY_OK) {
    text_printf(out, "unknown (%s)", quantity.reason);
    return;
  }
  text_add(out, number(quantity.value).data);
  if (quantity_is_wide(quantity))
    text_printf(out, " (%s to %s)", number(quantity.low).data, number(quantity.high).data);
}

/// The same of what is told elsewhere, too, with an interval where it is a bound.
static void add_told(struct text *out, struct told told, struct quantity of,
                     struct units (*number)(double)) {
  if (isnan(told.value)) {
    text_printf(out, "unknown (%s)", told.reason);
    return;
  }
  text_add(out, told.words);
  if (quantity_is_wide(of))
    text_printf(out, " (%s to %s)", number(of.low).data, number(of.high).data);
}

static void add_title(const struct measured_loop *loop, const struct terminal *terminal,
                      struct text *out) {
  const struct profile_loop *record = loop->loop;
  struct text name = {0};
  measurement_add_name(loop, &name);
  terminal_printf(terminal, out, STYLE_HEADING, "L%zu %s", loop->rank, text_get(&name));
  text_release(&name);
  if (loop->region)
    text_printf(out, " in %s", loop->function);
  text_add(out, "   ");
  if (!*record->file || !record->line)
    text_add(out, "place unknown (no debug information)");
  else
    terminal_printf(terminal, out, STYLE_PLAIN, "%s:%u:%u", record->file, record->line,
                    record->column);
  text_printf(out, "   id %016" PRIx64 "\n", record->id);
}

static void add_kind(const struct measured_loop *loop, const struct terminal *terminal,
                     struct text *out) {
  const struct profile_loop *record = loop->loop;
  struct text fact = {0};
  if (loop->region) {
    text_printf(&fact, "begun and ended by hand (reticle.h): %s",
                record->is_tagged ? "RETICLE_TAG in it says how much work"
                                  : "work is not controlled");
    add_fact(terminal, out, "region", STYLE_PLAIN, &fact);
    text_release(&fact);
    return;
  }
  text_printf(&fact, "%s, depth %u", record->flags & RETICLE_LOOP_INNERMOST ? "innermost" : "outer",
              record->depth);
  if (record->flags & RETICLE_LOOP_HAS_CALLS)
    text_add(&fact, ", calls functions");
  if (loop->inlined_into)
    text_printf(&fact, ", inlined into %s", loop->inlined_into);
  add_fact(terminal, out, "loop", STYLE_PLAIN, &fact);

  bool counted = record->flags & RETICLE_LOOP_HAS_TRIP_COUNT;
  bool one_path = record->flags & RETICLE_LOOP_ONE_PATH;
  if (record->is_tagged)
    text_add(&fact, "RETICLE_TAG in it says how much");
  else if (record->work_class == RETICLE_WORK_CLASS_F)
    text_add(&fact, "class F: one path, no calls, trip count known on entry: the same trip count "
                    "is the same work");
  else if (record->work_class == RETICLE_WORK_CLASS_P)
    text_printf(&fact, "class P: %s: %s", one_path ? "a data-dependent exit" : "several paths",
                !counted   ? "no trip count is read: work is not controlled"
                : one_path ? "trip count read behind the loop: the same trip count is the same work"
                           : "the trip count is a part of the work");
  else
    text_printf(&fact, "class C: calls, inner loops or unknown: work is not controlled%s",
                counted ? " beyond the trip count" : "");
  add_fact(terminal, out, "work", STYLE_PLAIN, &fact);
  text_release(&fact);
}

static enum style verdict_style(enum loop_verdict verdict) {
  return verdict == LOOP_STEADY         ? STYLE_GOOD
         : verdict == LOOP_UNSTEADY     ? STYLE_BAD
         : verdict == LOOP_INCONCLUSIVE ? STYLE_CAUTION
                                        : STYLE_PLAIN;
}

static void add_verdict(const struct measured_loop *loop, const struct terminal *terminal,
                        struct text *out) {
  const struct loop_stats *stats = &loop->stats;
  struct text fact = {0};
  const char *name = loop_verdict_name(stats->verdict);
  for (; *name; name++)
    text_add_bytes(&fact, *name == '_' ? " " : name, 1);
  text_printf(&fact, ": %s", stats->reason);
  if (stats->shape != LOOP_SHAPE_PLAIN)
    text_printf(&fact, "; %s", loop_shape_name(stats->shape));
  add_fact(terminal, out, "verdict", verdict_style(stats->verdict), &fact);
  text_release(&fact);
}

static void add_split(const struct measured_loop *loop, struct text *out) {
  const struct loop_stats *stats = &loop->stats;
  bool is_tagged = loop->loop->is_tagged;
  struct quantity work = stats->variance_work;
  if (work.status != QUANTITY_OK)
    text_printf(out, "not split: %s", work.reason);
  else if (stats->variance_processor.status == QUANTITY_OK)
    text_printf(out, "%s work (trip count), %s processor", units_share(work.value).data,
                units_share(stats->variance_processor.value).data);
  else
    text_printf(out,
                is_tagged ? "%s work (tag), %s other work or processor"
                          : "%s work (trip count), %s paths or processor",
                units_share(work.value).data, units_share(1 - work.value).data);
}

/// Loops inside that make executions long or short.
static void add_children(const struct measured_loop *loop, const struct measurement *m,
                         const struct terminal *terminal, struct text *out) {
  struct child_variance children[CHILD_VARIANCE_MOST];
  struct text fact = {0};
  size_t count = child_variance_of(&m->input.profile, loop->loop, children);
  for (size_t i = 0; i < count; i++) {
    const struct measured_loop *child = measurement_of(m, children[i].loop);
    text_printf(&fact, "%sL%zu ", i ? ", " : "", child->rank);
    measurement_add_name(child, &fact);
    text_printf(&fact, " %.0f %% (%.0f to %.0f)", 100 * children[i].share.value,
                100 * children[i].share.low, 100 * children[i].share.high);
  }
  if (count) {
    text_add(&fact, " of the variance of durations");
    add_fact(terminal, out, "goes with", STYLE_PLAIN, &fact);
  }
  text_release(&fact);
}

static void add_variation(const struct measured_loop *loop, const struct measurement *m,
                          const struct terminal *terminal, struct text *out) {
  const struct loop_stats *stats = &loop->stats;
  struct text fact = {0};
  text_add(&fact, "amplitude (p95/p50) ");
  add_quantity(&fact, stats->amplitude, units_ratio);
  text_add(&fact, ", slow executions ");
  add_quantity(&fact, stats->slow_share, units_share);
  if (stats->slow_share.status == QUANTITY_OK && stats->slow_by_ns.status == QUANTITY_OK)
    text_printf(&fact, " by %s", units_duration(stats->slow_by_ns.value).data);
  if (stats->verdict == LOOP_INCONCLUSIVE && stats->control_share > MACHINE_LEAST)
    text_printf(&fact, " (the machine may make %s slow)", units_share(stats->control_share).data);
  text_add(&fact, ", lost ");
  add_quantity(&fact, stats->lost_ns, units_duration);
  text_add(&fact, ", system noise ");
  add_quantity(&fact, stats->system_noise_ns, units_duration);
  add_fact(terminal, out, "variation", STYLE_PLAIN, &fact);

  add_split(loop, &fact);
  add_fact(terminal, out, "variance", STYLE_PLAIN, &fact);
  add_children(loop, m, terminal, out);
  if (stats->below_t_min && m->floor.t_min_ns.status == QUANTITY_OK) {
    text_printf(
        &fact,
        "p50 is below the timer's floor (%s): changes of 1 %% can't be seen, larger ones can",
        units_duration(m->floor.t_min_ns.value).data);
    add_fact(terminal, out, "floor", STYLE_CAUTION, &fact);
  }
  text_release(&fact);
}

/// Shares of CPU time and of wall-clock time that differ by more are both shown.
#define OTHER_SHARE 0.02

/// Share, total and mean; a reason that several of them have stands once.
static void add_times(const struct measurement *m, const struct measured_loop *loop,
                      struct text *out) {
  const struct loop_stats *stats = &loop->stats;
  const struct quantity *total = &stats->total_ns, *mean = &stats->mean_ns;
  if (total->status == QUANTITY_OK) {
    add_told(out, loop_told_share(loop), loop->share, units_share);
    text_add(out, m->shares_wall ? " of the threads' time" : " of the CPU time");
    if (!m->shares_wall && stats->share.status == QUANTITY_OK &&
        fabs(stats->share.value - loop->share.value) > OTHER_SHARE)
      text_printf(out, " (%s of the threads' wall-clock time)",
                  units_share(stats->share.value).data);
    text_add(out, ", ");
    add_quantity(out, *total, units_duration);
    text_printf(out, " in all%s%s%s", *total->reason ? " (" : "", total->reason,
                *total->reason ? ")" : "");
  } else {
    text_printf(out, "unknown (%s)", total->reason);
    if (mean->status != QUANTITY_OK) // without a mean there is no total
      return;
  }
  text_add(out, ", ");
  add_quantity(out, *mean, units_duration);
  text_add(out, " on average without system noise (inner loops included)");
}

static void add_time(const struct measurement *m, const struct measured_loop *loop,
                     const struct terminal *terminal, struct text *out) {
  const struct profile_loop *record = loop->loop;
  const struct loop_stats *stats = &loop->stats;
  struct text fact = {0};
  text_printf(&fact, "%s; ", units_counted(record->executions, "execution").data);
  text_printf(&fact, "%s timed", units_exact(record->samples).data);
  if (record->samples)
    text_printf(&fact, ", standing for %s; ", units_exact(record->weight).data);
  else
    text_add(&fact, "; ");
  text_printf(&fact, "%s kept as raw samples", units_exact(record->raw_count).data);
  add_fact(terminal, out, "samples", STYLE_PLAIN, &fact);
  if (!record->samples) {
    text_release(&fact);
    return;
  }

  add_times(m, loop, &fact);
  add_fact(terminal, out, "time", STYLE_PLAIN, &fact);
  if (stats->is_recursive) {
    text_add(&fact,
             "timed from the entry at which a timing begins, at any depth; inner ones included");
    add_fact(terminal, out, "recursive:", STYLE_PLAIN, &fact);
  }

  struct trip_counts trips = trips_of(record);
  if (trips.known_samples) {
    if (trips.lowest == trips.highest)
      text_printf(&fact, "%s each time", units_exact(trips.lowest).data);
    else {
      text_printf(&fact, "%s to ", units_exact(trips.lowest).data);
      text_printf(&fact, "%s, half of the executions at most ", units_exact(trips.highest).data);
      text_add(&fact, units_exact(trips.median).data);
    }
    add_fact(terminal, out, record->is_tagged ? "tag" : "iterations", STYLE_PLAIN, &fact);
  }
  text_release(&fact);
}

/// Why executions were slow: the table, and the slowest.
static void add_delays(const struct measurement *m, const struct measured_loop *loop,
                       const struct terminal *terminal, struct text *out) {
  const struct slow_causes *causes = slow_causes_get(m, loop);
  struct text fact = {0};
  if (!causes->executions) // short ones, or an older runtime
    return;
  if (causes->gap)
    text_printf(&fact, "not told: %s", causes->gap);
  else
    loop_delay_add_shares(causes, &fact);
  if (!causes->gap)
    text_add(&fact, " of the lost time");
  if (causes->no_runnable && loop_delay_unknown(m))
    text_printf(&fact, "; waited for a CPU: not measured (%s)", loop_delay_unknown(m));
  add_fact(terminal, out, "why slow", causes->has_first ? STYLE_HEADING : STYLE_PLAIN, &fact);
  loop_delay_add_period(causes, &fact);
  if (fact.length)
    add_fact(terminal, out, "slow at", STYLE_HEADING, &fact);
  for (size_t i = 0; i < causes->slowest_count; i++) {
    loop_delay_add_time(causes->slowest[i]->at_ns, &fact);
    text_add(&fact, "  ");
    if (m->input.profile.process_count > 1) {
      rank_names_add_thread(&m->input.profile, causes->slowest[i]->thread, &fact);
      text_add(&fact, "  ");
    }
    text_printf(&fact, "%s: ", units_duration((double)causes->slowest[i]->duration_ns).data);
    loop_delay_add_facts(causes->slowest[i], &fact);
    add_fact(terminal, out, i ? "" : "slowest", STYLE_PLAIN, &fact);
  }
  text_release(&fact);
}

static void add_losses(const struct profile_loop *loop, const struct terminal *terminal,
                       struct text *out) {
  struct text fact = {0};
  text_printf(&fact, "%s samples in full rings, ", units_exact(loop->lost).data);
  text_printf(&fact, "%s left by longjmp or an exception or recursed too deep, ",
              units_exact(loop->abandoned).data);
  text_printf(&fact, "%s with a change of CPU", units_exact(loop->migrated).data);
  bool any = loop->lost || loop->abandoned || loop->migrated;
  if (!any) {
    text_clear(&fact);
    text_add(&fact, "none");
  }
  add_fact(terminal, out, "losses", any ? STYLE_CAUTION : STYLE_PLAIN, &fact);
  text_release(&fact);
}

/// The loop's blocks in isolation.
static void add_blocks(const struct measurement *m, const struct measured_loop *loop,
                       const struct terminal *terminal, struct text *out) {
  struct text fact = {0};
  loop = measurement_whole_loop(m, loop);
  for (size_t i = 0; i < m->block_count; i++) {
    const struct measured_block *block = &m->blocks[i];
    if (block->loop != loop)
      continue;
    text_printf(&fact, "B%zu in isolation ", block->rank);
    block_report_cycles(block, &fact);
    text_printf(&fact, ", %s", units_counted(block->block->instructions, "instruction").data);
    if (block->place.cycles.cycles.status == QUANTITY_OK) {
      text_add(&fact, "; in place ");
      block_in_place_add(&block->place, &fact);
      text_add(&fact, ", ");
      block_in_place_add_gap(&block->place, block, &fact);
    }
    add_fact(terminal, out, "block", STYLE_PLAIN, &fact);
  }
  text_release(&fact);
}

/// What memory costs, of loops that have copies.
static void add_bound(const struct measurement *m, const struct measured_loop *loop,
                      const struct terminal *terminal, struct text *out) {
  struct bound_cost cost;
  struct text fact = {0};
  if (!loop_bound_get(m, loop, &cost))
    return;
  if (cost.reason) {
    text_printf(&fact, "not measured: %s", cost.reason);
    add_fact(terminal, out, "memory", STYLE_PLAIN, &fact);
  } else {
    loop_bound_add_shares(&cost, &fact);
    add_fact(terminal, out, "memory", STYLE_HEADING, &fact);
    loop_bound_add_times(&cost, &fact);
    add_fact(terminal, out, "", STYLE_PLAIN, &fact);
  }
  text_release(&fact);
}

/// The loop's tree, where there is one.
static void add_topdown(const struct measurement *m, const struct topdown_view *view,
                        const struct measured_loop *loop, const struct terminal *terminal,
                        struct text *out) {
  struct text fact = {0};
  size_t position = topdown_view_find(view, loop);
  if (position != SIZE_MAX) {
    topdown_view_add_state(m, view, &fact);
    add_fact(terminal, out, "top-down", STYLE_PLAIN, &fact);
    topdown_view_add_tree(view, &view->loops[position], LABEL_COLUMNS, true, terminal, out);
  }
  text_release(&fact);
}

/// Of its measured blocks; where these don't tell, of all of its blocks, as the tree's estimate has
/// it.
static void add_stall_cause(const struct loop_cause *cause, const struct topdown_view *view,
                            const struct measured_loop *loop, const struct terminal *terminal,
                            struct text *out) {
  struct text fact = {0};
  size_t position = view->is_estimate ? topdown_view_find(view, loop) : SIZE_MAX;
  if (!cause->no_stall_causes)
    stall_cause_show_add_unlabelled(&cause->tally, &fact);
  if (!fact.length && position != SIZE_MAX && !view->loops[position].reason)
    stall_cause_show_add_unlabelled(&view->loops[position].tally, &fact);
  if (!fact.length && cause->no_stall_causes && cause->hottest)
    text_printf(&fact, "not known: %s", cause->no_stall_causes);
  if (!fact.length && !cause->no_stall_causes)
    text_add(&fact, "not known: too few samples, or the core's clock isn't known");
  if (fact.length)
    add_fact(terminal, out, "stall", STYLE_PLAIN, &fact);
  text_release(&fact);
}

/// The allocation sites of its data; nothing where the program wasn't compiled for it.
static void add_sites(const struct measurement *m, const struct measured_loop *loop,
                      const struct terminal *terminal, struct text *out) {
  const struct loop_sites *sites = loop_sites_get(m, loop);
  struct text fact = {0};
  for (size_t i = 0; i < sites->count; i++) {
    loop_sites_add(m, sites, i, &fact);
    if (fact.length)
      add_fact(terminal, out, "objects", STYLE_PLAIN, &fact);
  }
  if (m->sites.marked && sites->reason)
    text_printf(&fact, "not known: %s", sites->reason);
  else if (m->sites.marked && !sites->count)
    text_printf(&fact, "none on the heap: no pointer led into one in %llu samples",
                (unsigned long long)sites->samples);
  if (fact.length)
    add_fact(terminal, out, "objects", STYLE_PLAIN, &fact);
  text_release(&fact);
}

/// Why it takes the time it takes: stall cause, data, and what to change.
static void add_cause(const struct measurement *m, const struct topdown_view *view,
                      const struct measured_loop *loop, const struct terminal *terminal,
                      struct text *out) {
  const struct loop_cause *cause = loop_cause_get(m, loop);
  struct text fact = {0};
  add_stall_cause(cause, view, loop, terminal, out);
  for (size_t i = 0; i < cause->struct_count; i++) {
    const struct loop_struct *s = &cause->structs[i];
    text_printf(&fact, "S%zu %s, %u bytes: ", s->rank, s->use->record->name,
                s->use->record->size_bytes);
    if (s->useful.status == QUANTITY_OK)
      text_printf(&fact, "%.0f %% of the fetched bytes are used", 100 * s->useful.value);
    else
      text_printf(&fact, "useful share not known (%s)", s->useful.reason);
    text_printf(&fact, "; here %s", s->fields);
    add_fact(terminal, out, "data", STYLE_PLAIN, &fact);
  }
  add_sites(m, loop, terminal, out);
  loop_cause_change(m, loop, cause, &fact);
  if (fact.length)
    add_fact(terminal, out, "change", STYLE_HEADING, &fact);
  for (size_t i = 0; i < cause->struct_count; i++) {
    const struct known_trial *known = &cause->structs[i].trial;
    if (!known->trial)
      continue;
    text_printf(&fact, "S%zu %s: ", cause->structs[i].rank, known->trial->name);
    trials_add(known, loop->loop->id, &fact);
    add_fact(terminal, out, "tried", known->state == TRIAL_CURRENT ? STYLE_PLAIN : STYLE_CAUTION,
             &fact);
  }
  text_release(&fact);
}

void loop_card_add(const struct measurement *measurement, const struct measured_loop *loop,
                   const struct terminal *terminal, struct text *out) {
  const struct topdown_view *view = topdown_view_get(measurement);
  add_title(loop, terminal, out);
  add_kind(loop, terminal, out);
  add_time(measurement, loop, terminal, out);
  add_verdict(loop, terminal, out);
  if (loop->loop->samples) {
    add_variation(loop, measurement, terminal, out);
    loop_parts_add(measurement, loop, terminal, out);
    add_delays(measurement, loop, terminal, out);
  }
  add_blocks(measurement, loop, terminal, out);
  add_bound(measurement, loop, terminal, out);
  add_cause(measurement, view, loop, terminal, out);
  add_topdown(measurement, view, loop, terminal, out);
  add_losses(loop->loop, terminal, out);
  text_add(out, "\n");
  source_add(&measurement->input.profile, loop->loop, terminal, out);
}
