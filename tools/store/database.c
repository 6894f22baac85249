// database.c - opens, prepares, binds and steps, within bounds; remembers what failed first.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/store/database.h"

#include "tools/support/memory.h"
#include "tools/support/text.h"
#include "tools/support/units.h"

#include <math.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/// Another process may write for so long.
#define BUSY_MS 10000

// Bounds on a file of others. A page that is referred to a thousand times makes millions of rows of
// a few kilobytes, and a text may inflate to a thousand times its length.

/// Instructions of SQLite's machine that a statement may take, and more of them for each byte of
/// the file. A row of ours has 60 bytes at least, and takes a statement of ours less than 100.
#define STEPS 10000000
#define STEPS_A_BYTE 8
/// Steps between two looks at them.
#define STEPS_A_LOOK 1000
/// Bytes of rows, inflated, that a statement may give, and more of them for each byte of the file.
/// What we keep is in the file once, and is stored where it would deflate to less than that.
#define UNPACKED ((uint64_t)64 << 20)
#define UNPACKED_A_BYTE 64
/// What a row counts besides; one of ours is as long in the file.
#define ROW_BYTES 64
/// Memory of the library's: three copies of its largest blob (1e9 bytes), which a row has while it
/// is sorted, and its pages. A schema of a million tables would take any.
#define HEAP_BYTES ((int64_t)4 << 30)
/// Longest statement; ours, and those that made our tables, have a tenth of it.
#define SQL_BYTES 100000

struct database {
  sqlite3 *handle;
  char *path;
  char *problem;
  int code;
  uint64_t steps, steps_most; ///< of the statement that runs
};

struct statement {
  struct database *database;
  sqlite3_stmt *handle;
  uint64_t unpacked, unpacked_most; ///< bytes of its rows
};

static uint64_t bytes_of(const char *path, const char *end) {
  struct text name = {0};
  struct stat status;
  text_format(&name, "%s%s", path, end);
  bool is = stat(text_get(&name), &status) == 0 && status.st_size > 0;
  text_release(&name);
  return is ? (uint64_t)status.st_size : 0;
}

/// Its size, with what was written and isn't yet in it.
static uint64_t database_bytes(const struct database *database) {
  return bytes_of(database->path, "") + bytes_of(database->path, "-wal");
}

#define TAKE_ANOTHER "no file that reticle wrote does; take another copy of it"

static bool refuse(struct database *database, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static bool refuse(struct database *database, const char *format, ...) {
  struct text text = {0};
  va_list arguments;
  va_start(arguments, format);
  text_vformat(&text, format, arguments);
  va_end(arguments);
  if (!database->problem)
    database->problem = text_copy(text_get(&text));
  text_release(&text);
  return false;
}

static bool failed(struct database *database, int code) {
  if ((code & 0xff) == SQLITE_INTERRUPT) // by `look`, and by nobody else
    return refuse(database, "a question takes more than %llu steps of %llu bytes: " TAKE_ANOTHER,
                  (unsigned long long)database->steps_most,
                  (unsigned long long)database_bytes(database));
  if (!database->problem)
    database->code = code;
  return refuse(database, "%s",
                database->handle ? sqlite3_errmsg(database->handle) : sqlite3_errstr(code));
}

static int look(void *context) {
  struct database *database = context;
  database->steps += STEPS_A_LOOK;
  return database->steps > database->steps_most;
}

static void begin_steps(struct database *database) {
  database->steps = 0;
  database->steps_most = STEPS + STEPS_A_BYTE * database_bytes(database);
}

struct database *database_open(const char *path, enum database_mode mode) {
  struct database *database = memory_zeroed(1, sizeof *database);
  database->path = text_copy(path);
  begin_steps(database);
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
  sqlite3_db_config(database->handle, SQLITE_DBCONFIG_ENABLE_VIEW, 0, (int *)NULL);
  sqlite3_db_config(database->handle, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, (int *)NULL);
  sqlite3_limit(database->handle, SQLITE_LIMIT_SQL_LENGTH, SQL_BYTES);
  sqlite3_hard_heap_limit64(HEAP_BYTES);
  sqlite3_progress_handler(database->handle, STEPS_A_LOOK, look, database);
  return database;
}

void database_close(struct database *database) {
  if (!database)
    return;
  sqlite3_close(database->handle);
  free(database->path);
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
  begin_steps(database);
  int code = sqlite3_exec(database->handle, sql, NULL, NULL, NULL);
  return code == SQLITE_OK || failed(database, code);
}

int64_t database_number(struct database *database, const char *sql, int64_t missing) {
  struct statement *statement = database_prepare(database, sql);
  int64_t number = statement_step(statement) ? sqlite3_column_int64(statement->handle, 0) : missing;
  statement_finish(statement);
  return number;
}

bool database_create(struct database *database, const char *const *tables) {
  for (; *tables && database_run(database, *tables); tables++)
    ;
  return !database->problem;
}

/// Whether the table of the statement is in the file as the statement makes it.
static bool check_table(struct database *database, const char *table) {
  static const char create[] = "CREATE TABLE ";
  const char *from = table + sizeof create - 1;
  struct text name = {0};
  text_add_bytes(&name, from, strcspn(from, "("));
  struct statement *s = database_prepare(
      database, "SELECT type, sql FROM sqlite_schema WHERE type IN ('table', 'view') AND name=?1 "
                "COLLATE NOCASE");
  statement_text(s, 1, text_get(&name));
  bool is_there = statement_step(s);
  bool is_view = is_there && strcmp(statement_get_text(s, 0), "view") == 0;
  if (!database->problem && (!is_there || strcmp(statement_get_text(s, 1), table) != 0))
    refuse(database, "its table '%s' %s: take the file as reticle wrote it", text_get(&name),
           !is_there ? "isn't there"
           : is_view ? "is a view"
                     : "has other columns than reticle gave it");
  statement_finish(s);
  text_release(&name);
  return !database->problem;
}

bool database_check(struct database *database, const char *const *tables) {
  static const char create[] = "CREATE TABLE ";
  for (; *tables && !database->problem; tables++)
    if (strncmp(*tables, create, sizeof create - 1) == 0)
      check_table(database, *tables);
  return !database->problem;
}

struct statement *database_prepare(struct database *database, const char *sql) {
  struct statement *statement = memory_zeroed(1, sizeof *statement);
  statement->database = database;
  if (database->problem)
    return statement;
  begin_steps(database);
  statement->unpacked_most = UNPACKED + UNPACKED_A_BYTE * database_bytes(database);
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

bool statement_may_unpack(struct statement *s, uint64_t bytes) {
  if (bytes <= s->unpacked_most - s->unpacked) {
    s->unpacked += bytes;
    return true;
  }
  return refuse(s->database,
                "its rows unpack to more than %s, the most for a file of %s: " TAKE_ANOTHER,
                units_bytes((double)s->unpacked_most).data,
                units_bytes((double)database_bytes(s->database)).data);
}

/// Counts the bytes of the row's texts and blobs, and what is kept for any row.
static bool take_row(struct statement *s) {
  uint64_t bytes = ROW_BYTES;
  for (int i = 0; i < sqlite3_column_count(s->handle); i++) {
    int type = sqlite3_column_type(s->handle, i);
    if (type == SQLITE_TEXT || type == SQLITE_BLOB)
      bytes += (uint64_t)sqlite3_column_bytes(s->handle, i);
  }
  return statement_may_unpack(s, bytes);
}

bool statement_step(struct statement *s) {
  if (!s->handle || s->database->problem)
    return false;
  int code = sqlite3_step(s->handle);
  if (code == SQLITE_ROW)
    return take_row(s);
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
