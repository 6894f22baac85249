// run.c - reticle run: runs a program with options set, then reports.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define _GNU_SOURCE // sigabbrev_np
#include "include/reticle/abi.h"
#include "include/reticle/out.h"
#include "tools/cmd/commands.h"
#include "tools/cmd/problems.h"
#include "tools/cmd/report.h"
#include "tools/run/child/run_child.h"
#include "tools/run/child/run_family.h"
#include "tools/run/child/run_profile.h"
#include "tools/run/child/run_program.h"
#include "tools/run/child/run_waits.h"
#include "tools/support/memory.h"
#include "tools/support/messages.h"
#include "tools/support/text.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

struct run_options {
  const char *output;
  unsigned features;
  bool report;
  bool force;
  bool waits;
};

/// Value of the last out= in the options that the user has set; null if there is none. The caller
/// frees it.
static char *user_output(const char *options) {
  char *out = NULL;
  for (const char *at = options; *at;) {
    size_t length = strcspn(at, ":");
    if (length > 4 && strncmp(at, "out=", 4) == 0) {
      free(out);
      out = strndup(at + 4, length - 4);
      if (!out)
        memory_exhausted();
    }
    at += length + (at[length] == ':');
  }
  return out;
}

/// Sets RETICLE_OPTIONS: the user's, then ours, as the last one counts. Returns the pattern of the
/// profile's name, which the caller frees.
static char *set_environment(const struct run_options *options) {
  const char *before = getenv("RETICLE_OPTIONS");
  struct text value = {0}, pattern = {0};
  text_format(&value, "%s%sreport=0", before ? before : "", before && *before ? ":" : "");
  char *users = user_output(before ? before : "");
  if (options->output) {
    text_add(&pattern, options->output);
    text_format(&value, ":out=%s", text_get(&pattern));
  } else {
    text_add(&pattern, users ? users : RETICLE_OUT_DEFAULT);
  }
  free(users);
  if (options->features) // there is one
    text_add(&value, ":loop=1");
  if (setenv("RETICLE_OPTIONS", text_get(&value), 1) != 0)
    memory_exhausted();
  text_release(&value);
  return pattern.data;
}

/// Whether the last children= in the options is merge.
static bool merges_children(void) {
  const char *options = getenv("RETICLE_OPTIONS");
  bool merges = false;
  for (const char *at = options ? options : ""; *at;) {
    size_t length = strcspn(at, ":");
    if (strncmp(at, "children=", 9) == 0)
      merges = length == 14 && strncmp(at + 9, "merge", 5) == 0;
    at += length + (at[length] == ':');
  }
  return merges;
}

static void fold(void *context, pid_t pid) {
  struct run_family *family = context;
  family->root = pid;
  run_family_fold(family);
}

static void print_report(const char *pattern, pid_t pid, struct timespec since) {
  struct run_profiles found;
  run_profile_of_child(pattern, pid, since, &found);
  if (!found.count) {
    message_error("run: the program left no profile: it was ended before main, changed its user, "
                  "or the directory is not writable (see: reticle doctor PROGRAM)");
    return;
  }
  if (found.others)
    message_note("%zu more profiles were written; reticle report F... merges those named",
                 found.others);
  struct report_options report = {0};
  report_print(found.paths, found.count, &report, stderr);
  run_profiles_release(&found);
}

static int run_program(const struct run_options *options, const char *path, char **argv) {
  char *pattern = set_environment(options);
  if (options->waits)
    run_waits_preload("run", path, problems_shown());
  struct timespec since;
  clock_gettime(CLOCK_REALTIME_COARSE, &since);
  pid_t pid;
  int status;
  bool merges = merges_children();
  struct run_family family = {.problems = problems_shown(), .pattern = pattern, .since = since};
  int failed = run_child(path, argv, &pid, &status, merges ? fold : NULL, &family);
  if (!failed && merges)
    fold(&family, pid);
  run_family_release(&family);
  if (failed) {
    message_error("run: %s: %s", path, strerror(failed));
    free(pattern);
    return EXIT_RETICLE_FAILED;
  }
  if (WIFSIGNALED(status)) {
    const char *name = sigabbrev_np(WTERMSIG(status));
    message_note("%s was ended by signal %d (SIG%s)", argv[0], WTERMSIG(status), name ? name : "?");
  }
  if (options->report && strcmp(pattern, "/dev/null") == 0)
    message_note("run: no report, as out=/dev/null keeps no profile");
  else if (options->report)
    print_report(pattern, pid, since);
  free(pattern);
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

static const struct option_spec options[] = {
    {"output", 'o', OPTION_TEXT, "FILE", offsetof(struct run_options, output),
     "profile file, with %p for the process, %e the program, %h the host, %r the MPI rank "
     "(default reticle.%e.%p.prof)"},
    {"features", 0, OPTION_CHOICES, "loop", offsetof(struct run_options, features),
     "only these features (default: all that were compiled in)"},
    {"report", 0, OPTION_SWITCH, NULL, offsetof(struct run_options, report),
     "print the report on stderr afterwards (default)"},
    {"waits", 0, OPTION_SWITCH, NULL, offsetof(struct run_options, waits),
     "preload the library that sees calls of MPI and waits of OpenMP, where the program is a "
     "launcher such as mpirun or links one of them (default)"},
    {"force", 0, OPTION_FLAG, NULL, offsetof(struct run_options, force),
     "run the program although it is not instrumented itself"},
};

static int run(const struct command *command, int argc, char **argv) {
  struct run_options chosen = {.report = true, .waits = true};
  int operands;
  enum options_result result = options_parse(command, argc, argv, &chosen, &operands);
  if (result != OPTIONS_OK)
    return result == OPTIONS_WRONG ? EXIT_RETICLE_FAILED : EXIT_FINE;
  if (!operands) {
    options_misuse(command, "name the program, e.g. reticle run -- ./app");
    return EXIT_RETICLE_FAILED;
  }
  if (chosen.output && strchr(chosen.output, ':')) {
    message_error("run: -o %s: RETICLE_OPTIONS can't hold a ':' in a file name: choose another",
                  chosen.output);
    return EXIT_RETICLE_FAILED;
  }
  argv[1 + operands] = NULL;
  char *path = run_program_find("run", argv[1], problems_shown());
  int status = EXIT_RETICLE_FAILED;
  if (path && (chosen.force || run_program_is_instrumented("run", path, problems_shown())))
    status = run_program(&chosen, path, argv + 1);
  free(path);
  return status;
}

const struct command command_run = {
    .name = "run",
    .operands = "[--] PROGRAM [ARGUMENT...]",
    .summary = "runs an instrumented program and reports, also when it is killed",
    .details = "What stands in RETICLE_OPTIONS holds too.",
    .status = "The exit status is the program's (128 + number for a signal), 125 if it could not "
              "be started, or its runtime ended it in front of main.",
    .examples =
        (const struct command_example[]){
            {"reticle run -o 'app.%p.prof' -- ./app input", "one run, into a file of that name"},
            {"reticle run --no-report --features loop -- ./app",
             "no report, and nothing but loops"},
            {0}},
    .options = options,
    .option_count = sizeof(options) / sizeof(options[0]),
    .stops_at_operand = true,
    .run = run,
};
