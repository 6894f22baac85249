// diff_input.c - reads both sides, notes what differs between them, and starts the comparison.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/model/compare/diff_input.h"

#include "tools/model/compare/diff_fleet.h"
#include "tools/profile/merge/merge.h"
#include "tools/store/postgres_url.h"
#include "tools/support/memory.h"
#include "tools/support/names.h"
#include "tools/support/problem.h"
#include "tools/support/text.h"
#include "tools/support/units.h"

#include <stdlib.h>
#include <string.h>

/// Runs that start within a second are told apart by their process ids.
#define PID_S 1e-8

static struct input *add_run(struct compared_side *side) {
  side->runs = memory_resized(side->runs, side->count + 1, sizeof *side->runs);
  side->runs[side->count] = (struct input){0};
  return &side->runs[side->count++];
}

/// The runs of a study's timing build, or of FILE@BUILD, one by one.
static int read_study(const char *operand, struct compared_side *side, struct problems *problems) {
  struct study_input *study = study_input_open(operand, problems);
  struct profile *profiles = NULL;
  size_t count = study ? study_input_runs(study, &profiles) : 0;
  for (size_t i = 0; i < count; i++) {
    struct input *run = add_run(side);
    run->paths = memory_zeroed(1, sizeof *run->paths);
    run->paths[run->count++] = text_copy(operand);
    run->profile = profiles[i];
  }
  if (study && !count)
    problem_error(problems, "%s: no run in it that could be compared", operand);
  free(profiles);
  if (study) {
    side->studies = memory_resized(side->studies, side->study_count + 1, sizeof *side->studies);
    side->studies[side->study_count++] = study;
  }
  return count ? PROBLEM_NONE : PROBLEM_UNREADABLE;
}

static double start_of(const struct profile *profile, uint64_t earliest_s) {
  return (double)(int64_t)(profile->env.start_time_s - earliest_s) +
         PID_S * (double)profile->env.pid;
}

static int compare_starts(const void *left, const void *right) {
  const struct profile *const *a = left, *const *b = right;
  double difference = start_of(*a, (*b)->env.start_time_s) - start_of(*b, (*b)->env.start_time_s);
  return (difference > 0) - (difference < 0);
}

static int read_side(char *const *paths, size_t path_count, const char *name,
                     struct compared_side *side, struct notes *notes, struct problems *problems) {
  int status = PROBLEM_NONE;
  if (postgres_url_is(paths[0]))
    status = diff_fleet_read(paths, path_count, side, problems);
  for (size_t i = 0; i < path_count && status == PROBLEM_NONE && !side->fleet; i++)
    status = postgres_url_is(paths[i]) ? diff_fleet_mixed(name, problems)
             : study_input_is(paths[i])
                 ? read_study(paths[i], side, problems)
                 : input_read((char *const *)&paths[i], 1, add_run(side), notes, problems);
  if (status != PROBLEM_NONE)
    return status;
  size_t count = side->count;
  side->profiles = memory_zeroed(count, sizeof(*side->profiles));
  for (size_t i = 0; i < count; i++)
    side->profiles[i] = &side->runs[i].profile;
  struct profile_error error;
  size_t runs = profile_drop_repeats(side->profiles, count);
  if (runs < count)
    notes_add(notes, "repeated",
              "%zu of the %zu files of %s repeat a run of the others: counted once", count - runs,
              count, name);
  // As they ran: they are compared with their neighbours. Names of files, and builds, are in other
  // orders.
  qsort(side->profiles, runs, sizeof *side->profiles, compare_starts);
  if (profile_merge(side->profiles, runs, &side->merged, &error) != 0)
    memory_exhausted();
  for (size_t i = 0; i < side->merged.warning_count; i++)
    notes_add(notes, side->merged.warnings[i].code, "%s: %s", name, side->merged.warnings[i].text);
  side->overview = overview_of(&side->merged);
  return PROBLEM_NONE;
}

static bool is_same_machine(const struct profile_env *a, const struct profile_env *b) {
  return strcmp(a->cpu_model, b->cpu_model) == 0 && strcmp(a->hypervisor, b->hypervisor) == 0;
}

static const char *or_unknown(const char *text) { return *text ? text : "unknown"; }

/// The command line without the program's name, which may lie elsewhere.
static const char *arguments_of(const struct profile_env *env) {
  return env->arguments + strcspn(env->arguments, " ");
}

/// Machines, timers and command lines that differ between the sides.
static void note_differences(struct comparison *out) {
  const struct profile_env *a = &out->a.merged.env, *b = &out->b.merged.env;
  out->same_machine = is_same_machine(a, b);
  if (!out->same_machine)
    notes_add(&out->notes, "different_machines",
              "A ran on %s (%s), B on %s (%s): times differ by the machines as well as by the "
              "program; run both on one",
              or_unknown(a->cpu_model), or_unknown(a->hypervisor), or_unknown(b->cpu_model),
              or_unknown(b->hypervisor));
  else if (strcmp(a->host, b->host) != 0)
    notes_add(&out->notes, "different_hosts",
              "A ran on host %s, B on %s, of the same processor model: their clocks and neighbours "
              "may differ",
              or_unknown(a->host), or_unknown(b->host));
  if (strcmp(a->timer, b->timer) != 0)
    notes_add(&out->notes, "different_timers", "A's time was read by %s, B's by %s",
              or_unknown(a->timer), or_unknown(b->timer));
  if (strcmp(arguments_of(a), arguments_of(b)) != 0)
    notes_add(&out->notes, "different_arguments",
              "A ran with other arguments than B (`%.200s`, `%.200s`): the work may differ",
              a->arguments, b->arguments);
}

/// A run that stands on both sides differs from itself by nothing, which says nothing.
static void note_repeats(struct comparison *out) {
  size_t count = out->a.count + out->b.count, in_both = 0;
  for (size_t i = 0; i < out->a.count; i++)
    for (size_t j = 0; j < out->b.count; j++) {
      const struct profile *pair[] = {&out->a.runs[i].profile, &out->b.runs[j].profile};
      in_both += profile_drop_repeats(pair, 2) == 1;
    }
  if (in_both)
    notes_add(&out->notes, "same_run",
              "%zu of the %zu files are the same run on both sides: that "
              "says nothing about how runs differ",
              2 * in_both, count);
}

/// Start times of all runs, A's first, in seconds.
static void find_starts(const struct comparison *comparison, double *start) {
  const struct compared_side *sides[] = {&comparison->a, &comparison->b};
  uint64_t earliest = comparison->a.profiles[0]->env.start_time_s;
  for (size_t s = 0, at = 0; s < 2; s++)
    for (size_t i = 0; i < sides[s]->merged.merged_count; i++)
      start[at++] = start_of(sides[s]->profiles[i], earliest);
}

/// Template arguments are cut down to that: "<...>".
#define ARGUMENTS_MOST 5

static char *plain_name(const char *linkage_name) {
  char *name = function_short_name(linkage_name);
  name_cut_arguments(name, ARGUMENTS_MOST);
  return name;
}

static void compare(size_t error_parts, struct comparison *out) {
  struct diff_known known_a, known_b;
  const struct diff_runs a = {out->a.profiles, out->a.merged.merged_count, &out->a.merged,
                              &out->a.floor, diff_fleet_known(out->a.fleet, &known_a)};
  const struct diff_runs b = {out->b.profiles, out->b.merged.merged_count, &out->b.merged,
                              &out->b.floor, diff_fleet_known(out->b.fleet, &known_b)};
  double *start = memory_zeroed(a.count + b.count, sizeof *start);
  find_starts(out, start);
  diff_compare(&a, &b, start, error_parts, plain_name, &out->diff);
  free(start);
}

/// Says that there is nothing to compare. A side in which no loop ran has its own reason.
static int nothing_in_common(const struct comparison *out, struct problems *problems) {
  problem_error(problems,
                "%s and %s: no loop in common: A entered %s of %s, B %zu of %s; compare two "
                "builds of the same sources",
                out->a.runs[0].paths[0], out->b.runs[0].paths[0],
                units_counted(out->a.overview.loops_entered, "loop").data,
                out->a.merged.env.executable, (size_t)out->b.overview.loops_entered,
                out->b.merged.env.executable);
  return PROBLEM_UNREADABLE;
}

void comparison_turns(const struct comparison *comparison, struct diff_design *design) {
  size_t count_a = comparison->a.merged.merged_count, count_b = comparison->b.merged.merged_count;
  double *start = memory_zeroed(count_a + count_b, sizeof *start);
  find_starts(comparison, start);
  diff_turns(start, count_a, count_a + count_b, design);
  free(start);
}

int comparison_read(char *const *a, size_t count_a, char *const *b, size_t count_b,
                    struct comparison *out, struct problems *problems) {
  *out = (struct comparison){0};
  int status = read_side(a, count_a, "A", &out->a, &out->notes, problems);
  if (status == PROBLEM_NONE)
    status = read_side(b, count_b, "B", &out->b, &out->notes, problems);
  if (status != PROBLEM_NONE)
    return status;
  note_differences(out);
  note_repeats(out);
  return PROBLEM_NONE;
}

/// A database tells what the runs' own machine could tell; this one is another.
static void find_floor(struct compared_side *side, struct notes *notes) {
  side->floor_source = side->fleet ? diff_fleet_floor(side->fleet, &side->floor)
                                   : floor_find(&side->merged.env, &side->floor, notes);
}

int comparison_load_any(char *const *a, size_t count_a, char *const *b, size_t count_b,
                        size_t error_parts, struct comparison *out, struct problems *problems) {
  int status = comparison_read(a, count_a, b, count_b, out, problems);
  if (status != PROBLEM_NONE)
    return status;
  find_floor(&out->a, &out->notes);
  out->b.floor = out->a.floor;
  out->b.floor_source = out->a.floor_source;
  if (!out->same_machine)
    find_floor(&out->b, &out->notes);
  compare(error_parts, out);
  return PROBLEM_NONE;
}

int comparison_load(char *const *a, size_t count_a, char *const *b, size_t count_b,
                    size_t error_parts, struct comparison *out, struct problems *problems) {
  int status = comparison_load_any(a, count_a, b, count_b, error_parts, out, problems);
  if (status == PROBLEM_NONE && !out->diff.common && out->a.overview.loops_entered &&
      out->b.overview.loops_entered)
    return nothing_in_common(out, problems);
  return status;
}

static void side_release(struct compared_side *side) {
  for (size_t i = 0; i < side->count; i++)
    input_release(&side->runs[i]);
  for (size_t i = 0; i < side->study_count; i++)
    study_input_close(side->studies[i]);
  free(side->studies);
  free(side->runs);
  free(side->profiles);
  profile_release(&side->merged);
  diff_fleet_free(side->fleet);
}

const char *comparison_program(void *side, const char *path, const char *build_id) {
  struct compared_side *of = side;
  const char *found = NULL;
  for (size_t i = 0; i < of->study_count && !found; i++)
    found = study_input_program(of->studies[i], path, build_id);
  return found;
}

void comparison_add_operands(const struct compared_side *side, struct text *command) {
  // Other commands take one study alone.
  size_t count = study_input_is(side->runs[0].paths[0]) ? 1 : side->count;
  for (size_t i = 0; i < count; i++)
    if (!i || strcmp(side->runs[i].paths[0], side->runs[i - 1].paths[0]) != 0)
      input_add_operands(&side->runs[i], command);
}

void comparison_release(struct comparison *comparison) {
  diff_release(&comparison->diff);
  side_release(&comparison->a);
  side_release(&comparison->b);
  notes_release(&comparison->notes);
}
