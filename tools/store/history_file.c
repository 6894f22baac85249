// history_file.c - two tables: a row for each check, and one for what it says of each loop.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/store/history_file.h"

#include "tools/profile/regular.h"
#include "tools/store/database.h"
#include "tools/support/memory.h"
#include "tools/support/problem.h"
#include "tools/support/text.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// PRAGMA application_id: "Reth".
#define APPLICATION_ID 0x52657468
#define HISTORY_VERSION 1

static const char *const tables[] = {
    "CREATE TABLE checks(id INTEGER PRIMARY KEY, at_ns INTEGER NOT NULL, program TEXT NOT NULL,"
    " revision TEXT NOT NULL, base TEXT NOT NULL, machine TEXT NOT NULL, verdict TEXT NOT NULL,"
    " runs INTEGER NOT NULL)",
    "CREATE TABLE levels(\"check\" INTEGER NOT NULL REFERENCES checks ON DELETE CASCADE,"
    " id TEXT NOT NULL, name TEXT NOT NULL, file TEXT NOT NULL, line INTEGER NOT NULL,"
    " unit TEXT NOT NULL, base_ns REAL, head_ns REAL, change REAL, low REAL, high REAL,"
    " verdict TEXT NOT NULL, PRIMARY KEY(\"check\", id)) WITHOUT ROWID",
    "PRAGMA application_id=0x52657468", "PRAGMA user_version=1", NULL};

static bool is_fine(struct database *database, const char *path, struct problems *problems) {
  const char *problem = database_problem(database);
  if (problem)
    problem_error(problems, "%s: %s%s", path, problem,
                  database_is_full(database) ? ": make room; checks that are in it are kept" : "");
  return !problem;
}

/// Whether it is a history of a version that we know.
static bool is_history(struct database *database, const char *path, struct problems *problems) {
  int64_t id = database_number(database, "PRAGMA application_id", 0);
  int64_t version = database_number(database, "PRAGMA user_version", 0);
  if (!is_fine(database, path, problems))
    return false;
  if (id != APPLICATION_ID)
    problem_error(problems, "%s: no history of checks: give the file that --history wrote", path);
  else if (version != HISTORY_VERSION)
    problem_error(problems,
                  "%s: a history of version %lld, and this reticle reads version %d: use the one "
                  "that wrote it, or a later one",
                  path, (long long)version, HISTORY_VERSION);
  else
    return database_check(database, tables) || is_fine(database, path, problems);
  return false;
}

/// A number; null where it isn't known.
static void put(struct statement *statement, int parameter, double number) {
  if (isfinite(number))
    statement_number(statement, parameter, number);
  else
    statement_null(statement, parameter);
}

static void add_check(struct database *database, const struct history_check *check) {
  struct statement *insert = database_prepare(
      database, "INSERT INTO checks(at_ns, program, revision, base, machine, verdict, runs) "
                "VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7)");
  statement_count(insert, 1, check->at_ns);
  statement_text(insert, 2, check->program);
  statement_text(insert, 3, check->revision);
  statement_text(insert, 4, check->base);
  statement_text(insert, 5, check->machine);
  statement_text(insert, 6, check->verdict);
  statement_count(insert, 7, check->runs);
  statement_run(insert);
  statement_finish(insert);
}

static void add_levels(struct database *database, const struct history_level *levels,
                       size_t count) {
  int64_t check = database_last_row(database);
  // A loop that is there twice, as a template's copies may be, is told by its first row.
  struct statement *insert = database_prepare(
      database, "INSERT OR IGNORE INTO levels VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, "
                "?12)");
  for (size_t i = 0; i < count; i++) {
    const struct history_level *level = &levels[i];
    const double numbers[] = {level->base_ns, level->head_ns, level->change, level->low,
                              level->high};
    statement_count(insert, 1, (uint64_t)check);
    statement_text(insert, 2, level->id);
    statement_text(insert, 3, level->name);
    statement_text(insert, 4, level->file);
    statement_count(insert, 5, level->line);
    statement_text(insert, 6, level->unit);
    for (int k = 0; k < 5; k++)
      put(insert, 7 + k, numbers[k]);
    statement_text(insert, 12, level->verdict);
    if (!statement_run(insert))
      break;
  }
  statement_finish(insert);
}

bool history_file_append(const char *path, const struct history_check *check,
                         const struct history_level *levels, size_t count,
                         struct problems *problems) {
  struct database *database = database_open(path, DATABASE_CREATE);
  bool fine = database_run(database, "BEGIN IMMEDIATE");
  if (fine && database_number(database, "SELECT count(*) FROM sqlite_master", 0) == 0)
    database_create(database, tables);
  fine = is_history(database, path, problems);
  if (fine) {
    add_check(database, check);
    add_levels(database, levels, count);
    database_run(database, "COMMIT");
    fine = is_fine(database, path, problems);
  }
  database_close(database);
  return fine;
}

static double number_of(struct statement *row, int column) {
  // "" for null, and for nothing else.
  return *statement_get_text(row, column) ? statement_get_number(row, column) : NAN;
}

static void read_row(struct statement *row, struct history_point *out) {
  *out = (struct history_point){.check = {.at_ns = statement_get_count(row, 0),
                                          .program = text_copy(statement_get_text(row, 1)),
                                          .revision = text_copy(statement_get_text(row, 2)),
                                          .base = text_copy(statement_get_text(row, 3)),
                                          .machine = text_copy(statement_get_text(row, 4)),
                                          .verdict = text_copy(statement_get_text(row, 5)),
                                          .runs = statement_get_count(row, 6)},
                                .level = {.id = text_copy(statement_get_text(row, 7)),
                                          .name = text_copy(statement_get_text(row, 8)),
                                          .file = text_copy(statement_get_text(row, 9)),
                                          .line = statement_get_count(row, 10),
                                          .unit = text_copy(statement_get_text(row, 11)),
                                          .base_ns = number_of(row, 12),
                                          .head_ns = number_of(row, 13),
                                          .change = number_of(row, 14),
                                          .low = number_of(row, 15),
                                          .high = number_of(row, 16),
                                          .verdict = text_copy(statement_get_text(row, 17))}};
}

static void read_rows(struct database *database, struct history_points *out) {
  struct statement *rows = database_prepare(
      database,
      "SELECT at_ns, program, revision, base, machine, c.verdict, runs, l.id, name, file, "
      "line, unit, base_ns, head_ns, change, low, high, l.verdict FROM levels l JOIN "
      "checks c ON c.id=l.\"check\" ORDER BY program, l.id, machine, at_ns, c.id");
  size_t room = 0;
  while (statement_step(rows)) {
    if (out->count == room) {
      room = 2 * room + 256;
      out->points = memory_resized(out->points, room, sizeof *out->points);
    }
    read_row(rows, &out->points[out->count++]);
  }
  statement_finish(rows);
}

bool history_file_read(const char *path, struct history_points *out, struct problems *problems) {
  *out = (struct history_points){0};
  FILE *stream = regular_fopen(path); // a name that isn't there is to be said, not made
  if (!stream) {
    problem_error(problems, "%s: %s", path, regular_problem(errno));
    return false;
  }
  fclose(stream);
  struct database *database = database_open(path, DATABASE_READ);
  bool fine = is_history(database, path, problems);
  if (fine) {
    out->checks = (size_t)database_number(database, "SELECT count(*) FROM checks", 0);
    read_rows(database, out);
    fine = is_fine(database, path, problems);
  }
  database_close(database);
  return fine;
}

static void release_text(const char *text) { free((char *)(uintptr_t)text); }

void history_points_release(struct history_points *points) {
  for (size_t i = 0; i < points->count; i++) {
    const struct history_point *point = &points->points[i];
    const char *const texts[] = {point->check.program, point->check.revision, point->check.base,
                                 point->check.machine, point->check.verdict,  point->level.id,
                                 point->level.name,    point->level.file,     point->level.unit,
                                 point->level.verdict};
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++)
      release_text(texts[k]);
  }
  free(points->points);
  *points = (struct history_points){0};
}
