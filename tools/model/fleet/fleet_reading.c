// fleet_reading.c - opens a database to be read, and reads arrays.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/model/fleet/fleet_parts.h"

#include "tools/support/problem.h"
#include "tools/support/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/// Takes the newest job where nothing is asked for.
static bool choose_job(struct fleet_reading *reading) {
  for (size_t k = 0; k < CHOSEN_KEYS; k++)
    if (reading->url.chosen[k])
      return true;
  struct postgres_rows *rows = postgres_query(
      reading->fleet.postgres,
      "SELECT job FROM reticle.runs WHERE job IS NOT NULL ORDER BY started DESC LIMIT 1", NULL, 0);
  if (postgres_rows_step(rows))
    reading->url.chosen[CHOSEN_JOB] = text_copy(postgres_rows_text(rows, 0));
  if (!postgres_rows_finish(rows))
    fleet_say(&reading->fleet, "");
  else if (!reading->url.chosen[CHOSEN_JOB])
    problem_error(
        reading->fleet.problems,
        "%s: %s: no run of a parallel job is in it: name runs, as in '#program=NAME,last=8'",
        reading->fleet.command, reading->fleet.shown);
  return reading->url.chosen[CHOSEN_JOB] != NULL;
}

bool fleet_reading_open(const char *command, const char *operand, bool job,
                        struct fleet_reading *out, struct problems *problems) {
  *out = (struct fleet_reading){0};
  if (!postgres_url_parse(command, operand, &out->url, problems))
    return false;
  if (!job && !strchr(operand, '#')) {
    problem_error(problems,
                  "%s: %s: say which runs, as in '#program=NAME,commit=4f2a1c' or '#run=ID'; keys "
                  "are run, program, commit, build, label, host, job, since, until, last",
                  command, out->url.shown);
    return false;
  }
  return fleet_open(command, &out->url, 0, &out->fleet, problems) &&
         fleet_begin_reading(&out->fleet) && (!job || choose_job(out)) &&
         fleet_choose(&out->fleet, &out->url, &out->runs);
}

void fleet_reading_close(struct fleet_reading *reading) {
  fleet_runs_release(&reading->runs);
  fleet_close(&reading->fleet);
  postgres_url_release(&reading->url);
}

struct postgres_rows *fleet_reading_ask(struct fleet_reading *reading, const char *sql) {
  const char *const values[] = {reading->runs.numbers, reading->runs.first, reading->runs.last};
  return postgres_query(reading->fleet.postgres, sql, values, 3);
}

static const char *or_empty(const char *text) { return text ? text : ""; }

struct profile_loop fleet_loop_of(const struct postgres_rows *rows) {
  return (struct profile_loop){
      .id = (uint64_t)strtoll(or_empty(postgres_rows_text(rows, 0)), NULL, 10),
      .function = or_empty(postgres_rows_text(rows, 1)),
      .inlined_from = or_empty(postgres_rows_text(rows, 2)),
      .file = or_empty(postgres_rows_text(rows, 3)),
      .line = (uint32_t)postgres_rows_count(rows, 4, 0),
      .column = (uint32_t)postgres_rows_count(rows, 5, 0),
      .depth = (uint32_t)postgres_rows_count(rows, 6, 0),
      .flags = (uint32_t)postgres_rows_count(rows, 7, 0),
      .work_class = (uint32_t)postgres_rows_count(rows, 8, 0),
  };
}

struct fleet_array fleet_array_of(const struct postgres_rows *rows, int column) {
  return (struct fleet_array){or_empty(postgres_rows_text(rows, column))};
}

bool fleet_array_goes_on(const struct fleet_array *array) {
  return *array->at == '{' ? array->at[1] != '}' : *array->at == ',';
}

double fleet_array_number(struct fleet_array *array) {
  if (!fleet_array_goes_on(array))
    return NAN;
  char *end;
  const char *start = array->at + 1;
  double number = strncmp(start, "NULL", 4) == 0 ? NAN : strtod(start, &end);
  array->at = start + strcspn(start, ",}");
  return number;
}

uint64_t fleet_array_count(struct fleet_array *array) {
  if (!fleet_array_goes_on(array))
    return 0;
  const char *start = array->at + 1;
  array->at = start + strcspn(start, ",}");
  return strtoull(start, NULL, 10);
}
