// hottest_table.c - prints what takes most of the CPU time: by samples, or else loops.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/render/text/report/hottest_table.h"

#include "tools/model/heat/heat.h"
#include "tools/model/loop/loop_told.h"
#include "tools/model/study/study_view.h"
#include "tools/render/text/section_table.h"
#include "tools/support/names.h"
#include "tools/support/units.h"
#include "tools/ui/table.h"

#include <math.h>
#include <string.h>

/// Places with less of the CPU time aren't worth a line, but for the first one.
#define SHARE_LEAST 0.01
/// As loops need for a verdict.
#define SAMPLES_LEAST 100
/// A loop of which another in it takes so much is told by that one.
#define INSIDE_MOST 0.9

static const struct table_column columns[] = {
    {.title = "", .right = true},
    {.title = "", .narrowest = 8},
    {.title = "", .narrowest = 8, .keep_end = true},
    {.title = "", .narrowest = 8},
};

/// "L2, 20.0k executions, median 9.98 us, p95 20.0 us"
static void add_loop(const struct measurement *m, const struct measured_loop *loop,
                     struct text *out) {
  const struct loop_stats *stats = &loop->stats;
  double runs = study_view_runs(m), executions = (double)stats->executions / runs;
  text_printf(out, "L%zu, %s %s%s", loop->rank, units_count(executions).data,
              units_noun(quantity_count(executions + 0.5), "execution").data,
              runs > 1 ? " a run" : "");
  if (stats->p50_ns.status == QUANTITY_OK)
    text_printf(out, ", median %s%s", stats->is_most ? "<" : "",
                units_duration(stats->p50_ns.value).data);
  if (stats->p95_ns.status == QUANTITY_OK && !stats->is_most)
    text_printf(out, ", p95 %s", units_duration(stats->p95_ns.value).data);
}

static void add_row(struct table *table, struct told share, const char *function, const char *place,
                    const char *details) {
  table_add(table, STYLE_PLAIN, share.words);
  table_add_name(table, STYLE_PLAIN, function);
  table_add(table, STYLE_FAINT, place);
  table_add(table, STYLE_FAINT, details);
}

static size_t add_places(const struct measurement *m, size_t most, struct table *table) {
  const struct heat *heat = heat_get(m);
  size_t count = 0;
  for (; count < most && count < heat->place_count; count++) {
    const struct heat_place *place = &heat->places[count];
    struct quantity share = heat_share(heat, &place->time);
    struct text where = {0}, details = {0};
    if (count && !(share.value >= SHARE_LEAST))
      break;
    text_add(&where, base_name(place->file));
    if (place->line)
      text_printf(&where, ":%u", place->line);
    const struct measured_loop *loop =
        place->loop ? measurement_whole_loop(m, place->loop) : place->loop;
    if (loop && loop->stats.executions)
      add_loop(m, loop, &details);
    else if (!place->has_loop)
      text_add(&details, "no loop");
    add_row(table, told_share(share, false), *place->function ? place->function : "(no symbol)",
            text_get(&where), text_get(&details));
    text_release(&where);
    text_release(&details);
  }
  return count;
}

/// Whether it does next to nothing but run another loop.
static bool is_shell(const struct measurement *m, const struct measured_loop *loop) {
  for (size_t i = 0; i < m->loop_count; i++) {
    const struct measured_loop *inner = &m->loops[i];
    if (inner->share.status == QUANTITY_OK && !inner->stats.is_most && !inner->is_iteration &&
        inner->share.value >= INSIDE_MOST * loop->share.value &&
        measurement_outer_loop(m, inner) == loop)
      return true;
  }
  return false;
}

/// The next loop behind `last` in the order of the share that is told; null: none is worth a line.
static const struct measured_loop *next_loop(const struct measurement *m,
                                             const struct measured_loop *last) {
  const struct measured_loop *next = NULL;
  double most = last ? loop_told_share(last).value : INFINITY, largest = 0;
  double least = last ? SHARE_LEAST : 0;
  for (size_t i = 0; i < m->loop_count; i++) {
    const struct measured_loop *loop = &m->loops[i];
    double share = loop_told_share(loop).value; // NaN: none
    bool is_behind = share < most || (share == most && loop > last);
    if (share >= least && share > largest && is_behind && !loop->is_iteration &&
        !is_shell(m, loop)) {
      next = loop;
      largest = share;
    }
  }
  return next;
}

static void add_loop_row(const struct measurement *m, const struct measured_loop *loop,
                         struct table *table) {
  struct text name = {0}, place = {0}, details = {0};
  measurement_add_name(loop, &name);
  measurement_add_place(loop->loop, &place);
  add_loop(m, loop, &details);
  add_row(table, loop_told_share(loop), text_get(&name), text_get(&place), text_get(&details));
  text_release(&name);
  text_release(&place);
  text_release(&details);
}

static size_t add_loops(const struct measurement *m, size_t most, struct table *table) {
  const struct measured_loop *loop = NULL;
  size_t count = 0;
  for (; count < most && (loop = next_loop(m, loop)); count++)
    add_loop_row(m, loop, table);
  return count;
}

/// Those that were entered, in a report's order, where no share is known.
static size_t add_entered(const struct measurement *m, size_t most, struct table *table) {
  size_t count = 0;
  for (size_t i = 0; i < m->loop_count && count < most; i++)
    if (m->loops[i].stats.executions && !m->loops[i].is_iteration) {
      add_loop_row(m, &m->loops[i], table);
      count++;
    }
  return count;
}

static bool has_samples(const struct measurement *m) {
  const struct heat *heat = heat_get(m);
  return !heat->reason && (m->input.study || heat->all.samples >= SAMPLES_LEAST);
}

const struct measured_loop *hottest_loop(const struct measurement *m) {
  const struct heat *heat = heat_get(m);
  for (size_t i = 0; has_samples(m) && i < heat->place_count; i++)
    if (heat->places[i].loop)
      return measurement_whole_loop(m, heat->places[i].loop);
  const struct measured_loop *first = next_loop(m, NULL), *loop = first;
  while (loop && loop->stats.p50_ns.status != QUANTITY_OK)
    loop = next_loop(m, loop);
  return loop ? loop : first;
}

void hottest_table_add(const struct measurement *m, size_t most, const struct terminal *terminal,
                       struct text *out) {
  const char *heading = "HOTTEST", *of;
  struct terminal screen = *terminal;
  struct table table;
  screen.is_endless = false;
  table_init(&table, columns, sizeof columns / sizeof *columns);
  if (has_samples(m) && add_places(m, most, &table)) {
    of = "  of the CPU time, with what is called outside of the program";
  } else if (add_loops(m, most, &table)) {
    of = m->shares_wall
             ? "  loops, of the threads' wall-clock time, with what they call"
             : "  loops, of the CPU time, with what they call (sample=1 tells functions, too)";
  } else if (add_entered(m, most, &table)) {
    heading = "LOOPS";
    of = "  that were entered; their shares can't be told";
  } else {
    table_release(&table);
    return;
  }
  terminal_add(terminal, out, STYLE_HEADING, heading);
  text_add_short(out, of, terminal->width - strlen(heading));
  text_add(out, "\n");
  table_print(&table, &screen, NULL, out);
  text_add(out, "\n");
  table_release(&table);
}
