// fleet_push.c - one transaction a run, tried again until it is known to have happened.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/store/fleet_push.h"

#include "tools/store/fleet_names.h"
#include "tools/support/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// Tables with their columns, in the order in which rows have them.
static const char *const columns[FLEET_TABLES] = {
    [FLEET_PROCESSES] =
        ("processes(run, started, process, start, pid, elapsed_ticks, rank, ranks, local_rank, job,"
         " host, executable, build_id, cpu_model, run_ns, cpu_ns, runnable_ns, threads, faults,"
         " migrations, waited_log, waited_error, cycle_ns)"),
    [FLEET_LOOPS] = ("loops(run, started, loop, executions, samples, total, total_low, total_high,"
                     " share, mean, mean_low, mean_high, p50, p50_low, p50_high, p95, p95_low,"
                     " p95_high, max, amplitude, slow_share, lost, lost_low, lost_high,"
                     " variance_work, variance_processor, verdict, shape)"),
    [FLEET_LEVELS] =
        ("levels(run, started, process, loop, executions, samples, total_ns, total_error, work,"
         " asked_log, asked_error, waited_log, waited_error, timed_log, timed_error, mean_log,"
         " mean_spread, median_log, median_spread, step_ns, why)"),
    [FLEET_FINDINGS] =
        ("findings(run, started, number, code, severity, about, loop, name, evidence,"
         " change, gain, gain_low, gain_high, proof)"),
};

bool fleet_pusher_open(const char *command, const struct postgres_url *url, double patience_s,
                       struct fleet_pusher *out, struct problems *problems) {
  *out = (struct fleet_pusher){.url = url, .patience_s = patience_s};
  return fleet_open(command, url, patience_s, &out->fleet, problems);
}

void fleet_pusher_close(struct fleet_pusher *pusher) {
  fleet_close(&pusher->fleet);
  free(pusher->named);
  *pusher = (struct fleet_pusher){0};
}

// --- names of loops

static int by_number(const void *left, const void *right) {
  const uint64_t *a = left, *b = right;
  return (*a > *b) - (*a < *b);
}

static bool is_named(const struct fleet_pusher *pusher, uint64_t id) {
  return pusher->named_count &&
         bsearch(&id, pusher->named, pusher->named_count, sizeof id, by_number);
}

/// Sends names that this connection hasn't sent yet.
static bool send_names(struct fleet_pusher *pusher, const struct fleet_run *run) {
  struct text arrays[FLEET_NAME_ARRAYS] = {{0}};
  const char *values[FLEET_NAME_ARRAYS];
  for (size_t i = 0; i < run->loop_count; i++)
    if (!is_named(pusher, run->loops[i].id))
      fleet_names_add(&run->loops[i], arrays);
  bool fine = true;
  if (arrays[0].length) {
    for (size_t i = 0; i < FLEET_NAME_ARRAYS; i++) {
      text_add(&arrays[i], "}");
      values[i] = text_get(&arrays[i]);
    }
    struct postgres_rows *rows =
        postgres_query(pusher->fleet.postgres,
                       "SELECT reticle.add_loop_names($1::text[], $2::text[], $3::text[], "
                       "$4::text[], $5::bigint[], $6::bigint[], $7::bigint[], $8::bigint[], "
                       "$9::bigint[], $10::bigint[])",
                       values, FLEET_NAME_ARRAYS);
    postgres_rows_step(rows);
    fine = postgres_rows_finish(rows);
  }
  for (size_t i = 0; i < FLEET_NAME_ARRAYS; i++)
    text_release(&arrays[i]);
  return fine;
}

/// They are in the database for good.
static void note_names(struct fleet_pusher *pusher, const struct fleet_run *run) {
  size_t before = pusher->named_count;
  pusher->named =
      memory_resized(pusher->named, before + run->loop_count + 1, sizeof *pusher->named);
  for (size_t i = 0; i < run->loop_count; i++)
    if (!before || !bsearch(&run->loops[i].id, pusher->named, before, sizeof(uint64_t), by_number))
      pusher->named[pusher->named_count++] = run->loops[i].id;
  qsort(pusher->named, pusher->named_count, sizeof *pusher->named, by_number);
}

// --- one run

/// Puts the run's number and start in front of each row.
static bool copy(struct postgres *postgres, const struct fleet_run *run, enum fleet_table table,
                 const char *number) {
  struct text all = {0}, sql = {0};
  const char *at = text_get(&run->rows[table]);
  text_format(&sql, "COPY reticle.%s FROM STDIN", columns[table]);
  for (const char *end; *at; at = end + 1) {
    end = strchr(at, '\n');
    text_format(&all, "%s\t%s", number, run->started);
    text_add_bytes(&all, at, (size_t)(end + 1 - at));
  }
  bool fine = !all.length || postgres_copy(postgres, text_get(&sql), text_get(&all), all.length);
  text_release(&all);
  text_release(&sql);
  return fine;
}

/// Begins the transaction and adds the run's own row.
///
/// number  [32] gets its number
static enum fleet_pushed begin(struct postgres *postgres, const struct fleet_run *run,
                               char *number) {
  struct text names = {0}, values = {0};
  text_format(&names, "%s}", text_get(&run->names));
  text_format(&values, "%s}", text_get(&run->values));
  const char *const arrays[] = {text_get(&names), text_get(&values)};
  enum fleet_pushed result = FLEET_FAILED;
  if (postgres_run(postgres, "BEGIN")) {
    struct postgres_rows *rows =
        postgres_query(postgres, "SELECT reticle.add_run($1::text[], $2::text[])", arrays, 2);
    const char *answer = postgres_rows_step(rows) ? postgres_rows_text(rows, 0) : NULL;
    snprintf(number, 32, "%s", answer ? answer : "");
    if (postgres_rows_finish(rows))
      result = !*number ? FLEET_WAS_THERE : *number == '-' ? FLEET_WAS_SHORTER : FLEET_PUSHED;
  }
  text_release(&names);
  text_release(&values);
  return result;
}

static enum fleet_pushed push_once(struct fleet_pusher *pusher, const struct fleet_run *run) {
  struct postgres *postgres = pusher->fleet.postgres;
  char number[32] = "";
  enum fleet_pushed result = begin(postgres, run, number);
  if (result != FLEET_PUSHED) {
    postgres_run(postgres, "ROLLBACK");
    return result;
  }
  bool fine = send_names(pusher, run);
  for (enum fleet_table table = 0; fine && table < FLEET_TABLES; table++)
    fine = copy(postgres, run, table, number);
  if (!fine || !postgres_run(postgres, "COMMIT"))
    return FLEET_FAILED;
  note_names(pusher, run);
  return FLEET_PUSHED;
}

enum fleet_pushed fleet_push(struct fleet_pusher *pusher, const struct fleet_run *run) {
  double start_s = fleet_now_s();
  for (unsigned attempt = 1;; attempt++) {
    enum fleet_pushed result = push_once(pusher, run);
    if (result != FLEET_FAILED)
      // What was sent before the connection was lost had happened.
      return result == FLEET_WAS_THERE && attempt > 1 ? FLEET_PUSHED : result;
    bool is_passing = postgres_is_passing(pusher->fleet.postgres);
    if (!is_passing || !fleet_wait(attempt, start_s, pusher->patience_s)) {
      fleet_say(&pusher->fleet, "");
      return FLEET_FAILED;
    }
    pusher->retries++;
    const char *command = pusher->fleet.command;
    struct problems *problems = pusher->fleet.problems;
    double left_s = pusher->patience_s - (fleet_now_s() - start_s);
    fleet_close(&pusher->fleet);
    if (!fleet_open(command, pusher->url, left_s > 0 ? left_s : 0, &pusher->fleet, problems))
      return FLEET_FAILED;
  }
}
