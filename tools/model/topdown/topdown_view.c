// topdown_view.c - which loops get a tree, from counts or from an estimate, and in which order.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/model/topdown/topdown_view.h"

#include "tools/model/measurement/lazy.h"

#include "tools/machine/pmu.h"
#include "tools/model/block/uncounted.h"
#include "tools/support/memory.h"
#include "tools/support/units.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/// Those without a tree last; else as the report orders by share.
static int compare_loops(const void *left, const void *right) {
  bool is_left_bare = ((const struct topdown_loop *)left)->reason != NULL;
  bool is_right_bare = ((const struct topdown_loop *)right)->reason != NULL;
  if (is_left_bare != is_right_bare)
    return is_left_bare ? 1 : -1;
  const struct measured_loop *a = ((const struct topdown_loop *)left)->loop;
  const struct measured_loop *b = ((const struct topdown_loop *)right)->loop;
  double x = a->stats.total_ns.status == QUANTITY_OK ? a->stats.total_ns.value : -1;
  double y = b->stats.total_ns.status == QUANTITY_OK ? b->stats.total_ns.value : -1;
  if (x != y)
    return x > y ? -1 : 1;
  return (a->rank > b->rank) - (a->rank < b->rank);
}

/// Why a loop has no level 1.
static const char *missing_reason(const struct topdown_tree *tree,
                                  const struct topdown_input *input) {
  uint64_t dropped = 0;
  for (size_t i = 0; i < tree->group_count; i++) {
    if (!*tree->groups[i].parent && input->groups[i].visits)
      return NULL;
    dropped += input->groups[i].dropped;
  }
  return dropped ? "no execution was read with the counters of level 1: each was longer than a "
                   "group's turn, or others had the counters"
                 : "no execution was read with the counters of level 1: too few were timed";
}

void topdown_view_evaluate(const struct topdown_view *view, struct topdown_loop *loop) {
  loop->leaf = SIZE_MAX;
  loop->reason = missing_reason(view->tree, &loop->input);
  topdown_evaluate(view->tree, &loop->input, &loop->result);
  topdown_next(view->tree, &loop->input, &loop->result, &loop->leaf);
}

/// Of the samples inside the loop's function, the line with most of those in the loop's own file
/// at or behind its first line.
static void find_line(const struct measurement *m, struct topdown_loop *loop) {
  const struct profile_loop *record = loop->loop->loop;
  uint64_t most = 0;
  for (size_t i = 0; i < m->samples.function_count; i++) {
    const struct sampled_function *f = &m->samples.functions[i];
    if (!f->symbol || strcmp(f->symbol, record->function) != 0)
      continue;
    for (size_t k = 0; k < f->place_count; k++) {
      const struct sampled_place *place = &f->places[k];
      uint64_t ns = 0;
      if (!place->line || place->line < record->line)
        continue;
      for (size_t j = 0; j < f->place_count; j++)
        if (f->places[j].line == place->line && strcmp(f->places[j].source, place->source) == 0)
          ns += f->places[j].record->time_ns;
      if (ns > most) {
        most = ns;
        loop->source = place->source;
        loop->line = place->line;
      }
    }
  }
}

/// Loops that take less of the threads' time are not looked at.
#define SHARE_LEAST 0.01

/// Fills in what samples, counts and isolated blocks say, where there are samples.
static void estimate(const struct measurement *m, struct topdown_view *view) {
  if (!m->samples.all || !m->input.profile.count_count)
    return;
  view->is_estimate = true;
  view->tree = topdown_estimate_tree();
  for (size_t i = 0; i < m->loop_count; i++) {
    struct topdown_loop loop = {.loop = &m->loops[i], .leaf = SIZE_MAX};
    struct topdown_estimate_input input;
    if (loop.loop->stats.share.status != QUANTITY_OK || loop.loop->stats.share.value < SHARE_LEAST)
      continue;
    loop.reason = topdown_stalls_read(m, loop.loop, &view->code, &input, &loop.source, &loop.line);
    loop.tally = input.tally;
    if (!loop.reason)
      loop.reason = topdown_estimate(&input, &loop.result, &loop.leaf);
    // Without the clock no time is so many cycles.
    if (loop.reason && m->core_rate.status != QUANTITY_OK)
      loop.reason = m->core_rate.reason;
    view->loops[view->loop_count++] = loop;
  }
}

void topdown_view_read(const struct measurement *m, struct topdown_view *view) {
  *view = (struct topdown_view){0};
  topdown_run_read(&m->input.profile, &view->run);
  view->loops = memory_zeroed(m->loop_count + 1, sizeof(*view->loops));
  if (view->run.state == TOPDOWN_COUNTED)
    view->tree = view->run.tree;
  for (size_t i = 0; i < m->loop_count && view->tree; i++) {
    struct topdown_loop loop = {.loop = &m->loops[i]};
    if (!topdown_run_loop(&m->input.profile, &view->run, loop.loop->loop->id, &loop.input))
      continue;
    topdown_view_evaluate(view, &loop);
    find_line(m, &loop);
    view->loops[view->loop_count++] = loop;
  }
  if (!view->tree)
    estimate(m, view);
  qsort(view->loops, view->loop_count, sizeof(*view->loops), compare_loops);
}

void topdown_view_release(struct topdown_view *view) {
  free(view->loops);
  topdown_code_release(&view->code);
  *view = (struct topdown_view){0};
}

size_t topdown_view_find(const struct topdown_view *view, const struct measured_loop *loop) {
  for (size_t i = 0; i < view->loop_count; i++)
    if (view->loops[i].loop == loop)
      return i;
  return SIZE_MAX;
}

static void add_problem(const struct topdown_run *run, struct text *out) {
  switch (run->state) {
  case TOPDOWN_COUNTED:
  case TOPDOWN_NOT_ASKED:
    text_add(out, "this run asked for no counters: reticle topdown -- PROGRAM does");
    return;
  case TOPDOWN_MIXED:
    text_add(out, "runs on processors of different kinds were merged: give one at a time");
    return;
  case TOPDOWN_UNKNOWN_TREE:
    text_add(out, "its counters are of a tree that this version doesn't know: use the reticle that "
                  "belongs to the program's runtime");
    return;
  case TOPDOWN_DENIED:
    text_add(out, "no PMU (");
    pmu_add_reason((int)run->error, out);
    text_add(out, "): ");
    pmu_add_remedy((int)run->error, out);
    return;
  case TOPDOWN_TOO_MANY:
    text_printf(out, "too few counters: a group of %zu was refused (", run->counters);
    pmu_add_reason((int)run->error, out);
    text_add(out, "): ");
    pmu_add_remedy((int)run->error, out);
    return;
  case TOPDOWN_HELD:
    text_printf(out,
                "others hold the counters: all %s timed executions found them elsewhere; end other "
                "profilers (perf), and sysctl kernel.nmi_watchdog=0",
                units_exact(run->dropped).data);
    return;
  case TOPDOWN_UNREADABLE:
    text_add(out, "the kernel doesn't let programs read counters: echo 1 > "
                  "/sys/bus/event_source/devices/cpu/rdpmc, on Arm sysctl "
                  "kernel.perf_user_access=1");
    return;
  case TOPDOWN_INCONSISTENT:
    text_printf(out,
                "the PMU lies, as some virtual ones do: %s: ask the host for a real one, or use "
                "bare metal",
                run->backwards ? "its counters go backwards" : "its clock stands still");
    return;
  case TOPDOWN_SHORT:
    text_printf(
        out,
        "too short: PERF_METRICS tells nothing of the %s timed executions, whose slots are "
        "under a fifth of what it had counted before; general counters do: --tree %s_counters",
        units_exact(run->coarse).data, run->tree->name);
    return;
  case TOPDOWN_NO_VISITS:
    text_add(out, "no loop was timed while counters were read: let the program do more work");
    return;
  }
}

void topdown_view_add_state(const struct measurement *m, const struct topdown_view *view,
                            struct text *out) {
  const struct topdown_run *run = &view->run;
  if (run->state != TOPDOWN_COUNTED) {
    const struct profile_env *env = &m->input.profile.env;
    struct topdown_run denied = {.state = TOPDOWN_DENIED, .error = env->pmu_errno};
    bool is_denied =
        run->state == TOPDOWN_NOT_ASKED && env->pmu_errno && env->pmu_errno != UINT32_MAX;
    text_add(out, view->is_estimate ? "estimate, as there are no counts: " : "none: ");
    add_problem(is_denied ? &denied : run, out);
    if (!view->is_estimate && m->input.study && uncounted_reason(m))
      text_printf(out, "; an estimate needs no PMU, but %s", uncounted_reason(m));
    else if (!view->is_estimate)
      text_add(out, "; an estimate needs no PMU: compile with "
                    "-fplugin-arg-reticle-features=loop,block, run with "
                    "RETICLE_OPTIONS=sample=1:blocks=60");
    else if (!m->block_count)
      text_add(out, "; wide, as no block was measured by itself: RETICLE_OPTIONS=blocks=60");
    return;
  }
  text_printf(out, "counted%s, %s; ", run->is_fake ? " by a file (pmu=fake), no PMU" : "",
              run->tree->cores);
  text_printf(out, "%s executions read", units_exact(run->visits).data);
  if (run->dropped)
    text_printf(out, ", %s dropped", units_exact(run->dropped).data);
  const struct {
    uint64_t count;
    const char *why;
  } reasons[] = {{run->not_scheduled, "others had the counters"},
                 {run->not_readable, "not readable"},
                 {run->partly, "others had them for a part"},
                 {run->backwards, "went backwards"},
                 {run->switched, "longer than a group's turn"},
                 {run->restless, "the kernel kept changing them"},
                 {run->coarse, "too short for PERF_METRICS"}};
  const char *separator = " (";
  for (size_t i = 0; i < sizeof(reasons) / sizeof(reasons[0]); i++)
    if (reasons[i].count) {
      text_printf(out, "%s%s %s", separator, units_exact(reasons[i].count).data, reasons[i].why);
      separator = ", ";
    }
  text_add(out, run->dropped ? ")" : "");
  if (run->threads_missed)
    text_printf(out, "; %s times a thread had no counters (errno %u)",
                units_exact(run->threads_missed).data, run->error);
  if (run->lost)
    text_printf(out, "; %s lost in full tables", units_exact(run->lost).data);
}

LAZY(topdown_view, struct topdown_view, topdown_view_read, topdown_view_release)

const struct topdown_loop *topdown_view_loop(const struct topdown_view *view,
                                             const struct topdown_value *value) {
  return &view->loops[(size_t)((const char *)value - (const char *)view->loops) /
                      sizeof *view->loops];
}

const struct topdown_node *topdown_view_node(const struct topdown_view *view,
                                             const struct topdown_value *value) {
  return &view->tree->nodes[value - topdown_view_loop(view, value)->result.nodes];
}
