// database.h - a SQLite file, and the one place that knows the library.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_STORE_DATABASE_H
#define RETICLE_TOOLS_STORE_DATABASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// An open file. After the first failure every call does nothing and fails, so that a row of calls
/// can be checked once.
struct database;
/// A statement with parameters ?1, ?2, ...
struct statement;

enum database_mode {
  DATABASE_READ,
  DATABASE_WRITE,  ///< what is there, with changes
  DATABASE_CREATE, ///< the same, or a new file
};

/// Opens the file, which may be anyone's: views and triggers in it don't run, and a statement has a
/// bound on its steps and on the bytes of its rows, in proportion to the file's size. Returns null
/// only without memory: what failed is asked of the result.
struct database *database_open(const char *path, enum database_mode mode);
/// Closes it; a transaction that is open is undone.
void database_close(struct database *database);

/// What failed first, in words; null: nothing.
const char *database_problem(const struct database *database);
/// Whether that was for want of room on the disk.
bool database_is_full(const struct database *database);

/// Runs statements without parameters. Returns false where it failed.
bool database_run(struct database *database, const char *sql);
/// Runs the statements, a null behind them. Returns false where one failed.
bool database_create(struct database *database, const char *const *tables);
/// Whether the tables of these statements are in the file, as the statements make them: no views,
/// no columns that are computed. False is a failure.
bool database_check(struct database *database, const char *const *tables);
/// The first column of the first row as a number; `missing` where there is none.
int64_t database_number(struct database *database, const char *sql, int64_t missing);

/// Prepares a statement; statement_finish ends it.
struct statement *database_prepare(struct database *database, const char *sql);
/// Values for its parameters, numbered from 1. Text and bytes are copied.
void statement_text(struct statement *statement, int parameter, const char *text);
void statement_text_or_null(struct statement *statement, int parameter, const char *text);
void statement_count(struct statement *statement, int parameter, uint64_t count);
void statement_number(struct statement *statement, int parameter, double number);
void statement_bytes(struct statement *statement, int parameter, const void *bytes, size_t count);
void statement_null(struct statement *statement, int parameter);
/// Moves to the next row. False behind the last, and where it failed.
bool statement_step(struct statement *statement);
/// Whether so many bytes may come of its rows, beside those of before. False is a failure.
bool statement_may_unpack(struct statement *statement, uint64_t bytes);
/// Runs it once and makes it ready for other values. Returns false where it failed.
bool statement_run(struct statement *statement);
/// Columns of the row, numbered from 0. Text is "" for null, and good until the next step.
const char *statement_get_text(struct statement *statement, int column);
uint64_t statement_get_count(struct statement *statement, int column);
double statement_get_number(struct statement *statement, int column);
const void *statement_get_bytes(struct statement *statement, int column, size_t *count);
void statement_finish(struct statement *statement);

/// Number of the row that was inserted last.
int64_t database_last_row(struct database *database);

#endif
