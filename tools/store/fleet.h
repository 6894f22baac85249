// fleet.h - runs of many machines in a PostgreSQL database: opened, set up, and chosen from.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tables and roles are tools/store/fleet/*.sql; docs/database.md says what is in them.
#ifndef RETICLE_TOOLS_STORE_FLEET_H
#define RETICLE_TOOLS_STORE_FLEET_H

#include "tools/store/postgres.h"
#include "tools/store/postgres_url.h"
#include "tools/support/problem.h"

/// Version of the tables that this reticle reads and writes: the number of the last file.
#define FLEET_VERSION 2

/// An opened database. Start with fleet_open, end with fleet_close.
struct fleet {
  struct postgres *postgres;
  const char *command;       ///< named in messages
  struct problems *problems; ///< get the messages
  const char *shown;         ///< the URL without its password; borrowed
};

/// Connects, and looks whether the tables are there and of our version. Tries again for so long
/// where the server can't be reached, or starts.
///
/// patience_s  0: once
///
/// Returns false after saying what is wrong and what to do; `out` can be closed in any case.
bool fleet_open(const char *command, const struct postgres_url *url, double patience_s,
                struct fleet *out, struct problems *problems);
void fleet_close(struct fleet *fleet);

/// Says what failed on the connection, and what to do about it.
void fleet_say(const struct fleet *fleet, const char *what);

/// Makes the tables and roles, or brings older ones to our version, all of it or nothing.
///
/// from  gets the version that was there; 0: none
///
/// Returns false after saying what failed.
bool fleet_set_up(const char *command, const struct postgres_url *url, int *from,
                  struct problems *problems);

/// Waits before attempt `attempt` (from 1): exponential back-off with jitter. Returns false where
/// that would be longer than is left of `patience_s` since `start_s`.
bool fleet_wait(unsigned attempt, double start_s, double patience_s);
/// Seconds of a clock that only goes forward.
double fleet_now_s(void);

/// The runs that an operand chooses.
struct fleet_runs {
  char *numbers;      ///< for SQL: "{4,7}"
  char *first, *last; ///< their starts, for SQL
  size_t count;
};

/// Looks for runs that fit all of what is behind "#".
///
/// Returns false after saying why there are none.
bool fleet_choose(struct fleet *fleet, const struct postgres_url *url, struct fleet_runs *out);
void fleet_runs_release(struct fleet_runs *runs);

/// Begins a transaction in which nothing changes while it is read. False after saying what failed.
bool fleet_begin_reading(struct fleet *fleet);

#endif
