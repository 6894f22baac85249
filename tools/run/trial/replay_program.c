// replay_program.c - runs the program that a replay's gain is of, and takes its CPU time.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define _GNU_SOURCE // sigabbrev_np
#include "tools/run/trial/replay_program.h"

#include "tools/run/child/job.h"
#include "tools/run/child/run_program.h"
#include "tools/support/memory.h"
#include "tools/support/problem.h"
#include "tools/support/text.h"

#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

enum { RUNS = 3 };

/// Its reports and profiles, if it is instrumented, aren't looked at.
static void set_environment(const char *directory) {
  const char *users = getenv("RETICLE_OPTIONS");
  struct text value = {0};
  text_format(&value, "%s%sreport=0:verbosity=0:out=%s/%%p.prof", users ? users : "",
              users && *users ? ":" : "", directory);
  if (setenv("RETICLE_OPTIONS", text_get(&value), 1) != 0)
    memory_exhausted();
  text_release(&value);
}

static int run_once(char *const *argv, const char *log, double *cpu_s, struct problems *problems) {
  struct job job;
  job_run(argv, log, 0, &job);
  *cpu_s = job.user_s + job.system_s;
  if (job.stopped)
    return 128 + job.stopped;
  if (!job.failed && WIFEXITED(job.status) && WEXITSTATUS(job.status) == 0)
    return PROBLEM_NONE;
  if (job.failed) {
    problem_error(problems, "try: %s: %s", argv[0], strerror(job.failed));
  } else if (WIFSIGNALED(job.status)) {
    job_show_log(log, problems);
    problem_error(problems, "try: %s was ended by signal %d (SIG%s)", argv[0], WTERMSIG(job.status),
                  sigabbrev_np(WTERMSIG(job.status)));
  } else {
    job_show_log(log, problems);
    problem_error(problems, "try: %s failed with status %d", argv[0], WEXITSTATUS(job.status));
  }
  return PROBLEM_UNREADABLE;
}

static int compare_numbers(const void *left, const void *right) {
  double a = *(const double *)left, b = *(const double *)right;
  return (a > b) - (a < b);
}

int replay_program_time(char *const *argv, double *cpu_ns, double *fastest, double *slowest,
                        struct problems *problems) {
  struct text log = {0};
  double times_s[RUNS] = {0};
  char *directory = run_directory_make("replay", problems);
  if (!directory)
    return PROBLEM_UNREADABLE;
  text_format(&log, "%s/log", directory);
  set_environment(directory);
  job_begin();
  int status = PROBLEM_NONE;
  for (size_t i = 0; status == PROBLEM_NONE && i < RUNS; i++) {
    problem_note(problems, "try: run %zu of %d of the program, for its CPU time", i + 1, RUNS);
    status = run_once(argv, text_get(&log), &times_s[i], problems);
  }
  qsort(times_s, RUNS, sizeof *times_s, compare_numbers);
  *cpu_ns = times_s[RUNS / 2] * 1e9;
  *fastest = *cpu_ns > 0 ? times_s[0] / times_s[RUNS / 2] : 1;
  *slowest = *cpu_ns > 0 ? times_s[RUNS - 1] / times_s[RUNS / 2] : 1;
  text_release(&log);
  run_directory_remove(directory);
  free(directory);
  return status;
}
