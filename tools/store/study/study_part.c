// study_part.c - sets unfinished studies aside, copies finished ones, puts them in place.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/store/study/study_part.h"

#include "tools/profile/file_new.h"
#include "tools/profile/regular.h"
#include "tools/store/study/study_file.h"
#include "tools/support/problem.h"
#include "tools/support/text.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char *named(const char *path, const char *suffix) {
  struct text name = {0};
  text_format(&name, "%s%s", path, suffix);
  return name.data;
}

char *study_part_path(const char *path) { return named(path, ".part"); }

/// An empty file is one that a study had no time to begin.
static bool is_there(const char *path) {
  struct stat status;
  return stat(path, &status) == 0 && status.st_size > 0;
}

static bool move(const struct study_part *part, const char *from, const char *to) {
  if (rename(from, to) == 0)
    return true;
  problem_error(part->problems, "%s: %s can't become %s: %s", part->command, from, to,
                strerror(errno));
  return false;
}

/// What a study's file is, with nobody writing it. False after saying why it can't be told.
static bool look(const struct study_part *part, const char *path, bool *is_finished,
                 bool *has_runs) {
  struct study_file file;
  if (!study_file_is(path)) {
    problem_error(part->problems, "%s: %s is there and no study: -o another file", part->command,
                  path);
    return false;
  }
  bool fine = study_file_write(path, &file, part->problems);
  if (fine) {
    char *finished = study_fact(&file, "finished");
    *is_finished = *finished;
    *has_runs = database_number(file.database, "SELECT count(*) FROM runs", 0) > 0;
    free(finished);
    fine = study_file_finish(&file); // without a log beside it, it may be moved
  }
  study_file_close(&file);
  return fine;
}

static bool copy(const struct study_part *part, const char *from, const char *to) {
  struct file_new out;
  char buffer[65536];
  size_t got = 0;
  FILE *in = regular_fopen(from);
  int failed = in ? file_new_open(to, &out) : errno;
  if (in && !failed) {
    while ((got = fread(buffer, 1, sizeof buffer, in)) > 0 && !failed)
      failed = fwrite(buffer, 1, got, out.stream) == got ? 0 : errno;
    failed = file_new_close(&out, !failed && ferror(in) ? EIO : failed);
  }
  if (in)
    fclose(in);
  if (failed)
    problem_error(part->problems, "%s: %s can't be copied to %s: %s", part->command, from, to,
                  file_new_reason(failed));
  return !failed;
}

/// Goes on with the finished study in a copy of it.
static bool reopen(const struct study_part *part, const char *under_way) {
  bool is_finished, has_runs;
  struct study_file file;
  if (!is_there(part->path)) {
    problem_error(part->problems, "%s: %s: there is nothing to resume", part->command, part->path);
    return false;
  }
  if (!look(part, part->path, &is_finished, &has_runs) || !copy(part, part->path, under_way))
    return false;
  bool fine = study_file_write(under_way, &file, part->problems) && study_file_begin(&file) &&
              database_run(file.database, "DELETE FROM facts WHERE name='finished'") &&
              study_file_commit(&file);
  study_file_close(&file);
  return fine;
}

/// A study that was left, and is not to go on: what it found is kept, unless that is nothing.
static bool set_aside(const struct study_part *part, const char *under_way) {
  bool is_finished, has_runs;
  if (!look(part, under_way, &is_finished, &has_runs))
    return false;
  if (is_finished)
    return study_part_install(part);
  if (!has_runs)
    return unlink(under_way) == 0;
  char *old = named(under_way, ".old");
  problem_note(part->problems, "%s: %s was not finished%s; it is %s now", part->command, under_way,
               part->has_resume ? " (--resume goes on with it)" : "", old);
  bool fine = move(part, under_way, old);
  free(old);
  return fine;
}

bool study_part_begin(const struct study_part *part, bool is_resumed, bool *is_copy) {
  char *under_way = study_part_path(part->path);
  bool is_finished, has_runs, fine = true;
  *is_copy = false;
  // Said before anything is measured, not when it is to be put in its place.
  if (is_there(part->path) && !study_file_is(part->path))
    fine = look(part, part->path, &is_finished, &has_runs);
  else if (is_there(under_way))
    fine = is_resumed ? look(part, under_way, &is_finished, &has_runs) : set_aside(part, under_way);
  else if (is_resumed)
    fine = *is_copy = reopen(part, under_way);
  free(under_way);
  return fine;
}

bool study_part_install(const struct study_part *part) {
  char *under_way = study_part_path(part->path), *old = named(part->path, ".old");
  bool fine = true, is_finished = true, has_runs, has_old = false;
  if (is_there(part->path)) {
    // Earlier versions left a study here that wasn't finished: that one replaces no finished one.
    fine = look(part, part->path, &is_finished, &has_runs) &&
           (is_finished || !is_there(old) || look(part, old, &has_old, &has_runs)) &&
           (has_old || move(part, part->path, old));
    if (!fine)
      problem_note(part->problems, "%s: what was measured is in %s", part->command, under_way);
  }
  fine = fine && move(part, under_way, part->path);
  free(under_way);
  free(old);
  return fine;
}
