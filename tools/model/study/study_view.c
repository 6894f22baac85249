// study_view.c - reads builds and runs of a study, and compares times and outputs.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/model/study/study_view.h"

#include "tools/model/measurement/lazy.h"

#include "tools/support/memory.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/// Columns of a line of output that are shown.
#define SHOWN 40

static int compare_doubles(const void *left, const void *right) {
  double a = *(const double *)left, b = *(const double *)right;
  return (a > b) - (a < b);
}

/// Median, smallest and largest.
static struct quantity summary_of(double *values, size_t count) {
  if (!count)
    return quantity_none(QUANTITY_TOO_FEW, "no run");
  qsort(values, count, sizeof *values, compare_doubles);
  return quantity_of((values[(count - 1) / 2] + values[count / 2]) / 2, values[0],
                     values[count - 1]);
}

static void read_runs(struct database *database, int64_t id, struct study_view_build *build,
                      double *all_s) {
  struct statement *s = database_prepare(
      database,
      "SELECT wall_s, user_s + system_s, ifnull(exit_status, -1), max_rss_bytes, signal IS NULL "
      "FROM runs WHERE build=?1 ORDER BY round");
  double *wall = NULL, *cpu = NULL, *peak = NULL;
  size_t count = 0;
  statement_count(s, 1, (uint64_t)id);
  while (statement_step(s)) {
    build->runs++;
    if (!statement_get_count(s, 4)) {
      build->is_ended = true;
      *all_s += statement_get_number(s, 0);
      continue;
    }
    double number = statement_get_number(s, 2); // a damaged file may have any
    int status = number >= 0 && number <= INT_MAX ? (int)number : -1;
    wall = memory_resized(wall, count + 1, sizeof *wall);
    cpu = memory_resized(cpu, count + 1, sizeof *cpu);
    peak = memory_resized(peak, count + 1, sizeof *peak);
    wall[count] = statement_get_number(s, 0);
    cpu[count] = statement_get_number(s, 1);
    peak[count] = statement_get_number(s, 3);
    *all_s += wall[count];
    build->status = count && build->status != status ? -1 : status;
    count++;
  }
  statement_finish(s);
  build->wall_s = summary_of(wall, count);
  build->cpu_s = summary_of(cpu, count);
  build->peak_bytes = summary_of(peak, count);
  free(wall);
  free(cpu);
  free(peak);
}

static void read_builds(struct database *database, struct study_view *out) {
  struct statement *s = database_prepare(
      database, "SELECT id, name, features, wall_s, command FROM builds ORDER BY CASE name WHEN "
                "'plain' THEN 0 WHEN 'timing' THEN 1 ELSE 2 END, id");
  while (statement_step(s)) {
    out->builds = memory_resized(out->builds, out->count + 1, sizeof *out->builds);
    struct study_view_build *build = &out->builds[out->count++];
    *build = (struct study_view_build){
        .name = text_copy(statement_get_text(s, 1)),
        .features = text_copy(statement_get_text(s, 2)),
        .build_s = *statement_get_text(s, 4) ? statement_get_number(s, 3) : NAN};
    if (build->build_s == build->build_s)
      out->builds_s += build->build_s;
    read_runs(database, (int64_t)statement_get_count(s, 0), build, &out->runs_s);
  }
  statement_finish(s);
  for (size_t i = 0; i < out->count; i++)
    if (strcmp(out->builds[i].name, "plain") == 0)
      out->plain = &out->builds[i];
}

/// From here on what a build takes is another speed than the plain one's.
#define OTHER_SPEED 0.05

static void set_costs(struct study_view *view) {
  const struct quantity none = quantity_none(QUANTITY_UNSUPPORTED, "there is no plain build");
  for (size_t i = 0; i < view->count; i++) {
    struct study_view_build *build = &view->builds[i];
    build->cost = !view->plain || !view->plain->runs ? none
                  : view->plain == build             ? quantity_of(1, 1, 1)
                                         : quantity_ratio(build->cpu_s, view->plain->cpu_s);
    build->is_other_speed =
        strcmp(build->name, "timing") == 0 && build->cost.status == QUANTITY_OK &&
        (build->cost.low > 1 + OTHER_SPEED || build->cost.high < 1 - OTHER_SPEED);
  }
}

/// The first run of a build: hash and what is kept of its output.
struct output {
  char *hash;
  unsigned char *bytes;
  size_t count;
  bool is_same; ///< all runs of the build print it
};

static struct output read_output(struct database *database, const char *build) {
  struct output out = {.is_same = true};
  struct statement *s = database_prepare(
      database, "SELECT output_hash, output_deflated, output_kept FROM runs r JOIN builds b ON "
                "b.id=r.build WHERE b.name=?1 AND r.signal IS NULL ORDER BY round");
  statement_text(s, 1, build);
  while (statement_step(s)) {
    if (out.hash) {
      out.is_same = out.is_same && strcmp(out.hash, statement_get_text(s, 0)) == 0;
    } else {
      out.hash = text_copy(statement_get_text(s, 0));
      out.bytes = study_unpack(s, 1, 2, &out.count);
    }
  }
  statement_finish(s);
  return out;
}

/// The line that starts there; of a long one what lies around byte `at`.
static void add_line(const struct output *output, size_t start, size_t at, struct text *out) {
  struct text line = {0};
  size_t begin = at - start < SHOWN ? start : at - SHOWN / 2;
  size_t end = begin;
  while (end < output->count && output->bytes[end] != '\n' && end - begin < SHOWN)
    end++;
  bool goes_on = end < output->count && output->bytes[end] != '\n';
  text_add_bytes(&line, (const char *)output->bytes + begin, end - begin);
  text_printf(out, "%s'%s'%s", begin > start ? "..." : "", text_get(&line), // escaped
              goes_on ? "..." : "");
  text_release(&line);
}

/// "line 3: 'x', of the plain build 'y'"
static void add_difference(const struct output *plain, const struct output *other,
                           struct text *out) {
  size_t start = 0, line = 1, i = 0;
  if (!plain->bytes || !other->bytes)
    return;
  for (; i < plain->count && i < other->count && plain->bytes[i] == other->bytes[i]; i++)
    if (plain->bytes[i] == '\n') {
      start = i + 1;
      line++;
    }
  if (i == plain->count && i == other->count) {
    text_add(out, "behind what is kept of it");
    return;
  }
  text_printf(out, "line %zu: ", line);
  add_line(other, start, i, out);
  text_add(out, ", of the plain build ");
  add_line(plain, start, i, out);
}

static void compare_outputs(struct database *database, struct study_view *view) {
  struct output plain = read_output(database, "plain");
  view->is_repeatable = plain.is_same;
  for (size_t i = 0; i < view->count && plain.hash && plain.is_same; i++) {
    struct output other = read_output(database, view->builds[i].name);
    view->builds[i].is_other_output =
        other.hash && (!other.is_same || strcmp(other.hash, plain.hash) != 0);
    if (view->builds[i].is_other_output && !view->difference.length)
      add_difference(&plain, &other, &view->difference);
    free(other.hash);
    free(other.bytes);
  }
  free(plain.hash);
  free(plain.bytes);
}

static void read_others(const struct measurement *m, struct database *database,
                        struct study_view *out) {
  struct statement *s = database_prepare(
      database, "SELECT p.executable, sum(p.cpu_s) FROM profiles p JOIN runs r ON r.id=p.run JOIN "
                "builds b ON b.id=r.build WHERE b.name='timing' AND p.executable<>?1 GROUP BY 1 "
                "ORDER BY 2 DESC, 1");
  statement_text(s, 1, study_input_executable(m->input.study));
  while (statement_step(s)) {
    out->others = memory_resized(out->others, out->other_count + 1, sizeof *out->others);
    out->others[out->other_count++] = (struct study_view_program){
        text_copy(statement_get_text(s, 0)), statement_get_number(s, 1)};
  }
  statement_finish(s);
}

static void make_view(const struct measurement *m, struct study_view *out) {
  struct database *database = study_input_file(m->input.study)->database;
  *out = (struct study_view){.path = study_input_file(m->input.study)->path};
  read_builds(database, out);
  set_costs(out);
  compare_outputs(database, out);
  read_others(m, database, out);
  out->build = study_fact(study_input_file(m->input.study), "build");
  out->commit = study_fact(study_input_file(m->input.study), "commit");
  char *gates = study_fact(study_input_file(m->input.study), "gates");
  for (const char *at = gates; (at = strstr(at, "\nloop:")); at++)
    out->loops_without_gates++;
  free(gates);
}

static void release_view(struct study_view *view) {
  for (size_t i = 0; i < view->count; i++) {
    free(view->builds[i].name);
    free(view->builds[i].features);
  }
  free(view->builds);
  free(view->build);
  free(view->commit);
  for (size_t i = 0; i < view->other_count; i++)
    free(view->others[i].path);
  free(view->others);
  text_release(&view->difference);
}

LAZY(study_view, struct study_view, make_view, release_view)

double study_view_runs(const struct measurement *m) {
  const struct study_view *view = m->input.study ? study_view_get(m) : NULL;
  for (size_t i = 0; view && i < view->count; i++)
    if (strcmp(view->builds[i].name, "timing") == 0 && view->builds[i].runs)
      return (double)view->builds[i].runs;
  return 1;
}

void study_view_add_failure(const struct study_view *view, struct text *out) {
  const struct study_view_build *plain = view->plain;
  if (plain && plain->runs && plain->status)
    text_printf(out,
                plain->status > 0
                    ? "the program ends with status %d, built plainly, too: was it meant to?"
                    : "runs of the plain build end by a signal, or differently",
                plain->status);
}
