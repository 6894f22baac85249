// fleet_push.h - adds runs to a fleet's database: each once, as a whole or not at all.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_STORE_FLEET_PUSH_H
#define RETICLE_TOOLS_STORE_FLEET_PUSH_H

#include "tools/store/fleet.h"
#include "tools/support/problem.h"
#include "tools/support/text.h"

/// Characters of names that are looked for, at most: reticle.runs says why.
#define FLEET_NAME_MOST 255

/// Tables that are filled by COPY, besides runs.
enum fleet_table { FLEET_PROCESSES, FLEET_LOOPS, FLEET_LEVELS, FLEET_FINDINGS, FLEET_TABLES };

/// Names of a loop.
struct fleet_loop {
  uint64_t id;
  const char *function, *linkage, *inlined_from, *file; ///< not owned
  uint32_t line, column, depth, flags, work_class;
};

/// A run, ready to be sent. Start with {0}; fleet_run_release at the end.
struct fleet_run {
  char id[37];               ///< UUID
  char started[32];          ///< as SQL reads it
  struct text names, values; ///< arrays of SQL: columns of reticle.runs, and what stands in them
  /// Of COPY, without run's number and start, which come first in each row.
  struct text rows[FLEET_TABLES];
  struct fleet_loop *loops; ///< [loop_count]
  size_t loop_count;
};
void fleet_run_release(struct fleet_run *run);

/// Ends a row that fleet_value_* began, and begins the next.
void fleet_row_end(struct fleet_run *run, enum fleet_table table);
/// Adds a value to a row. Text is made valid UTF-8; null and NaN are null.
void fleet_value_text(struct fleet_run *run, enum fleet_table table, const char *text);
void fleet_value_count(struct fleet_run *run, enum fleet_table table, uint64_t count);
/// The same, null where it is `missing`.
void fleet_value_known(struct fleet_run *run, enum fleet_table table, uint64_t count,
                       uint64_t missing);
void fleet_value_number(struct fleet_run *run, enum fleet_table table, double number);
/// Says what stands in a column of reticle.runs.
///
/// most  characters; 0: any
void fleet_run_set(struct fleet_run *run, const char *column, const char *value, size_t most);

/// Adds text as valid UTF-8, U+FFFD for what isn't.
///
/// most  characters; 0: any
void fleet_add_clean(struct text *out, const char *text, size_t most);

/// Sends runs over one connection. Start with fleet_pusher_open, end with fleet_pusher_close.
struct fleet_pusher {
  struct fleet fleet;
  const struct postgres_url *url;
  double patience_s; ///< for how long a lost connection is tried again
  uint64_t *named;   ///< [named_count] loops that have names in the database, ascending
  size_t named_count;
  size_t retries; ///< how often something was tried again
};

enum fleet_pushed {
  FLEET_PUSHED,
  FLEET_WAS_THERE,
  FLEET_WAS_SHORTER, ///< an earlier checkpoint of the run is there, and stays
  FLEET_FAILED,      ///< it was said why
};

bool fleet_pusher_open(const char *command, const struct postgres_url *url, double patience_s,
                       struct fleet_pusher *out, struct problems *problems);
void fleet_pusher_close(struct fleet_pusher *pusher);

/// Adds the run in one transaction. Where the connection is lost, or the server restarts, it is
/// tried again on a new one; whether the lost transaction has happened is seen by the run's id.
enum fleet_pushed fleet_push(struct fleet_pusher *pusher, const struct fleet_run *run);

#endif
