// check.c - two builds, runs in turn, a look at some numbers of pairs, and the end of it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/run/check/check.h"

#include "tools/run/check/check_counts.h"
#include "tools/run/check/check_cover.h"
#include "tools/run/check/check_tree.h"
#include "tools/run/child/git.h"
#include "tools/run/child/plain_objects.h"
#include "tools/run/study/study.h"
#include "tools/support/memory.h"
#include "tools/support/problem.h"
#include "tools/support/units.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum side { BASE, HEAD, SIDES };

static const char *const names[SIDES] = {CHECK_BASE, CHECK_HEAD};
static const char *const questions[SIDES] = {"as it was", "as it is"};

/// Pairs of runs behind which the sides are compared first, and at most. In between each look has
/// half as many again as the one before.
#define FIRST_LOOK 5
#define LAST_LOOK 250
/// A run that takes so many times what the longest one took is ended.
#define LATE_RUNS 3
/// What a time that is asked for has beyond what runs took.
#define MARGIN 1.1
/// Of the time that is left runs that count may take this part, or so long.
#define COUNTS_PART 0.25
#define COUNTS_LEAST_S 3
/// Looks more where the program regressed and no loop is known that did.
#define LOOKS_FOR_LOOP 2

/// A check at work.
struct check {
  const struct check_settings *settings;
  struct study study;
  struct check_tree tree;
  const char *folders[SIDES];
  struct study_role roles[CHECK_PLACEMENTS_MOST][SIDES];
  char names[CHECK_PLACEMENTS_MOST][SIDES][16]; ///< of the roles: "base", "head", "base-2", ...
  char *head;
  struct check_limits limits; ///< with the looks that there is time for
  double longest_s;           ///< of the runs
  double look_s;              ///< what the last look took
  struct plain_objects objects[SIDES];
  bool is_kept[SIDES]; ///< what the folder has (plain_objects.h)
};

static void name_roles(struct check *check) {
  for (unsigned i = 0; i < check->settings->placements; i++)
    for (int side = BASE; side < SIDES; side++) {
      char *name = check->names[i][side];
      snprintf(name, sizeof check->names[i][side], i ? "%s-%u" : "%s", names[side], i + 1);
      check->roles[i][side] = (struct study_role){.name = name,
                                                  .features = "loop",
                                                  .options = "sample=1",
                                                  .question = questions[side],
                                                  .is_repeated = true,
                                                  .placement = i};
    }
}

/// What was spent of --time.
static double spent_s(const struct check *check) {
  return study_elapsed_s(&check->study) - check->study.builds_s;
}

static double left_s(const struct check *check) {
  return check->settings->limit_s - spent_s(check);
}

/// Builds take what they take: that is said before the first one.
static void say_builds(const struct check *check) {
  const struct check_settings *settings = check->settings;
  problem_note(settings->problems,
               "check: at most %s of runs, and %u builds beside them: %u for times%s%s",
               units_duration(settings->limit_s * 1e9).data,
               SIDES * settings->placements + (settings->has_counts ? SIDES : 0) +
                   (settings->has_coverage ? 1 : 0),
               SIDES * settings->placements, settings->has_counts ? ", 2 for counts" : "",
               settings->has_coverage ? ", 1 for coverage where lines changed" : "");
}

/// What it took in the end.
static void say_took(const struct check *check, const struct check_effort *effort) {
  problem_note(check->settings->problems, "check: %s of runs in %s, builds %s",
               units_counted(effort->pairs, "pair").data, units_duration(spent_s(check) * 1e9).data,
               units_duration(check->study.builds_s * 1e9).data);
}

static int build(struct check *check) {
  unsigned placements = check->settings->placements;
  int status = PROBLEM_NONE;
  for (unsigned i = 0; i < SIDES * placements && status == PROBLEM_NONE; i++) {
    const struct study_role *role = &check->roles[i / SIDES][i % SIDES];
    problem_note(check->settings->problems, "check: build %u of %u, %s (%s): %s", i + 1,
                 SIDES * placements, role->name, role->question, check->settings->build);
    status = check_tree_enter(check->folders[i % SIDES], check->settings->problems)
                 ? study_build_make(&check->study, role)
                 : PROBLEM_UNREADABLE;
  }
  return status;
}

/// Whether the run that was just kept says that all went well; says so where it doesn't.
static bool is_well(struct check *check, const struct study_role *role) {
  int status =
      (int)study_seconds(&check->study, "SELECT coalesce(exit_status, 128 + signal) FROM runs "
                                        "ORDER BY id DESC LIMIT 1");
  if (!status)
    return true;
  struct text log = {0};
  text_format(&log, "%s/run.log", check->study.directory);
  job_show_log(text_get(&log), check->settings->problems);
  text_release(&log);
  problem_error(check->settings->problems,
                "check: %s (%s) ended with status %d: what it measured may be less work; a check "
                "needs runs that end with 0, in the folder of each side",
                check->settings->argv[0], role->name, status);
  return false;
}

/// One of each side, the base's first and head's first in turn: who comes second may find the
/// memory that the other one has just left.
static int run_pair(struct check *check, unsigned round) {
  int status = PROBLEM_NONE;
  unsigned placements = check->settings->placements, placement = (round - 1) % placements;
  problem_note(check->settings->problems, "check: runs %u of base and head", round);
  for (int i = BASE; i < SIDES && status == PROBLEM_NONE; i++) {
    int side = round % 2 ? i : SIDES - 1 - i;
    const struct study_role *role = &check->roles[placement][side];
    if (!check_tree_enter(check->folders[side], check->settings->problems))
      return PROBLEM_UNREADABLE;
    // Each side's programs are in its own folder, of several builds those of the last one.
    if (placements == 1)
      check->study.current = study_build_find(&check->study.file, role->name);
    double before_s = check->study.runs_s;
    check->study.run_limit_s = fmax(left_s(check), LATE_RUNS * check->longest_s);
    status = study_run_make(&check->study, role, round);
    check->longest_s = fmax(check->longest_s, check->study.runs_s - before_s);
    if (status == PROBLEM_NONE && !is_well(check, role))
      status = PROBLEM_UNREADABLE;
  }
  return status;
}

/// Compares what is there, from the file, which nobody has open meanwhile.
static int compare(struct check *check, struct check_result *out) {
  unsigned placements = check->settings->placements;
  struct text operands[CHECK_PLACEMENTS_MOST][SIDES] = {0};
  char *paths[SIDES][CHECK_PLACEMENTS_MOST];
  for (unsigned i = 0; i < placements; i++)
    for (int side = BASE; side < SIDES; side++) {
      text_format(&operands[i][side], "%s@%s", check->study.path, check->names[i][side]);
      paths[side][i] = operands[i][side].data;
    }
  int status = PROBLEM_UNREADABLE;
  if (check_tree_enter(check->head,
                       check->settings->problems)) { // the file's path may be a relative one
    study_file_close(&check->study.file);
    status = check_result_load(paths[BASE], placements, paths[HEAD], placements, &check->limits,
                               out, check->settings->problems);
  }
  for (unsigned i = 0; i < placements; i++)
    for (int side = BASE; side < SIDES; side++)
      text_release(&operands[i][side]);
  return status;
}

/// A comparison between runs.
static int look(struct check *check, struct check_result *out) {
  double began_s = study_elapsed_s(&check->study);
  int status = compare(check, out);
  if (!study_file_write(check->study.path, &check->study.file, check->settings->problems))
    status = PROBLEM_UNREADABLE;
  check->look_s = study_elapsed_s(&check->study) - began_s;
  return status;
}

/// What the runs of times printed.
static enum check_output compare_outputs(struct check *check) {
  struct statement *s = database_prepare(
      check->study.file.database,
      "SELECT count(DISTINCT output_hash), count(DISTINCT b.name || output_hash), "
      "count(DISTINCT b.name) FROM runs r JOIN builds b ON b.id=r.build WHERE b.name IN "
      "('base', 'head') OR b.name GLOB 'base-[2-9]' OR b.name GLOB 'head-[2-9]'");
  enum check_output output = CHECK_OUTPUT_UNKNOWN;
  if (statement_step(s) && statement_get_count(s, 2) >= SIDES) {
    uint64_t all = statement_get_count(s, 0), of_builds = statement_get_count(s, 1),
             builds = statement_get_count(s, 2);
    output = all == 1              ? CHECK_OUTPUT_SAME
             : of_builds == builds ? CHECK_OUTPUT_DIFFERS
                                   : CHECK_OUTPUT_VARIES;
  }
  statement_finish(s);
  return output;
}

/// The file is finished without readers, so the last look's result is loaded once more.
static int finish(struct check *check, struct check_result *out) {
  check_result_release(out);
  *out = (struct check_result){0};
  check->limits.has_more = false;
  enum check_output output = compare_outputs(check);
  bool finished =
      check_tree_enter(check->head, check->settings->problems) && study_finish(&check->study);
  int status = finished ? compare(check, out) : PROBLEM_UNREADABLE;
  out->output = output;
  return status;
}

static unsigned look_behind(unsigned pairs) { return pairs + (pairs + 1) / 2; }

/// Looks that there is time for, the first one among them, of which all share one error.
static size_t count_looks(const struct check *check, double pair_s) {
  double pairs = FIRST_LOOK + fmin(left_s(check) / fmax(pair_s, 1e-3), LAST_LOOK - FIRST_LOOK);
  size_t looks = 1;
  for (unsigned at = look_behind(FIRST_LOOK); at <= pairs; at = look_behind(at))
    looks++;
  return looks;
}

/// Runs as many pairs, or for as long as there is time: for the last look, and the file, too.
static int run_pairs(struct check *check, unsigned pairs, struct check_effort *effort) {
  int status = PROBLEM_NONE;
  while (effort->pairs < pairs && status == PROBLEM_NONE && !effort->is_out_of_time) {
    double began_s = study_elapsed_s(&check->study);
    status = run_pair(check, (unsigned)++effort->pairs);
    double took_s = study_elapsed_s(&check->study) - began_s;
    effort->pair_s += (took_s - effort->pair_s) / (double)effort->pairs;
    double missing = effort->pairs < FIRST_LOOK ? FIRST_LOOK - (double)effort->pairs : 1;
    effort->is_out_of_time = left_s(check) < missing * effort->pair_s + 2 * check->look_s;
  }
  return status;
}

double check_time_s(const struct check_effort *effort, size_t pairs) {
  return ceil(effort->before_s + (double)pairs * effort->pair_s * MARGIN);
}

/// Says at once that the time won't do, and what would: also a part of it may find a large loss.
static void say_needs(const struct check *check, const struct check_result *result,
                      const struct check_effort *effort) {
  double fit = (double)effort->pairs + fmax(0, left_s(check) / fmax(effort->pair_s, 1e-3));
  if (result->verdict != CHECK_INCONCLUSIVE || (double)result->runs_needed <= fit)
    return;
  double needed_s = check_time_s(effort, result->runs_needed);
  if (effort->pairs < FIRST_LOOK)
    problem_note(check->settings->problems,
                 "check: %d pairs of runs, of fewer nothing is told, don't fit into --time: --time "
                 "%.0fs",
                 FIRST_LOOK, needed_s);
  else
    problem_note(check->settings->problems,
                 "check: to rule out a loss of %.3g %% takes about %zu pairs of runs by what these "
                 "differ by, and --time leaves about %.0f: --time %.0fs; a larger one may be found "
                 "before",
                 100 * check->settings->limits.regress, result->runs_needed, fit, needed_s);
}

/// Whether a loop is known that regressed, and none is open that takes longer by more than the
/// limit, as one inside of it may; or there is none that could have.
static bool knows_regressed_loop(const struct check_result *result) {
  bool is_known = false, is_open = false, is_large = false;
  for (size_t i = 0; i < result->count; i++) {
    const struct check_row *row = &result->rows[i];
    if (!row->loop)
      continue;
    is_known = is_known || row->judged.verdict == CHECK_REGRESSION;
    if (row->judged.verdict != CHECK_INCONCLUSIVE)
      continue;
    is_open = true;
    is_large = is_large || expm1(row->judged.by->change) * row->stake > row->limit;
  }
  return is_known ? !is_large : !is_open;
}

/// Whether there is nothing more to find out, as far as that is worth the time.
static bool is_decided(const struct check_result *result, size_t *looks_for_loop) {
  if (result->verdict == CHECK_INCONCLUSIVE)
    return false;
  return result->verdict != CHECK_REGRESSION || knows_regressed_loop(result) ||
         (*looks_for_loop)++ == LOOKS_FOR_LOOP;
}

/// Runs and looks until it is decided, or time is up.
static int measure(struct check *check, struct check_result *out, struct check_effort *effort) {
  unsigned pairs = FIRST_LOOK;
  effort->before_s = spent_s(check);
  int status = run_pairs(check, pairs, effort);
  size_t looks = count_looks(check, effort->pair_s);
  size_t looks_for_loop = 0;
  check->limits.looks = looks;
  for (size_t i = 0; status == PROBLEM_NONE; i++) {
    bool is_last = i + 1 == looks || effort->is_out_of_time;
    check->limits.has_more = !is_last;
    check_result_release(out);
    status = look(check, out);
    if (status == PROBLEM_NONE && !i)
      say_needs(check, out, effort);
    if (status != PROBLEM_NONE || is_last || is_decided(out, &looks_for_loop))
      break;
    pairs = look_behind(pairs);
    status = run_pairs(check, pairs, effort);
  }
  return status;
}

/// Keeps what both folders have, before the first build. False after saying why it can't.
static bool keep_objects(struct check *check) {
  // Of a base that is this folder once.
  bool is_one = strcmp(check->folders[BASE], check->folders[HEAD]) == 0;
  for (int side = is_one ? HEAD : BASE; side < SIDES; side++) {
    struct plain_objects *objects = &check->objects[side];
    *objects = (struct plain_objects){.command = "check", .has_programs = true};
    if (!check_tree_enter(check->folders[side], check->settings->problems) ||
        !plain_objects_put_back("check", check->settings->problems) ||
        !plain_objects_keep(objects, check->settings->problems))
      return false;
    check->is_kept[side] = true;
  }
  return true;
}

/// Leaves both folders with what was kept, and names what instrumented code is in them else.
static void put_back_objects(struct check *check) {
  for (int side = BASE; side < SIDES; side++) {
    if (!check->is_kept[side] || !check_tree_enter(check->folders[side], check->settings->problems))
      continue;
    plain_objects_put_back("check", check->settings->problems);
    if (side == HEAD || !check->tree.worktree) // that one is removed
      plain_objects_check(&check->objects[side], "before you build without Reticle",
                          check->settings->problems);
  }
  check_tree_enter(check->head, check->settings->problems);
}

/// Everything behind a base that is there.
static int measure_all(struct check *check, struct check_result *out, struct check_effort *effort) {
  const struct check_settings *settings = check->settings;
  int status = PROBLEM_NONE;
  say_builds(check);
  check->study.run_limit_s = settings->limit_s;
  effort->has_changed = settings->has_coverage;
  if (effort->has_changed) // first: its programs stand where head's will
    status = check_cover(&check->study, &check->tree, &effort->changed);
  effort->has_counts = status == PROBLEM_NONE && settings->has_counts;
  if (effort->has_counts)
    status = check_counts(&check->study, check->folders,
                          fmax(COUNTS_PART * left_s(check), COUNTS_LEAST_S), &effort->counts);
  if (status == PROBLEM_NONE)
    status = build(check);
  if (status == PROBLEM_NONE)
    status = measure(check, out, effort);
  if (status == PROBLEM_NONE)
    status = finish(check, out);
  if (status == PROBLEM_NONE)
    say_took(check, effort);
  return status;
}

int check_measure(const struct check_settings *settings, struct check_result *out,
                  struct check_effort *effort) {
  struct check check = {.settings = settings, .head = getcwd(NULL, 0), .limits = settings->limits};
  const struct study_settings study = {.problems = settings->problems,
                                       .command = "check",
                                       .path = settings->path,
                                       .build = settings->build,
                                       .may_be_same = true,
                                       .argv = settings->argv};
  check.limits.is_one_program = true;
  *effort = (struct check_effort){0};
  *out = (struct check_result){0};
  name_roles(&check);
  int status = study_open(&study, &check.study);
  if (status == PROBLEM_NONE) {
    bool fine =
        check_tree_open(settings->base, check.study.directory, &check.tree, settings->problems);
    check.folders[BASE] = check.tree.path;
    check.folders[HEAD] = check.head;
    fine = fine && keep_objects(&check) && check_tree_enter(check.head, settings->problems);
    status = fine ? measure_all(&check, out, effort) : PROBLEM_UNREADABLE;
    put_back_objects(&check);
    effort->head = git_head(check.study.directory);
    effort->revision = text_copy(check.tree.revision ? check.tree.revision : "");
    check_tree_close(&check.tree, settings->problems);
  }
  study_close(&check.study);
  free(check.head);
  return status;
}

void check_effort_release(struct check_effort *effort) {
  free(effort->revision);
  free(effort->head);
  changed_lines_release(&effort->changed);
  counted_changes_release(&effort->counts);
}
