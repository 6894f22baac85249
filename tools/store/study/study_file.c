// study_file.c - makes, opens and locks the file; adds builds, programs, runs and profiles.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/store/study/study_file.h"

#include "tools/profile/regular.h"
#include "tools/store/deflate.h"
#include "tools/store/study/study_trials.h"
#include "tools/support/problem.h"
#include "tools/support/text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

/// PRAGMA application_id: "Retc".
#define APPLICATION_ID 0x52657463

/// Tables of version 1; earlier files have the same text.
static const char *const tables[] = {
    "CREATE TABLE facts(name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID",
    "CREATE TABLE builds(id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, features TEXT NOT NULL,"
    " command TEXT NOT NULL, started_s REAL NOT NULL, wall_s REAL NOT NULL)",
    "CREATE TABLE programs(build INTEGER NOT NULL REFERENCES builds ON DELETE CASCADE,"
    " path TEXT NOT NULL, build_id TEXT, mode INTEGER NOT NULL, bytes INTEGER NOT NULL,"
    " deflated BLOB NOT NULL, PRIMARY KEY(build, path))",
    "CREATE TABLE runs(id INTEGER PRIMARY KEY,"
    " build INTEGER NOT NULL REFERENCES builds ON DELETE CASCADE, round INTEGER NOT NULL,"
    " started_s REAL NOT NULL, wall_s REAL NOT NULL, user_s REAL NOT NULL, system_s REAL NOT NULL,"
    " max_rss_bytes INTEGER NOT NULL, exit_status INTEGER, signal INTEGER,"
    " output_hash TEXT NOT NULL, output_bytes INTEGER NOT NULL, output_kept INTEGER NOT NULL,"
    " output_deflated BLOB NOT NULL, UNIQUE(build, round))",
    "CREATE TABLE profiles(id INTEGER PRIMARY KEY,"
    " run INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE, executable TEXT NOT NULL,"
    " cpu_s REAL, bytes INTEGER NOT NULL, deflated BLOB NOT NULL)",
    "CREATE INDEX programs_by_build_id ON programs(build_id)",
    "CREATE INDEX profiles_by_run ON profiles(run)",
    "PRAGMA application_id=0x52657463",
    "PRAGMA user_version=1",
    NULL};

bool study_file_is(const char *path) {
  static const char magic[] = "SQLite format 3"; // with its null
  char start[sizeof magic];
  FILE *stream = regular_fopen(path);
  bool is = stream && fread(start, 1, sizeof start, stream) == sizeof start &&
            memcmp(start, magic, sizeof magic) == 0;
  if (stream)
    fclose(stream);
  return is;
}

bool study_file_is_fine(struct study_file *study) {
  const char *problem = database_problem(study->database);
  if (problem && !study->has_said)
    problem_error(study->problems, "%s: %s%s", study->path, problem,
                  database_is_full(study->database)
                      ? ": make room; what was whole is kept, and --resume goes on from there"
                      : "");
  study->has_said = problem != NULL;
  return !problem;
}

/// Whether it is a study of a version that we know.
static bool check(struct study_file *study) {
  int64_t id = database_number(study->database, "PRAGMA application_id", 0);
  int64_t version = database_number(study->database, "PRAGMA user_version", 0);
  if (!study_file_is_fine(study))
    return false;
  if (id != APPLICATION_ID) {
    problem_error(study->problems, "%s: a SQLite file, but no study of Reticle's", study->path);
    return false;
  }
  if (version == STUDY_VERSION) {
    database_check(study->database, tables);
    study_trials_check(study);
    return study_file_is_fine(study);
  }
  problem_error(study->problems,
                "%s: a study of version %lld, and this reticle reads version %d: use the one that "
                "wrote it, or a later one",
                study->path, (long long)version, STUDY_VERSION);
  return false;
}

bool study_file_read(const char *path, struct study_file *out, struct problems *problems) {
  *out = (struct study_file){.path = text_copy(path), .lock = -1, .problems = problems};
  out->database = database_open(path, DATABASE_READ);
  return check(out);
}

/// Two writers would do everything twice. Not one of SQLite's locks: those last for a statement.
static bool lock(struct study_file *study) {
  study->lock =
      open(study->path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NOCTTY | O_NONBLOCK, 0666);
  if (study->lock < 0)
    problem_error(study->problems, "%s: %s", study->path, strerror(errno));
  else if (flock(study->lock, LOCK_EX | LOCK_NB) != 0)
    problem_error(study->problems,
                  "%s: another `reticle study` writes it: wait for it, or -o another file",
                  study->path);
  else
    return true;
  return false;
}

bool study_file_write(const char *path, struct study_file *out, struct problems *problems) {
  *out = (struct study_file){.path = text_copy(path), .lock = -1, .problems = problems};
  if (!lock(out)) {
    out->database = database_open(":memory:", DATABASE_CREATE);
    return false;
  }
  out->database = database_open(path, DATABASE_CREATE);
  database_run(out->database, "PRAGMA foreign_keys=1");
  if (database_number(out->database, "SELECT count(*) FROM sqlite_master", 0) == 0 &&
      database_run(out->database, "PRAGMA journal_mode=WAL") &&
      database_run(out->database, "BEGIN IMMEDIATE") && database_create(out->database, tables))
    database_run(out->database, "COMMIT");
  return check(out);
}

bool study_file_finish(struct study_file *study) {
  database_run(study->database, "PRAGMA journal_mode=DELETE");
  return study_file_is_fine(study);
}

void study_file_close(struct study_file *study) {
  database_close(study->database);
  // Last: closing any descriptor of the file gives up SQLite's locks.
  if (study->lock >= 0)
    close(study->lock);
  free(study->path);
  *study = (struct study_file){.lock = -1};
}

bool study_file_begin(struct study_file *study) {
  database_run(study->database, "BEGIN IMMEDIATE");
  return study_file_is_fine(study);
}

bool study_file_commit(struct study_file *study) {
  database_run(study->database, "COMMIT");
  return study_file_is_fine(study);
}

char *study_fact(struct study_file *study, const char *name) {
  struct statement *s = database_prepare(study->database, "SELECT value FROM facts WHERE name=?1");
  statement_text(s, 1, name);
  char *value = text_copy(statement_step(s) ? statement_get_text(s, 0) : "");
  statement_finish(s);
  return value;
}

bool study_fact_set(struct study_file *study, const char *name, const char *value) {
  struct statement *s =
      database_prepare(study->database, "INSERT OR REPLACE INTO facts VALUES(?1, ?2)");
  statement_text(s, 1, name);
  statement_text(s, 2, value);
  statement_run(s);
  statement_finish(s);
  return study_file_is_fine(study);
}

int64_t study_build_find(struct study_file *study, const char *name) {
  struct statement *s = database_prepare(study->database, "SELECT id FROM builds WHERE name=?1");
  statement_text(s, 1, name);
  int64_t id = statement_step(s) ? (int64_t)statement_get_count(s, 0) : 0;
  statement_finish(s);
  return id;
}

int64_t study_build_add(struct study_file *study, const struct study_build *build) {
  struct statement *s = database_prepare(study->database, "DELETE FROM builds WHERE name=?1");
  statement_text(s, 1, build->name);
  statement_run(s);
  statement_finish(s);
  s = database_prepare(study->database, "INSERT INTO builds(name, features, command, started_s, "
                                        "wall_s) VALUES(?1, ?2, ?3, ?4, ?5)");
  statement_text(s, 1, build->name);
  statement_text(s, 2, build->features);
  statement_text(s, 3, build->command);
  statement_number(s, 4, build->started_s);
  statement_number(s, 5, build->wall_s);
  statement_run(s);
  statement_finish(s);
  return database_last_row(study->database);
}

/// Binds the bytes, deflated, to parameter `at`, and runs the statement, which ends with it.
static void run_packed(struct statement *s, int at, const void *bytes, size_t count) {
  size_t packed_count;
  unsigned char *packed = deflate_pack(bytes, count, &packed_count);
  statement_bytes(s, at, packed, packed_count);
  statement_run(s);
  statement_finish(s);
  free(packed);
}

bool study_program_add(struct study_file *study, int64_t build, const char *path,
                       const char *build_id, unsigned mode, const void *bytes, size_t count) {
  struct statement *s = database_prepare(
      study->database, "INSERT OR REPLACE INTO programs VALUES(?1, ?2, ?3, ?4, ?5, ?6)");
  statement_count(s, 1, (uint64_t)build);
  statement_text(s, 2, path);
  statement_text_or_null(s, 3, build_id);
  statement_count(s, 4, mode);
  statement_count(s, 5, count);
  run_packed(s, 6, bytes, count);
  return study_file_is_fine(study);
}

int64_t study_run_add(struct study_file *study, const struct study_run *run) {
  struct text hash = {0};
  text_format(&hash, "%016llx", (unsigned long long)run->output_hash);
  struct statement *s = database_prepare(
      study->database,
      "INSERT INTO runs(build, round, started_s, wall_s, user_s, system_s, max_rss_bytes, "
      "exit_status, signal, output_hash, output_bytes, output_kept, output_deflated) "
      "VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)");
  statement_count(s, 1, (uint64_t)run->build);
  statement_count(s, 2, run->round);
  statement_number(s, 3, run->started_s);
  statement_number(s, 4, run->wall_s);
  statement_number(s, 5, run->user_s);
  statement_number(s, 6, run->system_s);
  statement_count(s, 7, run->max_rss_bytes);
  if (WIFEXITED(run->status))
    statement_count(s, 8, (uint64_t)WEXITSTATUS(run->status));
  else
    statement_count(s, 9, (uint64_t)WTERMSIG(run->status));
  statement_text(s, 10, text_get(&hash));
  statement_count(s, 11, run->output_bytes);
  statement_count(s, 12, run->output_kept);
  run_packed(s, 13, run->output, run->output_kept);
  text_release(&hash);
  return database_last_row(study->database);
}

unsigned study_run_count(struct study_file *study, int64_t build) {
  struct statement *s =
      database_prepare(study->database, "SELECT count(*) FROM runs WHERE build=?1");
  statement_count(s, 1, (uint64_t)build);
  unsigned count = statement_step(s) ? (unsigned)statement_get_count(s, 0) : 0;
  statement_finish(s);
  return count;
}

bool study_profile_add(struct study_file *study, int64_t run, const char *executable, double cpu_s,
                       const void *bytes, size_t count) {
  struct statement *s =
      database_prepare(study->database, "INSERT INTO profiles(run, executable, cpu_s, bytes, "
                                        "deflated) VALUES(?1, ?2, ?3, ?4, ?5)");
  statement_count(s, 1, (uint64_t)run);
  statement_text(s, 2, executable);
  statement_number(s, 3, cpu_s);
  statement_count(s, 4, count);
  run_packed(s, 5, bytes, count);
  return study_file_is_fine(study);
}

bool study_profile_set(struct study_file *study, int64_t profile, const void *bytes, size_t count) {
  struct statement *s =
      database_prepare(study->database, "UPDATE profiles SET bytes=?2, deflated=?3 WHERE id=?1");
  statement_count(s, 1, (uint64_t)profile);
  statement_count(s, 2, count);
  run_packed(s, 3, bytes, count);
  return study_file_is_fine(study);
}

unsigned char *study_unpack(struct statement *statement, int packed, int count, size_t *got) {
  size_t packed_count;
  const void *bytes = statement_get_bytes(statement, packed, &packed_count);
  *got = (size_t)statement_get_count(statement, count);
  return bytes && statement_may_unpack(statement, *got) ? deflate_unpack(bytes, packed_count, *got)
                                                        : NULL;
}

bool study_profile_read(struct study_file *study, struct statement *row, const char *name,
                        struct profile *out) {
  size_t count;
  struct profile_error error;
  unsigned char *bytes = study_unpack(row, 0, 1, &count);
  bool fine = bytes && profile_decode(bytes, count, name, out, &error) == 0;
  if (bytes && !fine)
    problem_error(study->problems, "%s", error.text);
  else if (!bytes && study_file_is_fine(study))
    problem_error(study->problems, "%s: a profile in it is damaged", study->path);
  free(bytes);
  return fine;
}
