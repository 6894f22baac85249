// fleet_parts.h - between what is read from a fleet's database: chosen runs, and arrays of numbers.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_MODEL_FLEET_FLEET_PARTS_H
#define RETICLE_TOOLS_MODEL_FLEET_FLEET_PARTS_H

#include "tools/profile/profile.h"
#include "tools/store/fleet.h"
#include "tools/support/problem.h"

/// An operand's runs, in a transaction. Start with fleet_reading_open, end with
/// fleet_reading_close.
struct fleet_reading {
  struct postgres_url url;
  struct fleet fleet;
  struct fleet_runs runs;
};

/// Connects, begins a transaction and chooses.
///
/// job  without a key behind "#" the newest job's runs are taken
///
/// Returns false after saying what is wrong; `out` can be closed in any case.
bool fleet_reading_open(const char *command, const char *operand, bool job,
                        struct fleet_reading *out, struct problems *problems);
void fleet_reading_close(struct fleet_reading *reading);

/// Asks about the chosen runs: $1 are their numbers, $2 and $3 the least and greatest start.
struct postgres_rows *fleet_reading_ask(struct fleet_reading *reading, const char *sql);

/// The processes of the chosen runs with a position each, from 0, as `ranks` and `diff` have them.
#define FLEET_POSITIONS                                                                            \
  "WITH chosen AS MATERIALIZED (SELECT p.*, row_number() OVER (ORDER BY p.rank NULLS LAST, "       \
  "p.start, p.pid, p.run, p.process) - 1 AS position FROM reticle.processes p "                    \
  "WHERE p.run = ANY($1::bigint[]) AND p.started BETWEEN $2 AND $3) "
/// A loop's names: columns from 0 to 8, for fleet_loop_of.
#define FLEET_LOOP                                                                                 \
  "l.loop, min(n.linkage), min(n.inlined_from), min(n.file), min(n.line), min(n.col), "            \
  "min(n.depth), min(n.flags), min(n.work_class)"
#define FLEET_LEVELS_OF_CHOSEN                                                                     \
  " FROM reticle.levels l JOIN chosen c ON c.run = l.run AND c.process = l.process AND "           \
  "c.started = l.started LEFT JOIN reticle.loop_names n ON n.loop = l.loop "                       \
  "WHERE l.run = ANY($1::bigint[]) AND l.started BETWEEN $2 AND $3 GROUP BY l.loop ORDER BY "      \
  "l.loop"

/// A loop as the first nine columns name it; texts are good until the next step.
struct profile_loop fleet_loop_of(const struct postgres_rows *rows);

/// Walks over an array of SQL, "{1,NULL,3}".
struct fleet_array {
  const char *at;
};
struct fleet_array fleet_array_of(const struct postgres_rows *rows, int column);
/// The next element; NaN for NULL.
double fleet_array_number(struct fleet_array *array);
/// The next element of an array without NULL; behind the last one 0.
uint64_t fleet_array_count(struct fleet_array *array);
/// Whether there is a next one.
bool fleet_array_goes_on(const struct fleet_array *array);

#endif
