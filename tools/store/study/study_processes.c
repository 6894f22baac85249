// study_processes.c - reads what the processes of one run left, and keeps files of ranks in one.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/store/study/study_processes.h"

#include "tools/profile/file.h"
#include "tools/store/study/study_file.h"
#include "tools/support/memory.h"
#include "tools/support/problem.h"
#include "tools/support/text.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/// The build whose runs are timed.
#define TIMED "timing"

/// The file's part of FILE@BUILD; *build gets the other, to be freed, too.
static char *split(const char *operand, char **build) {
  const char *at = strrchr(operand, '@');
  bool is_file = study_file_is(operand) || !at;
  char *path = text_copy(operand);
  *build = text_copy(is_file ? TIMED : at + 1);
  if (!is_file)
    path[at - operand] = 0;
  return path;
}

static bool visit_row(struct study_file *study, struct statement *s, study_process_visit *visit,
                      void *context) {
  struct profile profile;
  struct text name = {0};
  text_format(&name, "%s (profile %llu)", study->path,
              (unsigned long long)statement_get_count(s, 2));
  bool fine = study_profile_read(study, s, text_get(&name), &profile);
  if (fine) {
    fine = visit(context, &profile, text_get(&name));
    profile_release(&profile);
  }
  text_release(&name);
  return fine;
}

bool study_processes_visit(const char *operand, study_process_visit *visit, void *context,
                           struct problems *problems) {
  char *build, *path = split(operand, &build);
  struct study_file study;
  bool fine = study_file_read(path, &study, problems);
  size_t count = 0;
  if (fine) {
    struct statement *s = database_prepare(
        study.database, "SELECT deflated, bytes, id FROM profiles WHERE run=(SELECT max(r.id) FROM "
                        "runs r JOIN builds b ON b.id=r.build JOIN profiles p ON p.run=r.id WHERE "
                        "b.name=?1) ORDER BY id");
    statement_text(s, 1, build);
    for (; fine && statement_step(s); count++)
      fine = visit_row(&study, s, visit, context);
    statement_finish(s);
    fine = fine && study_file_is_fine(&study);
    if (fine && !count) {
      problem_error(problems, "%s: no run of a build '%s' left a profile there", path, build);
      fine = false;
    }
    study_file_close(&study);
  }
  free(path);
  free(build);
  return fine;
}

static bool add(struct study_file *study, int64_t run, const char *path) {
  struct profile profile;
  struct profile_error error;
  struct bytes bytes = {0};
  if (profile_read(path, &profile, &error) != 0 || file_read(path, &bytes, &error) != 0) {
    problem_error(study->problems, "%s", error.text);
    return false;
  }
  double cpu_s = 0; // which program took the most is asked of it
  for (size_t i = 0; i < profile.account_count; i++)
    cpu_s += 1e-9 * (double)(profile.account[i].user_ns + profile.account[i].system_ns);
  bool fine = study_profile_add(study, run, profile.env.executable, cpu_s, bytes.data, bytes.count);
  profile_release(&profile);
  bytes_release(&bytes);
  return fine;
}

bool study_processes_save(const char *path, char *const *paths, size_t count,
                          struct problems *problems) {
  struct study_file study;
  if (access(path, F_OK) == 0) {
    problem_error(problems, "%s: it is there already; name another file, or remove it", path);
    return false;
  }
  bool fine = study_file_write(path, &study, problems) && study_file_begin(&study);
  if (fine) {
    const struct study_build build = {.name = TIMED, .features = "", .command = ""};
    struct study_run run = {.build = study_build_add(&study, &build), .round = 1};
    int64_t id = study_run_add(&study, &run);
    for (size_t i = 0; fine && i < count; i++)
      fine = add(&study, id, paths[i]);
    fine = fine && study_fact_set(&study, "finished", "yes") && study_file_commit(&study) &&
           study_file_finish(&study);
  }
  study_file_close(&study);
  if (!fine)
    unlink(path);
  return fine;
}
