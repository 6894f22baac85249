// study_trial_runs.c - rounds of runs, in an order drawn anew: one of each change, two without any.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/analysis/trial/output_numbers.h"
#include "tools/run/study/study_trials_parts.h"
#include "tools/store/study/study_trials.h"
#include "tools/support/memory.h"
#include "tools/support/units.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

/// A run with a change is ended where it takes so many plain ones, and 1 s.
#define LATE_PLAIN_RUNS 10
/// Runs that must print the same other thing until a change is blamed for it: processes and threads
/// may end in another order now and then.
enum { PRINTED_OTHERWISE = 3 };
/// Of numbers that a program prints: what is rounded otherwise differs by less.
#define DIFFERENCE_MOST 1e-3

static uint64_t draw(struct trials *t) {
  t->random ^= t->random << 13;
  t->random ^= t->random >> 7;
  t->random ^= t->random << 17;
  return t->random;
}

int trials_run(struct trials *t, int64_t build, const struct study_role *role, const char *options,
               struct job *job, struct text *printed, uint64_t *output) {
  struct study *study = t->study;
  struct text log = {0};
  if (!study_build_place(study, build))
    return PROBLEM_UNREADABLE;
  text_format(&log, "%s/run.log", study->directory);
  study_environment(study, role, options);
  job_run(study->settings->argv, text_get(&log), fmax(LATE_PLAIN_RUNS * t->plain_s, 1), job);
  study->runs_s += job->wall_s;
  *output = study_output_read(text_get(&log), printed);
  text_release(&log);
  return job->stopped ? 128 + job->stopped : PROBLEM_NONE;
}

/// One run; what it printed into *output. As study_measure.
static int run_once(struct trials *t, struct attempt *a, unsigned place, uint64_t *output) {
  const struct study_role plain = {.name = "plain"};
  text_clear(&a->printed);
  trials_set_variables(text_get(&a->environment), true);
  int status = trials_run(t, a->builds[place], &plain, "", &a->last, &a->printed, output);
  trials_set_variables(text_get(&a->environment), false);
  return status;
}

/// Numbers may differ where results are rounded otherwise: by how much is kept. Adds a reason where
/// more does.
static void check_output(struct trials *t, struct attempt *a, struct text *reason) {
  double difference =
      a->rounds ? output_numbers_differ(text_get(&t->items[0].printed), text_get(&a->printed))
                : INFINITY;
  if (difference <= DIFFERENCE_MOST)
    study_trial_differs(&t->study->file, a->id, difference);
  else if (isfinite(difference))
    text_printf(reason, "numbers that it prints differ by up to %s", units_share(difference).data);
  else
    text_add(reason, "it prints something else");
}

/// Whether the program prints it whenever it has the change, into *is_always; else what it prints
/// differs anyway, and is compared no more. As study_measure.
static int print_again(struct trials *t, struct attempt *a, unsigned place, uint64_t output,
                       bool *is_always) {
  struct job last = a->last;
  int status = PROBLEM_NONE;
  *is_always = true;
  for (int i = 1; i < PRINTED_OTHERWISE && *is_always && status == PROBLEM_NONE; i++) {
    uint64_t again = output;
    status = run_once(t, a, place, &again);
    *is_always = again == output;
  }
  a->last = last;
  t->is_repeatable = *is_always;
  return status;
}

/// Ends a change that isn't one of what costs time alone. As study_measure.
static int check_run(struct trials *t, struct attempt *a, unsigned place, uint64_t output) {
  const struct job *job = &a->last;
  struct text reason = {0};
  if (job->failed)
    text_printf(&reason, "it can't be run: %s", strerror(job->failed));
  else if (job->is_late)
    text_printf(&reason, "it still ran after %s", units_duration(job->wall_s * 1e9).data);
  else if (WIFSIGNALED(job->status))
    text_printf(&reason, "it was ended by signal %d", WTERMSIG(job->status));
  else if (job->status != t->items[0].last.status)
    text_printf(&reason, "it ends with status %d", WEXITSTATUS(job->status));
  bool is_always = false;
  int status = PROBLEM_NONE;
  if (!reason.length && t->is_repeatable && output != t->output)
    status = print_again(t, a, place, output, &is_always);
  if (is_always && status == PROBLEM_NONE)
    check_output(t, a, &reason);
  if (reason.length)
    trials_end(t, a, text_get(&reason));
  text_release(&reason);
  return status;
}

static double cpu_of(const struct attempt *a) { return a->last.user_s + a->last.system_s; }

static bool keep_pair(struct trials *t, struct attempt *a, unsigned stage, unsigned place) {
  const struct job *plain = &t->items[0].last, *changed = &a->last;
  unsigned at = a->is_built ? place : 0;
  const struct study_pair pair = {.stage = stage,
                                  .pair = (unsigned)a->count + 1,
                                  .build = at,
                                  .plain_cpu_s = cpu_of(&t->items[0]),
                                  .changed_cpu_s = cpu_of(a),
                                  .plain_wall_s = plain->wall_s,
                                  .changed_wall_s = changed->wall_s,
                                  .plain_rss_bytes = plain->max_rss_bytes,
                                  .changed_rss_bytes = changed->max_rss_bytes};
  a->pairs[a->count++] = (struct change_pair){at, pair.plain_cpu_s, pair.changed_cpu_s};
  return study_pair_add(&t->study->file, a->id, &pair);
}

/// Where the program fails by itself, nothing can be told of changes.
static void give_up(struct trials *t) {
  problem_warning(t->study->settings->problems,
                  "study: a run without any change failed: changes aren't tried any more");
  for (size_t i = 1; i < t->count; i++)
    if (!t->items[i].is_over)
      trials_end(t, &t->items[i], "a run without any change failed");
}

/// Runs all that are not over, each once, functions at those places.
int trials_round(struct trials *t, unsigned stage, unsigned place) {
  struct study *study = t->study;
  size_t *order = memory_zeroed(t->count, sizeof *order), running = 0;
  uint64_t *outputs = memory_zeroed(t->count, sizeof *outputs);
  int status = PROBLEM_NONE;
  for (size_t i = 0; i < t->count; i++)
    if (!t->items[i].is_over && !t->items[i].is_waiting)
      order[running++] = i;
  for (size_t i = running; i > 1; i--) {
    size_t other = draw(t) % i, kept = order[i - 1];
    order[i - 1] = order[other];
    order[other] = kept;
  }
  for (size_t i = 0; i < running && status == PROBLEM_NONE; i++)
    status = run_once(t, &t->items[order[i]], place, &outputs[order[i]]);
  if (status == PROBLEM_NONE) {
    const struct job *plain = &t->items[0].last;
    t->is_repeatable = t->is_repeatable && (t->items[1].is_over || outputs[0] == outputs[1]) &&
                       (!t->has_output || outputs[0] == t->output);
    t->output = outputs[0];
    t->has_output = true;
    if (plain->failed || plain->is_late || WIFSIGNALED(plain->status))
      give_up(t);
  }
  for (size_t i = FIRST_CHANGE; status == PROBLEM_NONE && i < t->count; i++)
    if (!t->items[i].is_over && !t->items[i].is_waiting)
      status = check_run(t, &t->items[i], place, outputs[i]);
  bool fine = status == PROBLEM_NONE && study_file_begin(&study->file);
  for (size_t i = 1; fine && i < t->count; i++) {
    struct attempt *a = &t->items[i];
    if (!a->is_over && !a->is_waiting)
      fine = keep_pair(t, a, stage, place);
  }
  if (fine)
    fine = study_file_commit(&study->file);
  free(order);
  free(outputs);
  return status != PROBLEM_NONE ? status : fine ? PROBLEM_NONE : PROBLEM_UNREADABLE;
}
