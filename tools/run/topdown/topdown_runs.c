// topdown_runs.c - runs the program once for each group of counters, with its stdin wound back.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define _GNU_SOURCE // sigabbrev_np
#include "tools/run/topdown/topdown_runs.h"

#include "tools/model/join/measurement_load.h"
#include "tools/run/child/run_child.h"
#include "tools/run/child/run_profile.h"
#include "tools/run/child/run_program.h"
#include "tools/support/memory.h"
#include "tools/support/problem.h"
#include "tools/support/text.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { OPTION_BYTES = 1000, ESTIMATE_BLOCKS = 60 };

/// The program's stdout must not be mixed with ours; of later runs it says nothing new. Returns a
/// copy of stdout, to be handed to restore_stdout.
static int divert_stdout(bool is_first) {
  int saved = fcntl(1, F_DUPFD_CLOEXEC, 3);
  int to = is_first ? 2 : open("/dev/null", O_WRONLY | O_CLOEXEC);
  fflush(stdout);
  if (saved >= 0 && to >= 0)
    dup2(to, 1);
  if (to > 2)
    close(to);
  return saved;
}

static void restore_stdout(int saved) {
  if (saved < 0)
    return;
  dup2(saved, 1);
  close(saved);
}

/// Each run shall read the same. A pipe can't be read twice; whether the program reads it at all
/// shows in what the runs did.
static void rewind_stdin(struct topdown_runs *runs) {
  if (runs->count && !isatty(0) && lseek(0, 0, SEEK_SET) < 0 && errno == ESPIPE)
    runs->is_stdin_spent = true;
}

static char *set_options(const struct topdown_runs *runs, const char *options) {
  struct text value = {0}, pattern = {0};
  text_format(&pattern, "%s/run%zu.%%p.prof", runs->directory, runs->count + 1);
  text_format(&value, "%s%sreport=0:sample=1:out=%s%s%s", runs->users_options,
              *runs->users_options ? ":" : "", text_get(&pattern), *options ? ":" : "", options);
  if (setenv("RETICLE_OPTIONS", text_get(&value), 1) != 0)
    memory_exhausted();
  text_release(&value);
  return pattern.data;
}

static bool explain_status(const struct topdown_runs *runs, int status) {
  if (WIFSIGNALED(status)) {
    const char *name = sigabbrev_np(WTERMSIG(status));
    problem_error(runs->problems, "topdown: %s was ended by signal %d (SIG%s) in run %zu",
                  runs->argv[0], WTERMSIG(status), name ? name : "?", runs->count + 1);
    return false;
  }
  if (WEXITSTATUS(status))
    problem_note(runs->problems, "%s ended with status %d in run %zu", runs->argv[0],
                 WEXITSTATUS(status), runs->count + 1);
  return true;
}

/// Runs the program once more and reads what it left.
static int run_once(struct topdown_runs *runs, const char *options) {
  struct timespec since;
  pid_t pid;
  int status;
  struct run_profiles found = {0};
  rewind_stdin(runs);
  char *pattern = set_options(runs, options);
  clock_gettime(CLOCK_REALTIME_COARSE, &since);
  int saved = divert_stdout(runs->count == 0);
  int failed = run_child(runs->path, runs->argv, &pid, &status, NULL, NULL);
  restore_stdout(saved);
  if (!failed)
    run_profile_of_child(pattern, pid, since, &found);
  char *profile = found.count ? text_copy(found.paths[found.count - 1]) : NULL;
  run_profiles_release(&found);
  free(pattern);
  if (failed)
    problem_error(runs->problems, "topdown: %s: %s", runs->path, strerror(failed));
  else if (explain_status(runs, status) && !profile)
    problem_error(runs->problems,
                  "topdown: the program left no profile: is it instrumented? (see: reticle doctor "
                  "%s)",
                  runs->path);
  if (failed || WIFSIGNALED(status) || !profile) {
    free(profile);
    return PROBLEM_UNREADABLE;
  }
  runs->profiles[runs->count] = profile;
  int result = measurement_load(&profile, 1, &runs->measurements[runs->count], runs->problems);
  if (result == PROBLEM_NONE)
    topdown_view_read(&runs->measurements[runs->count], &runs->views[runs->count]);
  runs->count++;
  return result;
}

static int begin(struct topdown_runs *runs) {
  const char *users = getenv("RETICLE_OPTIONS");
  runs->users_options = text_copy(users ? users : "");
  runs->points = runs->factor = NAN;
  runs->directory = run_directory_make("topdown", runs->problems);
  return runs->directory ? PROBLEM_NONE : PROBLEM_UNREADABLE;
}

static uint64_t level_of(const struct topdown_tree *tree, size_t group) {
  const char *parent = tree->groups[group].parent;
  uint64_t level = 1;
  for (; *parent; level++)
    parent = tree->nodes[topdown_node_find(tree, parent)].parent;
  return level;
}

/// Adds the groups that the loops want next, with those that split up the same node.
static bool add_wanted(const struct topdown_runs *runs, const struct topdown_view *view,
                       bool *asked) {
  const struct topdown_tree *tree = view->tree;
  bool any = false;
  for (size_t i = 0; i < view->loop_count && i < runs->loops_most; i++) {
    size_t leaf;
    size_t next = topdown_next(tree, &view->loops[i].input, &view->loops[i].result, &leaf);
    if (next == SIZE_MAX || (runs->level_most && level_of(tree, next) > runs->level_most))
      continue;
    for (size_t g = 0; g < tree->group_count; g++)
      if (!asked[g] && !strcmp(tree->groups[g].parent, tree->groups[next].parent))
        asked[g] = any = true;
  }
  return any;
}

/// What the last run lacks, from the newest run that has it.
static void fill_in(struct topdown_runs *runs) {
  struct topdown_view *last = &runs->views[runs->count - 1];
  for (size_t i = 0; i < last->loop_count; i++) {
    struct topdown_loop *loop = &last->loops[i];
    for (size_t r = runs->count - 1; r--;)
      for (size_t k = 0; k < runs->views[r].loop_count; k++) {
        const struct topdown_loop *before = &runs->views[r].loops[k];
        if (before->loop->loop->id != loop->loop->loop->id)
          continue;
        for (size_t g = 0; g < last->tree->group_count; g++)
          if (!loop->input.groups[g].visits && before->input.groups[g].visits)
            loop->input.groups[g] = before->input.groups[g];
      }
    topdown_view_evaluate(last, loop);
  }
}

static double mean_of(const struct topdown_loop *loop) { return loop->loop->stats.mean_ns.value; }

/// Compares each loop of the last run, as it counted itself, with the earlier runs.
static void compare(struct topdown_runs *runs) {
  const struct topdown_view *last = &runs->views[runs->count - 1];
  for (size_t i = 0; i < last->loop_count && i < runs->loops_most; i++)
    for (size_t r = 0; r + 1 < runs->count; r++)
      for (size_t k = 0; k < runs->views[r].loop_count; k++) {
        const struct topdown_loop *a = &last->loops[i], *b = &runs->views[r].loops[k];
        if (a->loop->loop->id != b->loop->loop->id)
          continue;
        struct topdown_steady steady =
            topdown_steady_of(last->tree, &a->result, &b->result, mean_of(a), mean_of(b));
        if (isnan(steady.points))
          continue;
        runs->points = isnan(runs->points) ? steady.points : fmax(runs->points, steady.points);
        if (!isnan(steady.factor))
          runs->factor = isnan(runs->factor) ? steady.factor : fmax(runs->factor, steady.factor);
        runs->is_changed |= !steady.is_steady;
      }
}

int topdown_runs_count(struct topdown_runs *runs, const struct topdown_tree *tree, double width,
                       bool has_erratum) {
  bool asked[TOPDOWN_GROUPS_MOST] = {false};
  int result = begin(runs);
  for (size_t g = 0; g < tree->group_count; g++)
    asked[g] = !*tree->groups[g].parent;
  while (result == PROBLEM_NONE && runs->count < TOPDOWN_RUNS_MOST) {
    size_t groups[TOPDOWN_GROUPS_MOST], count = 0;
    char codes[OPTION_BYTES];
    struct text options = {0};
    for (size_t g = 0; g < tree->group_count; g++)
      if (asked[g])
        groups[count++] = g;
    if (!topdown_run_option(tree, width, has_erratum, runs->counters_most, groups, count, codes,
                            sizeof(codes)))
      break; // the longest tree takes half of it
    text_format(&options, "topdown=%s", codes);
    result = run_once(runs, text_get(&options));
    text_release(&options);
    const struct topdown_view *view = &runs->views[runs->count ? runs->count - 1 : 0];
    if (result != PROBLEM_NONE || !view->tree || view->is_estimate ||
        !add_wanted(runs, view, asked))
      break;
  }
  runs->shown = runs->count ? runs->count - 1 : 0;
  if (result == PROBLEM_NONE && runs->count > 1 && runs->views[runs->shown].tree) {
    compare(runs);
    fill_in(runs);
  }
  // A later run did something else, or nothing: what is known is of the first.
  if (runs->count > 1 && isnan(runs->points))
    runs->shown = 0;
  return result;
}

int topdown_runs_estimate(struct topdown_runs *runs) {
  int result = runs->directory ? PROBLEM_NONE : begin(runs);
  struct text options = {0};
  text_format(&options, "blocks=%d", ESTIMATE_BLOCKS);
  if (result == PROBLEM_NONE)
    result = run_once(runs, text_get(&options));
  text_release(&options);
  runs->shown = runs->count ? runs->count - 1 : 0;
  return result;
}

void topdown_runs_release(struct topdown_runs *runs) {
  if (runs->users_options && setenv("RETICLE_OPTIONS", runs->users_options, 1) != 0)
    memory_exhausted();
  for (size_t i = 0; i < runs->count; i++) {
    topdown_view_release(&runs->views[i]);
    measurement_release(&runs->measurements[i]);
    free(runs->profiles[i]);
  }
  if (runs->directory)
    run_directory_remove(runs->directory);
  free(runs->directory);
  free(runs->users_options);
}
