// postgres.h - a connection to PostgreSQL, and the one place that knows libpq.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_STORE_POSTGRES_H
#define RETICLE_TOOLS_STORE_POSTGRES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// A connection. After the first failure every call does nothing and fails, so that a row of calls
/// can be checked once.
struct postgres;
/// Rows that a query yields.
struct postgres_rows;

/// Whether this reticle was built with libpq.
bool postgres_is_built(void);

/// Connects; libpq takes what the URL doesn't say from its environment (PGHOST, PGSERVICE,
/// PGPASSFILE, ...). Never null: what failed is asked of the result.
///
/// url  postgresql://...; without what is behind "#"
struct postgres *postgres_open(const char *url);
/// Closes it; a transaction that is open is undone.
void postgres_close(struct postgres *postgres);

/// What failed first, in the server's words, with no password in it; null: nothing.
const char *postgres_problem(const struct postgres *postgres);
/// Its SQLSTATE; "" where there was no connection.
const char *postgres_state(const struct postgres *postgres);
/// Whether the connection is lost, was refused for now, or the transaction lost against another
/// one: to be tried again on a new connection.
bool postgres_is_passing(const struct postgres *postgres);

/// Runs statements without parameters. Returns false where it failed.
bool postgres_run(struct postgres *postgres, const char *sql);

/// Runs a query with parameters $1, ... as text, and yields its rows one after the other as they
/// come. Nothing else can run on the connection before postgres_rows_finish.
///
/// values  [count] null is null
struct postgres_rows *postgres_query(struct postgres *postgres, const char *sql,
                                     const char *const *values, size_t count);
/// Moves to the next row. False behind the last, and where it failed.
bool postgres_rows_step(struct postgres_rows *rows);
/// A column of the row, from 0; null is null. Good until the next step.
const char *postgres_rows_text(const struct postgres_rows *rows, int column);
/// The same as a number; NaN for null.
double postgres_rows_number(const struct postgres_rows *rows, int column);
/// As a count; `missing` for null.
uint64_t postgres_rows_count(const struct postgres_rows *rows, int column, uint64_t missing);
/// Ends it. Returns false where it failed.
bool postgres_rows_finish(struct postgres_rows *rows);

/// Adds rows to a table by COPY.
///
/// sql    "COPY ... FROM STDIN"
/// bytes  [count] rows as COPY's text has them
bool postgres_copy(struct postgres *postgres, const char *sql, const char *bytes, size_t count);

#endif
