// history.c - rows of a check as levels, and levels of many checks as series with their changes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/model/compare/history.h"

#include "tools/support/memory.h"
#include "tools/support/names.h"
#include "tools/support/text.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/// Mean of an execution in a side's runs; NaN where its time isn't known.
static double mean_ns(const struct diff_loop_side *side) {
  return side->mean_ns.status == QUANTITY_OK ? side->mean_ns.value : NAN;
}

static struct history_level level_of(const struct check_result *result,
                                     const struct check_row *row) {
  struct quantity change = check_row_change(row);
  bool is_known = change.status == QUANTITY_OK;
  struct history_level level = {.name = check_row_name(row),
                                .file = "",
                                .unit = "run",
                                .base_ns = result->cpu_a_s * 1e9,
                                .head_ns = result->cpu_b_s * 1e9,
                                .change = is_known ? change.value : NAN,
                                .low = is_known ? change.low : NAN,
                                .high = is_known ? change.high : NAN,
                                .verdict = check_verdict_name(row->judged.verdict)};
  char id[24] = "";
  if (row->loop) {
    const struct profile_loop *loop = check_loop_shown(row->loop);
    snprintf(id, sizeof id, "%016" PRIx64, loop->id);
    level.file = loop->file;
    level.line = loop->line;
    level.unit = loop->flags & RETICLE_LOOP_ITERATION ? "iteration" : "execution";
    level.base_ns = mean_ns(&row->loop->a);
    level.head_ns = mean_ns(&row->loop->b);
  }
  level.id = text_copy(id);
  return level;
}

bool history_add(const char *path, const struct check_result *result, const char *revision,
                 const char *base, struct problems *problems) {
  const struct profile_env *env = &result->comparison.b.merged.env;
  struct history_level *levels = memory_zeroed(result->count + 1, sizeof *levels);
  struct timespec now;
  char machine[128];
  clock_gettime(CLOCK_REALTIME, &now);
  cpu_short_name(env->cpu_model, env->hypervisor, machine, sizeof machine);
  size_t count = 0;
  for (size_t i = 0; i < result->count; i++)
    if (!check_row_is_wall(&result->rows[i])) // the program's series is of CPU time
      levels[count++] = level_of(result, &result->rows[i]);
  const struct history_check check = {.at_ns = (uint64_t)now.tv_sec * 1000000000u +
                                               (uint64_t)now.tv_nsec,
                                      .program = base_name(env->executable),
                                      .revision = revision,
                                      .base = base,
                                      .machine = machine,
                                      .verdict = check_verdict_name(result->verdict),
                                      .runs = result->comparison.b.merged.merged_count};
  bool fine = history_file_append(path, &check, levels, count, problems);
  for (size_t i = 0; i < count; i++) {
    free((char *)(uintptr_t)levels[i].id);
    free((char *)(uintptr_t)levels[i].name);
  }
  free(levels);
  return fine;
}

static bool is_same_series(const struct history_point *a, const struct history_point *b) {
  return strcmp(a->check.program, b->check.program) == 0 && strcmp(a->level.id, b->level.id) == 0 &&
         strcmp(a->check.machine, b->check.machine) == 0;
}

static void find_changes(struct history_series *series) {
  double levels[CHANGE_POINT_VALUES];
  for (size_t i = 0; i < series->count; i++)
    levels[i] = log(series->points[i].level.head_ns);
  series->changes = memory_zeroed(series->count / CHANGE_POINT_SIDE + 1, sizeof *series->changes);
  series->change_count = change_points_find(levels, series->count, series->changes);
}

/// Puts levels that aren't known behind the others; returns how many are.
static size_t keep_known(struct history_point *points, size_t count) {
  size_t known = 0;
  for (size_t i = 0; i < count; i++)
    if (points[i].level.head_ns > 0) { // false for NaN
      struct history_point other = points[known];
      points[known++] = points[i];
      points[i] = other;
    }
  return known;
}

static void add_series(struct history *out, struct history_point *points, size_t count) {
  count = keep_known(points, count);
  size_t skipped = count > CHANGE_POINT_VALUES ? count - CHANGE_POINT_VALUES : 0;
  if (!count)
    return;
  out->series[out->count] =
      (struct history_series){.points = points + skipped, .count = count - skipped};
  find_changes(&out->series[out->count++]);
}

const struct change_point *history_last_change(const struct history_series *series) {
  return series->change_count ? &series->changes[series->change_count - 1] : NULL;
}

double change_point_share(const struct change_point *change) {
  return expm1(change->after - change->before);
}

const struct history_check *history_changed_at(const struct history_series *series,
                                               const struct change_point *change) {
  return &series->points[change->at].check;
}

static double size_of(const struct history_series *series) {
  const struct change_point *change = history_last_change(series);
  return change ? fabs(change->after - change->before) : 0;
}

static int compare(const void *left, const void *right) {
  const struct history_series *a = left, *b = right;
  bool is_loop_a = *a->points->level.id != 0, is_loop_b = *b->points->level.id != 0;
  if (is_loop_a != is_loop_b)
    return is_loop_a ? 1 : -1;
  if (size_of(a) != size_of(b))
    return size_of(a) > size_of(b) ? -1 : 1;
  return a->points < b->points ? -1 : a->points > b->points;
}

bool history_load(const char *path, struct history *out, struct problems *problems) {
  *out = (struct history){0};
  if (!history_file_read(path, &out->points, problems))
    return false;
  struct history_point *points = out->points.points;
  out->series = memory_zeroed(out->points.count + 1, sizeof *out->series);
  for (size_t i = 0, begin = 0; i < out->points.count; i++)
    if (i + 1 == out->points.count || !is_same_series(&points[i], &points[i + 1])) {
      add_series(out, points + begin, i + 1 - begin);
      begin = i + 1;
    }
  qsort(out->series, out->count, sizeof *out->series, compare);
  return true;
}

void history_release(struct history *history) {
  for (size_t i = 0; i < history->count; i++)
    free(history->series[i].changes);
  free(history->series);
  history_points_release(&history->points);
  *history = (struct history){0};
}
