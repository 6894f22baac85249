// ranks_fleet.c - rows and cells of a job from a database, where the server puts them together.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/model/fleet/fleet_parts.h"
#include "tools/model/rank/ranks_read.h"
#include "tools/support/memory.h"
#include "tools/support/problem.h"

#include <math.h>
#include <stdlib.h>

static const char rows_question[] = FLEET_POSITIONS
    "SELECT c.rank, c.ranks, c.local_rank, c.pid, extract(epoch FROM c.start)::bigint, "
    "c.elapsed_ticks, c.host, c.executable, c.cpu_model, c.build_id, c.job, r.path, c.run_ns, "
    "c.cpu_ns, c.runnable_ns, c.faults, c.migrations, c.waited_log, c.waited_error, c.cycle_ns "
    "FROM chosen c JOIN reticle.runs r ON r.number = c.run AND r.started = c.started "
    "ORDER BY c.position";

/// One row for each loop, with an array over the ranks that entered it for each value.
static const char cells_question[] = FLEET_POSITIONS
    "SELECT " FLEET_LOOP ", array_agg(c.position), array_agg(l.executions), array_agg(l.samples), "
    "array_agg(l.total_ns), array_agg(l.total_error), array_agg(l.work), "
    "array_agg(l.asked_log), array_agg(l.asked_error), array_agg(l.waited_log), "
    "array_agg(l.waited_error), array_agg(l.timed_log), "
    "array_agg(l.timed_error)" FLEET_LEVELS_OF_CHOSEN;

static const char *keep(struct ranks *ranks, const struct postgres_rows *rows, int column) {
  const char *text = postgres_rows_text(rows, column);
  return ranks_read_keep(ranks, text ? text : "");
}

static uint32_t rank_of(const struct postgres_rows *rows, int column) {
  return (uint32_t)postgres_rows_count(rows, column, PROFILE_RANK_UNKNOWN);
}

static void add_row(struct ranks_reader *reader, const struct postgres_rows *rows) {
  struct ranks *out = reader->out;
  ranks_read_grow(reader);
  out->rows[out->count++] = (struct rank_row){
      .rank = rank_of(rows, 0),
      .size = rank_of(rows, 1),
      .local_rank = rank_of(rows, 2),
      .pid = postgres_rows_count(rows, 3, 0),
      .start_time_s = postgres_rows_count(rows, 4, 0),
      .elapsed_ticks = postgres_rows_count(rows, 5, 0),
      .host = keep(out, rows, 6),
      .executable = keep(out, rows, 7),
      .cpu_model = keep(out, rows, 8),
      .build_id = keep(out, rows, 9),
      .job = keep(out, rows, 10),
      .path = keep(out, rows, 11),
      .run_ns = postgres_rows_number(rows, 12),
      .cpu_ns = postgres_rows_number(rows, 13),
      .runnable_ns = postgres_rows_number(rows, 14),
      .faults = postgres_rows_number(rows, 15),
      .migrations = postgres_rows_number(rows, 16),
      .waited = {postgres_rows_number(rows, 17), postgres_rows_number(rows, 18)},
      .cycle_ns = postgres_rows_number(rows, 19),
  };
}

static void add_loop(struct ranks_reader *reader, const struct postgres_rows *rows) {
  enum { FIRST = 9, ARRAYS = 12 };
  struct fleet_array arrays[ARRAYS];
  const struct profile_loop named = fleet_loop_of(rows);
  struct rank_loop *loop = ranks_read_loop(reader, &named);
  for (int i = 0; i < ARRAYS; i++)
    arrays[i] = fleet_array_of(rows, FIRST + i);
  while (fleet_array_goes_on(&arrays[0])) {
    size_t position = fleet_array_count(&arrays[0]);
    struct rank_cell cell = {.executions = fleet_array_count(&arrays[1]),
                             .samples = fleet_array_count(&arrays[2])};
    double *const numbers[] = {&cell.total_ns,     &cell.total_error, &cell.work,
                               &cell.asked.log,    &cell.asked.error, &cell.waited.log,
                               &cell.waited.error, &cell.timed.log,   &cell.timed.error};
    for (int i = 3; i < ARRAYS; i++)
      *numbers[i - 3] = fleet_array_number(&arrays[i]);
    if (position < reader->out->count)
      loop->cells[position] = cell;
  }
}

static bool read_all(struct fleet_reading *reading, const char *question,
                     void (*add)(struct ranks_reader *, const struct postgres_rows *),
                     struct ranks_reader *reader) {
  struct postgres_rows *rows = fleet_reading_ask(reading, question);
  while (postgres_rows_step(rows))
    add(reader, rows);
  return postgres_rows_finish(rows);
}

int ranks_load_fleet(const char *operand, struct ranks *out, struct problems *problems) {
  struct ranks_reader reader = {.out = out, .problems = problems};
  struct fleet_reading reading;
  ranks_begin(out);
  bool fine = fleet_reading_open("ranks", operand, true, &reading, problems);
  if (fine) {
    fine = read_all(&reading, rows_question, add_row, &reader) &&
           read_all(&reading, cells_question, add_loop, &reader);
    if (!fine)
      fleet_say(&reading.fleet, "");
  }
  fleet_reading_close(&reading);
  if (!fine)
    return PROBLEM_UNREADABLE;
  ranks_finish(&reader);
  return PROBLEM_NONE;
}
