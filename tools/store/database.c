// database.c - opens, prepares, binds and steps; remembers what failed first.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/store/database.h"

#include "tools/support/memory.h"
#include "tools/support/text.h"

#include <math.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

/// Another process may write for so long.
#define BUSY_MS 10000

struct database {
  sqlite3 *handle;
  char *problem;
  int code;
};

struct statement {
  struct database *database;
  sqlite3_stmt *handle;
};

static bool failed(struct database *database, int code) {
  if (!database->problem) {
    database->code = code;
    database->problem =
        text_copy(database->handle ? sqlite3_errmsg(database->handle) : sqlite3_errstr(code));
  }
  return false;
}

struct database *database_open(const char *path, enum database_mode mode) {
  struct database *database = memory_zeroed(1, sizeof *database);
  int flags = mode == DATABASE_READ    ? SQLITE_OPEN_READONLY
              : mode == DATABASE_WRITE ? SQLITE_OPEN_READWRITE
                                       : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
  int code = sqlite3_open_v2(path, &database->handle, flags | SQLITE_OPEN_NOFOLLOW, NULL);
  if (code != SQLITE_OK) {
    failed(database, code);
    return database;
  }
  sqlite3_extended_result_codes(database->handle, 1);
  sqlite3_busy_timeout(database->handle, BUSY_MS);
  // A file of others: its schema may name functions, views and triggers of its own.
  sqlite3_db_config(database->handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, (int *)NULL);
  sqlite3_db_config(database->handle, SQLITE_DBCONFIG_DEFENSIVE, 1, (int *)NULL);
  return database;
}

void database_close(struct database *database) {
  if (!database)
    return;
  sqlite3_close(database->handle);
  free(database->problem);
  free(database);
}

const char *database_problem(const struct database *database) { return database->problem; }

bool database_is_full(const struct database *database) {
  return (database->code & 0xff) == SQLITE_FULL || (database->code & 0xff) == SQLITE_IOERR;
}

bool database_run(struct database *database, const char *sql) {
  if (database->problem)
    return false;
  int code = sqlite3_exec(database->handle, sql, NULL, NULL, NULL);
  return code == SQLITE_OK || failed(database, code);
}

int64_t database_number(struct database *database, const char *sql, int64_t missing) {
  struct statement *statement = database_prepare(database, sql);
  int64_t number = statement_step(statement) ? sqlite3_column_int64(statement->handle, 0) : missing;
  statement_finish(statement);
  return number;
}

struct statement *database_prepare(struct database *database, const char *sql) {
  struct statement *statement = memory_zeroed(1, sizeof *statement);
  statement->database = database;
  if (database->problem)
    return statement;
  int code = sqlite3_prepare_v2(database->handle, sql, -1, &statement->handle, NULL);
  if (code != SQLITE_OK)
    failed(database, code);
  return statement;
}

static void bound(struct statement *statement, int code) {
  if (statement->handle && code != SQLITE_OK)
    failed(statement->database, code);
}

void statement_text(struct statement *s, int parameter, const char *text) {
  bound(s, sqlite3_bind_text(s->handle, parameter, text, -1, SQLITE_TRANSIENT));
}

void statement_text_or_null(struct statement *s, int parameter, const char *text) {
  if (text && *text)
    statement_text(s, parameter, text);
  else
    statement_null(s, parameter);
}

void statement_count(struct statement *s, int parameter, uint64_t count) {
  bound(s,
        sqlite3_bind_int64(s->handle, parameter, count > INT64_MAX ? INT64_MAX : (int64_t)count));
}

void statement_number(struct statement *s, int parameter, double number) {
  bound(s, isfinite(number) ? sqlite3_bind_double(s->handle, parameter, number)
                            : sqlite3_bind_null(s->handle, parameter));
}

void statement_bytes(struct statement *s, int parameter, const void *bytes, size_t count) {
  bound(s, sqlite3_bind_blob64(s->handle, parameter, count ? bytes : "", count, SQLITE_TRANSIENT));
}

void statement_null(struct statement *s, int parameter) {
  bound(s, sqlite3_bind_null(s->handle, parameter));
}

bool statement_step(struct statement *s) {
  if (!s->handle || s->database->problem)
    return false;
  int code = sqlite3_step(s->handle);
  if (code == SQLITE_ROW)
    return true;
  return code != SQLITE_DONE && failed(s->database, code);
}

bool statement_run(struct statement *s) {
  while (statement_step(s))
    ;
  if (s->handle) {
    sqlite3_reset(s->handle);
    sqlite3_clear_bindings(s->handle);
  }
  return !s->database->problem;
}

const char *statement_get_text(struct statement *s, int column) {
  const unsigned char *text = sqlite3_column_text(s->handle, column);
  return text ? (const char *)text : "";
}

uint64_t statement_get_count(struct statement *s, int column) {
  int64_t number = sqlite3_column_int64(s->handle, column);
  return number < 0 ? 0 : (uint64_t)number;
}

double statement_get_number(struct statement *s, int column) {
  return sqlite3_column_type(s->handle, column) == SQLITE_NULL
             ? NAN
             : sqlite3_column_double(s->handle, column);
}

const void *statement_get_bytes(struct statement *s, int column, size_t *count) {
  const void *bytes = sqlite3_column_blob(s->handle, column);
  *count = (size_t)sqlite3_column_bytes(s->handle, column);
  return bytes;
}

void statement_finish(struct statement *statement) {
  sqlite3_finalize(statement->handle);
  free(statement);
}

int64_t database_last_row(struct database *database) {
  return database->handle ? sqlite3_last_insert_rowid(database->handle) : 0;
}
