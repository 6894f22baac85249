// study_run.c - runs a build of a study, and takes times, output and profiles.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define _GNU_SOURCE // sigabbrev_np
#include "tools/run/study/study.h"

#include "tools/profile/profile.h"
#include "tools/profile/regular.h"
#include "tools/run/child/run_waits.h"
#include "tools/support/memory.h"
#include "tools/support/problem.h"
#include "tools/support/units.h"

#include <glob.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/// Output that is kept, to be compared with other builds'.
#define OUTPUT_KEPT ((size_t)4 << 20)
/// Profiles of a run that are kept: those of the processes that took most CPU time.
#define PROFILES_KEPT 64
/// The timed build is ended where it takes so many plain runs, and no run before LEAST_S.
#define LATE_PLAIN_RUNS 10
#define LEAST_S 1.0

/// FNV-1a.
static uint64_t hash_add(uint64_t hash, const unsigned char *bytes, size_t count) {
  for (size_t i = 0; i < count; i++)
    hash = (hash ^ bytes[i]) * 0x100000001b3u;
  return hash;
}

/// What the run printed. out->output is to be freed.
static void take_output(const char *log, struct study_run *out) {
  FILE *stream = regular_fopen(log);
  unsigned char buffer[65536], *kept = memory_zeroed(OUTPUT_KEPT, 1);
  size_t got;
  out->output_hash = 0xcbf29ce484222325u;
  out->output = kept;
  while (stream && (got = fread(buffer, 1, sizeof buffer, stream)) > 0) {
    size_t room = OUTPUT_KEPT - out->output_kept, take = got < room ? got : room;
    memcpy(kept + out->output_kept, buffer, take);
    out->output_kept += take;
    out->output_hash = hash_add(out->output_hash, buffer, got);
    out->output_bytes += got;
  }
  if (stream)
    fclose(stream);
}

uint64_t study_output_read(const char *log, struct text *out) {
  struct study_run run = {0};
  take_output(log, &run);
  text_add_bytes(out, run.output, run.output_kept);
  free((void *)(uintptr_t)run.output);
  return run.output_hash;
}

/// A profile that the run left.
struct left {
  const char *path;
  char *executable;
  double cpu_s;
};

static int compare_left(const void *left, const void *right) {
  const struct left *a = left, *b = right;
  return (a->cpu_s < b->cpu_s) - (a->cpu_s > b->cpu_s);
}

static bool add_profile(struct study *study, int64_t run, const struct left *left) {
  FILE *stream = regular_fopen(left->path);
  bool fine = stream && fseek(stream, 0, SEEK_END) == 0;
  long size = fine ? ftell(stream) : -1;
  unsigned char *bytes = size > 0 ? memory_zeroed((size_t)size, 1) : NULL;
  if (bytes) {
    rewind(stream);
    size_t count = fread(bytes, 1, (size_t)size, stream);
    fine = study_profile_add(&study->file, run, left->executable, left->cpu_s, bytes, count);
  }
  if (stream)
    fclose(stream);
  free(bytes);
  return fine;
}

static void forget_profiles(const char *pattern) {
  glob_t files = {0};
  if (glob(pattern, 0, NULL, &files) == 0)
    for (size_t i = 0; i < files.gl_pathc; i++)
      unlink(files.gl_pathv[i]);
  globfree(&files);
}

/// Takes the profiles into the file. Returns how many there are.
static size_t take_profiles(struct study *study, int64_t run, const char *pattern) {
  glob_t files = {0};
  size_t count = 0;
  if (glob(pattern, 0, NULL, &files) == 0) {
    struct left *all = memory_zeroed(files.gl_pathc + 1, sizeof *all);
    for (size_t i = 0; i < files.gl_pathc; i++) {
      struct profile profile = {0};
      struct profile_error error;
      if (profile_read(files.gl_pathv[i], &profile, &error) == 0)
        all[count++] = (struct left){files.gl_pathv[i], text_copy(profile.env.executable),
                                     (double)profile.env.cpu_ns * 1e-9};
      else
        problem_warning(study->settings->problems, "%s: %s", study->settings->command, error.text);
      profile_release(&profile);
    }
    qsort(all, count, sizeof *all, compare_left);
    for (size_t i = 0; i < count && i < PROFILES_KEPT; i++)
      add_profile(study, run, &all[i]);
    for (size_t i = 0; i < count; i++)
      free(all[i].executable);
    free(all);
  }
  globfree(&files);
  return count;
}

/// What a run may take. Where the plain one is known to end, the build that is timed is given as
/// long as it may need: without it all was for nothing.
static double limit_of(struct study *study, const struct study_role *role) {
  double limit_s = study->settings->limit_s;
  if (limit_s <= 0 || study->run_limit_s > 0)
    return study->run_limit_s;
  double plain_s = study_plain_s(study);
  double least_s = role->features && role->is_repeated ? LATE_PLAIN_RUNS * plain_s : 0;
  return fmax(fmax(limit_s - study->runs_s, least_s), LEAST_S);
}

/// What only counts says something of the part that it ran, too.
static bool is_of_use_ended(const struct study_role *role) {
  return role->features && !role->is_repeated;
}

/// Says why a run was ended.
///
/// kept  its profile, as far as it came, is in the file
static void say_ended(struct study *study, const struct study_role *role, const struct job *job,
                      bool kept) {
  const char *command = study->settings->command, *program = study->settings->argv[0];
  double plain_s = study_plain_s(study);
  struct units took = units_duration(job->wall_s * 1e9);
  if (is_of_use_ended(role))
    problem_note(study->settings->problems,
                 "%s: %s (%s) still ran after %s, all that was left of --time, and was ended: %s",
                 command, program, role->name, took.data,
                 kept ? "what it counted until then stands for the whole run; a longer --time, "
                        "with --resume, counts all of it"
                      : "it is left out; a longer --time, with --resume, goes on");
  else if (plain_s > 0 && role->features)
    problem_error(study->settings->problems,
                  "%s: %s (%s) still ran after %s and was ended, where the plain build took %s: a "
                  "longer --time, if it ends at all",
                  command, program, role->name, took.data, units_duration(plain_s * 1e9).data);
  else
    problem_error(study->settings->problems,
                  "%s: %s (%s) still ran after %s, all that --time has for runs, and was ended: "
                  "give it an end (a script that starts the server, its load, and stops it), or a "
                  "longer --time",
                  command, program, role->name, took.data);
}

/// Whether the run ended as it should; says why it didn't.
static bool is_usable(struct study *study, const struct study_role *role, const struct job *job,
                      const char *log) {
  const char *program = study->settings->argv[0];
  if (job->failed) {
    problem_error(study->settings->problems, "%s: %s: %s", study->settings->command, program,
                  strerror(job->failed));
    return false;
  }
  if (WIFSIGNALED(job->status)) {
    int number = WTERMSIG(job->status);
    const char *name = sigabbrev_np(number);
    job_show_log(log, study->settings->problems);
    problem_error(study->settings->problems, "%s: %s (%s) was ended by signal %d (SIG%s)%s",
                  study->settings->command, program, role->name, number, name ? name : "?",
                  role->features && study_plain_s(study) > 0
                      ? ": the plain build ran through; --only without this one goes on"
                      : "");
    return false;
  }
  if (WEXITSTATUS(job->status) == 127 || WEXITSTATUS(job->status) == 126) {
    job_show_log(log, study->settings->problems);
    problem_error(study->settings->problems, "%s: %s (%s) could not be run: status %d",
                  study->settings->command, program, role->name, WEXITSTATUS(job->status));
    return false;
  }
  if (job->left)
    problem_warning(study->settings->problems,
                    job->left == 1 ? "%s: %s left %zu process running, which was ended"
                                   : "%s: %s left %zu processes running, which were ended",
                    study->settings->command, program, job->left);
  return true;
}

static int keep(struct study *study, const struct study_role *role, struct study_run *run,
                const char *pattern) {
  if (!study_file_begin(&study->file))
    return PROBLEM_UNREADABLE;
  int64_t id = study_run_add(&study->file, run);
  size_t profiles = take_profiles(study, id, pattern);
  if (role->features && !profiles) {
    database_run(study->file.database, "ROLLBACK");
    if (WIFSIGNALED(run->status))
      return PROBLEM_UNREADABLE; // ended too early
    problem_error(study->settings->problems,
                  "%s: the run of '%s' left no profile: the command must run the program that "
                  "was built, and let it end by itself (see: reticle doctor %s)",
                  study->settings->command, role->name, study->settings->argv[0]);
    return PROBLEM_UNREADABLE;
  }
  return study_file_commit(&study->file) ? PROBLEM_NONE : PROBLEM_UNREADABLE;
}

/// In runs that take times. Returns the user's own LD_PRELOAD, or null, for restore_preload.
static char *preload_waits(const struct study *study, const struct study_role *role) {
  const char *program = study->settings->argv[0], *own = getenv("LD_PRELOAD");
  char *kept = own ? text_copy(own) : NULL;
  if (role->features && role->is_repeated && study_is_built(program))
    run_waits_preload(study->settings->command, program, study->settings->problems);
  return kept;
}

static void restore_preload(char *kept) {
  if ((kept ? setenv("LD_PRELOAD", kept, 1) : unsetenv("LD_PRELOAD")) != 0)
    memory_exhausted();
  free(kept);
}

int study_run_make(struct study *study, const struct study_role *role, unsigned round) {
  struct text log = {0}, options = {0}, pattern = {0};
  struct job job;
  struct timespec clock;
  struct study_run run = {.build = study_build_find(&study->file, role->name), .round = round};
  if (!study_build_place(study, run.build))
    return PROBLEM_UNREADABLE;
  text_format(&log, "%s/run.log", study->directory);
  text_format(&options, "report=0:verbosity=0:out=%s/run.%%e.%%p.prof%s%s", study->directory,
              *role->options ? ":" : "", role->options);
  text_format(&pattern, "%s/run.*.prof", study->directory);
  study_environment(study, role, text_get(&options));
  clock_gettime(CLOCK_REALTIME, &clock);
  char *preload = preload_waits(study, role);
  job_run(study->settings->argv, text_get(&log), limit_of(study, role), &job);
  restore_preload(preload);
  study->runs_s += job.wall_s;
  run.started_s = (double)clock.tv_sec + (double)clock.tv_nsec * 1e-9;
  run.wall_s = job.wall_s;
  run.user_s = job.user_s;
  run.system_s = job.system_s;
  run.max_rss_bytes = job.max_rss_bytes;
  run.status = job.status;
  int status = PROBLEM_UNREADABLE;
  if (job.stopped) {
    status = 128 + job.stopped;
  } else if (job.is_late) {
    run.status = SIGTERM; // whatever it made of it
    bool kept =
        is_of_use_ended(role) && keep(study, role, &run, text_get(&pattern)) == PROBLEM_NONE;
    say_ended(study, role, &job, kept);
    status = is_of_use_ended(role) ? PROBLEM_NONE : PROBLEM_UNREADABLE;
  } else if (is_usable(study, role, &job, text_get(&log))) {
    take_output(text_get(&log), &run);
    status = keep(study, role, &run, text_get(&pattern));
    free((void *)(uintptr_t)run.output);
  }
  forget_profiles(text_get(&pattern));
  text_release(&log);
  text_release(&options);
  text_release(&pattern);
  return status;
}
