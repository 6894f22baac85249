// try_run.c - sets the environment, starts the command, reads time and layout of its profile.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define _GNU_SOURCE // sigabbrev_np
#include "tools/run/trial/try_run.h"
#include "tools/analysis/run/overview.h"
#include "tools/analysis/struct/trial.h"
#include "tools/run/child/job.h"
#include "tools/store/input.h"
#include "tools/support/memory.h"
#include "tools/support/problem.h"
#include "tools/support/text.h"

#include <glob.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

/// What the user has in RETICLE_OPTIONS.
static char *users_options;

void try_run_begin(void) {
  const char *users = getenv("RETICLE_OPTIONS");
  users_options = text_copy(users ? users : "");
  job_begin();
}

static void set_environment(const struct try_side *side, const char *options) {
  bool fine = side->layout ? setenv("RETICLE_LAYOUT", side->layout, 1) == 0
                           : unsetenv("RETICLE_LAYOUT") == 0;
  struct text value = {0}, placement = {0};
  text_format(&placement, "%zu", side->placement);
  fine = fine && (side->placement ? setenv("RETICLE_PLACEMENT", text_get(&placement), 1)
                                  : unsetenv("RETICLE_PLACEMENT")) == 0;
  text_format(&value, "%s%s%s", users_options, *users_options ? ":" : "", options);
  // A cache of objects doesn't know of either.
  fine = fine && setenv("RETICLE_OPTIONS", text_get(&value), 1) == 0 &&
         setenv("CCACHE_DISABLE", "1", 1) == 0;
  text_release(&placement);
  text_release(&value);
  if (!fine)
    memory_exhausted();
}

/// What may be wrong with a program that was ended under another layout.
static const char *hint_for(const struct try_side *side, int number) {
  return side->layout && number
             ? ": the program may depend on the layout as it is written; --pin FIELD leaves "
               "the fields up to FIELD where they are"
             : "";
}

int try_run_command(const struct try_side *side, char *const *argv, const char *directory,
                    const char *options, struct problems *problems) {
  struct text log = {0};
  struct job job;
  int result = PROBLEM_UNREADABLE;
  text_printf(&log, "%s/log", directory);
  set_environment(side, options);
  job_run(argv, text_get(&log), 0, &job);
  if (job.stopped) {
    result = 128 + job.stopped;
  } else if (job.failed) {
    problem_error(problems, "try: %s: %s", argv[0], strerror(job.failed));
  } else if (WIFSIGNALED(job.status)) {
    int number = WTERMSIG(job.status);
    job_show_log(text_get(&log), problems);
    problem_error(problems, "try: %s (%s) was ended by signal %d (SIG%s)%s", argv[0], side->name,
                  number, sigabbrev_np(number), hint_for(side, number));
  } else if (WEXITSTATUS(job.status) != 0) {
    job_show_log(text_get(&log), problems);
    // A shell tells a signal by 128 + its number.
    problem_error(problems, "try: %s (%s) failed with status %d%s", argv[0], side->name,
                  WEXITSTATUS(job.status), hint_for(side, WEXITSTATUS(job.status) > 128));
  } else {
    result = PROBLEM_NONE;
  }
  text_release(&log);
  return result;
}

/// The layout that the program's own code has: of the executable, else of any library.
static uint32_t layout_of(const struct profile *profile) {
  for (size_t i = 0; i < profile->module_count; i++)
    if (profile->modules[i].instrumented && profile->modules[i].layout)
      return profile->modules[i].layout;
  return 0;
}

/// Seconds of the process; 0 if the profile doesn't know.
static double seconds_of(struct quantity ns) {
  return ns.status == QUANTITY_OK ? ns.value * 1e-9 : 0;
}

static int explain_none(const struct try_side *side, size_t found, char *const *argv,
                        struct problems *problems) {
  if (!found)
    problem_error(
        problems,
        "try: the command left no profile (%s): it must run the program, and that must be "
        "compiled with reticle-clang (see: reticle doctor PROGRAM)",
        side->name);
  else if (side->layout)
    problem_error(
        problems,
        "try: the program that ran was not compiled with the layout: the command must "
        "compile everything anew with reticle-clang, e.g. -- sh -c 'make -B && ./app'; or "
        "give the build apart: --build 'make -B'; and the struct must be where the layout file's "
        "line "
        "`place` says");
  else
    problem_error(problems,
                  "try: the program that ran still has a layout tried before: the command must "
                  "compile everything anew, e.g. -- sh -c 'make -B && ./app' (here: %s)",
                  argv[0]);
  return PROBLEM_UNREADABLE;
}

/// The longest of the run's profiles with the side's layout: compilers and helpers may leave some.
static int take_profile(struct try_side *side, const char *pattern, bool keep,
                        struct problems *problems) {
  glob_t files = {0};
  size_t found = 0;
  struct overview longest = {0};
  double most = 0;
  char *best = NULL, *build_id = NULL;
  if (glob(pattern, 0, NULL, &files) == 0)
    for (size_t i = 0; i < files.gl_pathc; i++) {
      struct input input = {0};
      struct notes notes = {0};
      if (input_read(&files.gl_pathv[i], 1, &input, &notes, problems) == PROBLEM_NONE) {
        found++;
        struct overview overview = overview_of(&input.profile);
        double seconds = seconds_of(overview.run_ns);
        if (layout_of(&input.profile) == side->hash && seconds > most) {
          free(best);
          free(build_id);
          best = text_copy(files.gl_pathv[i]);
          build_id = text_copy(trial_build_id(&input.profile));
          most = seconds;
          longest = overview;
          side->has_threads |= input.profile.env.thread_count > 1;
        }
      }
      input_release(&input);
      notes_release(&notes);
    }
  globfree(&files);
  if (!best)
    return explain_none(side, found, side->argv, problems);
  if (!keep) {
    free(best);
    free(build_id);
    return PROBLEM_NONE;
  }
  if (*build_id && (!side->build_id || strcmp(build_id, side->build_id) != 0))
    side->builds++;
  free(side->build_id);
  side->build_id = build_id;
  side->profiles[side->count] = best;
  side->wall[side->count] = most;
  side->cpu[side->count++] = seconds_of(longest.cpu_ns);
  return PROBLEM_NONE;
}

/// How much later malloc's objects lie with each placement: 5 cache lines and 16 bytes.
#define HEAP_STEP_BYTES 336
#define PAGE_BYTES 4096

int try_run(struct try_side *side, const char *directory, size_t number, bool keep,
            struct problems *problems) {
  struct text options = {0}, pattern = {0};
  text_format(&options, "report=0:heap_offset=%zu:out=%s/%s%zu.%%p.prof",
              side->placement * HEAP_STEP_BYTES % PAGE_BYTES, directory, side->letter, number);
  text_format(&pattern, "%s/%s%zu.*.prof", directory, side->letter, number);
  int status = try_run_command(side, side->argv, directory, text_get(&options), problems);
  if (status == PROBLEM_NONE)
    status = take_profile(side, text_get(&pattern), keep, problems);
  text_release(&options);
  text_release(&pattern);
  return status;
}
