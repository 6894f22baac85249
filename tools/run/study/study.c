// study.c - opens the file of a study, plans builds and rounds of runs, and makes what is missing.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/run/study/study.h"

#include "tools/profile/regular.h"
#include "tools/run/child/git.h"
#include "tools/run/child/run_program.h"
#include "tools/store/study/study_part.h"
#include "tools/support/memory.h"
#include "tools/support/problem.h"
#include "tools/support/units.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/// Rounds of the repeated builds: at least two, as output and work of one run are compared with
/// another's; more as long as all runs together take no more than so many plain ones.
#define ROUNDS_LEAST 2
#define ROUNDS_MOST 5
#define PLAIN_RUNS_MOST 11.0
/// Short programs get all rounds: so many seconds for all runs are nothing.
#define SHORT_S 20.0

const struct study_role study_roles[STUDY_ROLES] = {
    {.name = "plain",
     .options = "",
     .question = "time, output and exit status without Reticle",
     .is_repeated = true},
    {.name = "timing",
     .features = "loop,label",
     .options = "sample=1",
     .question = "how long, how steadily, what stalls",
     .is_repeated = true},
    {.name = "counts",
     .features = "loop,field,block,shadow",
     .options = "sample=1",
     .question = "how often: blocks, fields; what of each cache line is used",
     .plain_runs = 2}, // zstd 1.15, sqlite3 2.0
    {.name = "bound",
     .features = "loop",
     .options = "",
     .question = "what memory costs hot loops: run again with their data in the first cache",
     .plain_runs = 3,
     .has_copies = true},
};

static double now_s(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

double study_elapsed_s(const struct study *study) { return now_s() - study->began_s; }

bool study_has_role(const struct study_settings *settings, size_t role) {
  return !settings->only || settings->only >> role & 1;
}

/// Path of a program beside this one.
static char *beside(const char *name) {
  char self[4096];
  struct text path = {0};
  ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
  self[length > 0 ? length : 0] = 0;
  char *slash = strrchr(self, '/');
  text_format(&path, "%.*s/%s", slash ? (int)(slash - self) : 0, self, name);
  return path.data;
}

/// The command as one line.
static void add_command(char *const *argv, struct text *out) {
  for (size_t i = 0; argv[i]; i++) {
    if (i)
      text_add(out, " ");
    text_add_quoted(out, argv[i]);
  }
}

/// A fact that a study that goes on must share with the one that was begun.
static bool is_same_fact(struct study *study, const char *name, const char *value) {
  char *before = study_fact(&study->file, name);
  bool is_same = strcmp(before, value) == 0;
  if (!is_same)
    problem_error(study->settings->problems,
                  "%s: %s: it was begun with the %s `%s`, not `%s`: type that, or begin anew "
                  "without --resume",
                  study->settings->command, study->file.path, name, before, value);
  free(before);
  return is_same;
}

static struct study_part part_of(const struct study_settings *settings) {
  return (struct study_part){.command = settings->command,
                             .problems = settings->problems,
                             .path = settings->path,
                             .has_resume = settings->has_resume};
}

/// Of what is built, as far as git knows; what goes wrong with the file is told by the next write.
static void set_commit(struct study *study) {
  char *commit = git_head(study->directory);
  if (study_file_begin(&study->file) && study_fact_set(&study->file, "commit", commit))
    study_file_commit(&study->file);
  free(commit);
}

static bool set_facts(struct study *study) {
  char here[4096] = "", host[256] = "";
  struct text command = {0};
  bool fine;
  const char *build = study->settings->build ? study->settings->build : "";
  add_command(study->settings->argv, &command);
  if (study->settings->is_resumed) {
    fine =
        is_same_fact(study, "command", text_get(&command)) && is_same_fact(study, "build", build);
  } else {
    gethostname(host, sizeof host - 1);
    fine = study_file_begin(&study->file) &&
           study_fact_set(&study->file, "command", text_get(&command)) &&
           study_fact_set(&study->file, "build", build) &&
           study_fact_set(&study->file, "directory", getcwd(here, sizeof here) ? here : "") &&
           study_fact_set(&study->file, "host", host) && study_file_commit(&study->file);
  }
  text_release(&command);
  return fine;
}

int study_open(const struct study_settings *settings, struct study *out) {
  const struct study_part part = part_of(settings);
  *out = (struct study){.settings = settings,
                        .file = {.lock = -1},
                        .path = study_part_path(settings->path),
                        .began_s = now_s()};
  bool is_copy;
  if (!study_part_begin(&part, settings->is_resumed, &is_copy))
    return PROBLEM_UNREADABLE;
  out->compiler = beside("reticle-clang");
  out->compiler_cxx = beside("reticle-clang++");
  out->include = beside("../include");
  out->directory = run_directory_make("study", settings->problems);
  bool fine = out->directory && study_file_write(out->path, &out->file, settings->problems) &&
              set_facts(out) && study_gates_read(out);
  if (!fine && is_copy)
    unlink(out->path);
  if (!fine)
    return PROBLEM_UNREADABLE;
  job_begin();
  job_adopt_orphans();
  if (!settings->is_resumed)
    set_commit(out);
  return PROBLEM_NONE;
}

bool study_has_builds(struct study *study) {
  return study->file.database &&
         database_number(study->file.database, "SELECT count(*) FROM builds", 0) > 0;
}

void study_close(struct study *study) {
  if (study->has_objects) {
    plain_objects_put_back(study->settings->command, study->settings->problems);
    plain_objects_check(&study->objects, "before you build without Reticle",
                        study->settings->problems);
  }
  // A failure isn't nothing: then the number isn't known either.
  bool is_empty = study->file.database && study->file.lock >= 0 &&
                  database_number(study->file.database, "SELECT count(*) FROM builds", 1) == 0;
  if (study->directory)
    run_directory_remove(study->directory);
  if (study->file.database)
    study_file_close(&study->file);
  if (is_empty)
    unlink(study->path);
  free(study->path);
  free(study->directory);
  free(study->gates);
  free(study->bounds);
  free(study->compiler);
  free(study->include);
  free(study->compiler_cxx);
}

/// Whether the file has the build, as this version makes it; one that has other features goes.
static bool has_build(struct study *study, const struct study_role *role) {
  struct statement *s = database_prepare(
      study->file.database, "DELETE FROM builds WHERE name=?1 AND features<>?2 AND command<>''");
  statement_text(s, 1, role->name);
  statement_text(s, 2, role->features ? role->features : "");
  statement_run(s);
  statement_finish(s);
  return study_build_find(&study->file, role->name) != 0;
}

/// Whether a run of it fits into what is left of --time.
static bool fits(struct study *study, const struct study_role *role) {
  double limit_s = study->settings->limit_s;
  return limit_s <= 0 || role->is_repeated ||
         role->plain_runs * study_plain_s(study) <= limit_s - study->runs_s;
}

/// Whether the question is worth a build: what only counts is asked where a run of it fits in.
static bool has_time(struct study *study, const struct study_role *role) {
  if (fits(study, role))
    return true;
  double left_s = study->settings->limit_s - study->runs_s;
  problem_note(study->settings->problems,
               "%s: '%s' (%s) is left out: its run takes about %s, and of --time %s is left: a "
               "longer one, with --resume, goes on",
               study->settings->command, role->name, role->question,
               units_duration(role->plain_runs * study_plain_s(study) * 1e9).data,
               units_duration(fmax(left_s, 0) * 1e9).data);
  return false;
}

static int add_as_it_is(struct study *study, const struct study_role *role) {
  const struct study_build build = {
      .name = role->name, .features = role->features ? role->features : "", .command = ""};
  return study_file_begin(&study->file) && study_build_add(&study->file, &build) &&
                 study_file_commit(&study->file)
             ? PROBLEM_NONE
             : PROBLEM_UNREADABLE;
}

/// Roles that are asked for before this one, or in all.
static size_t count_roles(const struct study *study, size_t before) {
  size_t count = 0;
  for (size_t i = 0; i < before; i++)
    count += study_has_role(study->settings, i);
  return count;
}

/// What builds take is known from the first one.
static void say_build_time(struct study *study, size_t at, size_t wanted) {
  double build_s = study_seconds(study, "SELECT wall_s FROM builds ORDER BY id DESC LIMIT 1");
  if (at == 1 && wanted > 1)
    problem_note(study->settings->problems, "%s: the build took %s; all %zu take about %s%s",
                 study->settings->command, units_duration(build_s * 1e9).data, wanted,
                 units_duration((double)wanted * build_s * 1e9).data,
                 study->settings->limit_s > 0 ? ", which --time, that of the runs, doesn't count"
                                              : "");
}

bool study_objects_keep(struct study *study) {
  if (study->has_objects)
    return true;
  study->objects.command = study->settings->command;
  study->objects.has_programs = !study->objects.since.tv_sec;
  study->has_objects = plain_objects_keep(&study->objects, study->settings->problems);
  return study->has_objects;
}

/// The role's build, if it is missing.
static int make_build(struct study *study, size_t i) {
  const struct study_role *role = &study_roles[i];
  size_t at = count_roles(study, i) + 1, wanted = count_roles(study, STUDY_ROLES);
  if (has_build(study, role))
    return PROBLEM_NONE;
  study->is_threaded = study->is_threaded || study_build_has_threads(study);
  problem_note(study->settings->problems, "%s: build %zu of %zu, %s (%s): %s",
               study->settings->command, at, wanted, role->name, role->question,
               study->settings->build ? study->settings->build : "as it is run");
  if (!study->settings->build)
    return add_as_it_is(study, role);
  if (role->features && !study_objects_keep(study))
    return PROBLEM_UNREADABLE;
  if (!role->features)
    clock_gettime(CLOCK_REALTIME_COARSE, &study->objects.since);
  int status = study_build_make(study, role);
  if (status == PROBLEM_NONE)
    say_build_time(study, at, wanted);
  return status;
}

double study_seconds(struct study *study, const char *query) {
  struct statement *s = database_prepare(study->file.database, query);
  double seconds = statement_step(s) ? statement_get_number(s, 0) : 0;
  statement_finish(s);
  return seconds == seconds ? seconds : 0;
}

double study_plain_s(struct study *study) {
  return study_seconds(study, "SELECT avg(r.wall_s) FROM runs r JOIN builds b ON b.id=r.build "
                              "WHERE b.name='plain'");
}

/// Whether another round of the repeated builds is worth its time.
static bool has_round(struct study *study, unsigned round) {
  double all_s = study_seconds(study, "SELECT sum(wall_s) FROM runs");
  double plain_s =
      study_seconds(study, "SELECT avg(r.wall_s) FROM runs r, builds b WHERE r.build=b.id AND "
                           "b.name IN ('plain', 'timing')");
  double next_s = 2 * plain_s, limit_s = study->settings->limit_s;
  if (round > ROUNDS_MOST || (limit_s > 0 && study->runs_s + next_s > limit_s))
    return false;
  return round <= ROUNDS_LEAST || all_s + next_s < SHORT_S ||
         all_s + next_s <= PLAIN_RUNS_MOST * plain_s;
}

static void say_time(const struct study *study, const struct study_role *role, double wall_s) {
  if (!role->features)
    problem_note(study->settings->problems,
                 "%s: a plain run takes %s; all runs together about %.0f times that%s",
                 study->settings->command, units_duration(wall_s * 1e9).data, PLAIN_RUNS_MOST,
                 study->settings->only ? " at most" : "");
}

/// The role's run of the round, if it is missing.
static int make_run(struct study *study, size_t i, unsigned round) {
  const struct study_role *role = &study_roles[i];
  if (study_run_count(&study->file, study_build_find(&study->file, role->name)) >= round)
    return PROBLEM_NONE;
  problem_note(study->settings->problems, "%s: run %u of %s", study->settings->command, round,
               role->name);
  double began_s = now_s();
  int status = study_run_make(study, role, round);
  if (status == PROBLEM_NONE && round == 1)
    say_time(study, role, now_s() - began_s);
  return status;
}

static int make_round(struct study *study, unsigned round) {
  int status = PROBLEM_NONE;
  for (size_t i = 0; i < STUDY_ROLES && status == PROBLEM_NONE; i++)
    if (study_has_role(study->settings, i) && study_roles[i].is_repeated)
      status = make_run(study, i, round);
  return status;
}

bool study_finish(struct study *study) {
  const struct study_part part = part_of(study->settings);
  bool fine = study_file_begin(&study->file) && study_fact_set(&study->file, "finished", "yes") &&
              study_file_commit(&study->file) && study_file_finish(&study->file);
  study_file_close(&study->file);
  if (!fine || !study_part_install(&part))
    return false;
  free(study->path);
  study->path = text_copy(study->settings->path);
  return true;
}

/// A run of the role that was ended early goes where a study goes on that has time for a whole one.
static void forget_ended(struct study *study, const struct study_role *role) {
  int64_t build = study_build_find(&study->file, role->name);
  if (!build || !study->settings->is_resumed || !fits(study, role))
    return;
  struct statement *s = database_prepare(study->file.database,
                                         "DELETE FROM runs WHERE build=?1 AND signal IS NOT NULL");
  statement_count(s, 1, (uint64_t)build);
  statement_run(s);
  statement_finish(s);
}

/// Builds the role and runs it once, so that what fails does so before the next build.
static int ask(struct study *study, size_t i) {
  const struct study_role *role = &study_roles[i];
  forget_ended(study, role);
  if (role->has_copies) {
    int status = study_bounds_choose(study);
    if (status != PROBLEM_NONE || !study->bounds)
      return status;
  }
  bool has_run = has_build(study, role) &&
                 study_run_count(&study->file, study_build_find(&study->file, role->name)) > 0;
  if (!has_run && !has_time(study, role))
    return PROBLEM_NONE;
  int status = make_build(study, i);
  return status == PROBLEM_NONE ? make_run(study, i, 1) : status;
}

/// The first round; the timing build may be made anew, with fewer gates.
static int make_first_round(struct study *study) {
  int status = PROBLEM_NONE;
  for (size_t i = 0; i < STUDY_ROLES && status == PROBLEM_NONE; i++) {
    if (!study_has_role(study->settings, i))
      continue;
    status = ask(study, i);
    if (status == PROBLEM_NONE && i == STUDY_TIMING)
      status = study_gates_choose(study);
    if (status == PROBLEM_NONE && i == STUDY_TIMING)
      status = ask(study, i);
  }
  return status;
}

int study_measure(struct study *study) {
  // What one that was killed has left.
  int status = plain_objects_put_back(study->settings->command, study->settings->problems)
                   ? make_first_round(study)
                   : PROBLEM_UNREADABLE;
  for (unsigned round = 2; status == PROBLEM_NONE && has_round(study, round); round++)
    status = make_round(study, round);
  // The tree is left with the programs that the user knows.
  int64_t plain = study_build_find(&study->file, "plain");
  if (plain && !study_build_place(study, plain) && status == PROBLEM_NONE)
    status = PROBLEM_UNREADABLE;
  return status;
}
