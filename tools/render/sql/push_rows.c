// push_rows.c - sections by keys of their columns, and levels of each process.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/render/sql/push_rows.h"

#include "tools/analysis/struct/trial.h"
#include "tools/model/report/section.h"
#include "tools/support/memory.h"
#include "tools/support/names.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// --- single values

/// A quantity's value, and the ends of its interval where they are asked for.
static void put_quantity(struct fleet_run *run, enum fleet_table table, struct quantity q,
                         bool with_interval) {
  bool is_known = q.status == QUANTITY_OK;
  fleet_value_number(run, table, is_known ? q.value : NAN);
  if (!with_interval)
    return;
  fleet_value_number(run, table, is_known ? q.low : NAN);
  fleet_value_number(run, table, is_known ? q.high : NAN);
}

/// Adds a column of a section's row to a row.
static void put(struct fleet_run *run, enum fleet_table table, const struct section *section,
                const char *key, const struct measurement *m, const void *row, bool with_interval) {
  const struct column *column = section_column(section, key);
  struct value value = {0};
  column_get(column, m, row, &value);
  if (column->type == COLUMN_QUANTITY)
    put_quantity(run, table, value.quantity, with_interval);
  else if (column_is_null(column, &value))
    fleet_value_text(run, table, NULL);
  else if (column->type <= COLUMN_TEXT_OR_NULL)
    fleet_value_text(run, table, text_get(&value.text));
  else if (column->type <= COLUMN_COUNT_OR_NULL)
    fleet_value_count(run, table, value.count);
  else
    fleet_value_number(run, table, value.number);
  value_release(&value);
}

/// Sets the column of reticle.runs with the name of the section's.
static void set(struct fleet_run *run, const struct section *section, const char *key,
                const char *name, const struct measurement *m, size_t most) {
  const struct column *column = section_column(section, key);
  struct value value = {0};
  struct text number = {0};
  column_get(column, m, NULL, &value);
  if (column->type == COLUMN_QUANTITY && value.quantity.status == QUANTITY_OK)
    text_format(&number, "%.9g", value.quantity.value);
  else if (column->type == COLUMN_COUNT ||
           (column->type == COLUMN_COUNT_OR_NULL && !column_is_null(column, &value)))
    text_format(&number, "%" PRIu64, value.count > INT64_MAX ? INT64_MAX : value.count);
  if (column->type <= COLUMN_TEXT_OR_NULL)
    fleet_run_set(run, name, column_is_null(column, &value) ? NULL : text_get(&value.text), most);
  else
    fleet_run_set(run, name, number.data, 0);
  text_release(&number);
  value_release(&value);
}

static void set_count(struct fleet_run *run, const char *name, uint64_t count) {
  struct text text = {0};
  text_format(&text, "%" PRIu64, count);
  fleet_run_set(run, name, text_get(&text), 0);
  text_release(&text);
}

/// A time in UTC; one that no calendar has becomes one that the database refuses with reasons.
static void write_time(uint64_t since_1970_s, char *out, size_t bytes) {
  time_t seconds = (time_t)(since_1970_s > 100000000000u ? 100000000000u : since_1970_s);
  struct tm utc;
  gmtime_r(&seconds, &utc);
  strftime(out, bytes, "%Y-%m-%d %H:%M:%S+00", &utc);
}

// --- the run itself

static void set_account(struct fleet_run *run, const struct measurement *m) {
  static const char *const keys[] = {"wall",         "user",     "system",     "runnable",
                                     "blocked",      "stopped",  "stolen",     "minor_faults",
                                     "major_faults", "switches", "migrations", "outside_loops"};
  for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
    set(run, &section_account, keys[i], keys[i], m, 0);
}

static void set_environment(struct fleet_run *run, const struct measurement *m) {
  static const char *const keys[] = {"executable", "arguments", "cpu_model", "hypervisor",
                                     "cpu_count",  "timer",     "launcher",  "runtime_version",
                                     "threads",    "elapsed",   "cpu_time",  "t_diff",
                                     "rank",       "ranks",     "local_rank"};
  for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
    set(run, &section_env, keys[i], keys[i], m, 0);
  set(run, &section_env, "host", "host", m, FLEET_NAME_MOST);
  set(run, &section_env, "job", "job", m, FLEET_NAME_MOST);
}

static void set_run(const struct pushed *pushed, const struct push_facts *facts,
                    struct fleet_run *run) {
  const struct measurement *m = &pushed->measurement;
  const struct profile *profile = &m->input.profile;
  const char *build_id = trial_build_id(profile);
  struct text options = {0};
  fleet_run_set(run, "run", run->id, 0);
  fleet_run_set(run, "started", run->started, 0);
  fleet_run_set(run, "kind", m->input.study ? "study" : "profile", 0);
  fleet_run_set(run, "program", base_name(profile->env.executable), FLEET_NAME_MOST);
  fleet_run_set(run, "build_id", *build_id ? build_id : NULL, FLEET_NAME_MOST);
  fleet_run_set(run, "commit", facts->commit, FLEET_NAME_MOST);
  fleet_run_set(run, "label", facts->label, FLEET_NAME_MOST);
  fleet_run_set(run, "path", facts->path, 0);
  fleet_run_set(run, "ended", m->input.study ? "exit" : ending_name(m->input.ending), 0);
  text_format(&options, "probe_budget=%.3g", (double)profile->env.probe_budget_permille / 1000);
  fleet_run_set(run, "options", text_get(&options), 0);
  text_release(&options);
  if (profile->object_count && *profile->objects[0].compiler)
    fleet_run_set(run, "compiler", profile->objects[0].compiler, 0);
  set_count(run, "elapsed_ticks", profile->env.elapsed_ticks);
  set_count(run, "processes", pushed->processes.count);
  set_count(run, "loops_entered", m->overview.loops_entered);
  set_environment(run, m);
  set_account(run, m);
}

// --- rows

static void add_processes(const struct pushed *pushed, struct fleet_run *run) {
  const enum fleet_table t = FLEET_PROCESSES;
  for (size_t i = 0; i < pushed->processes.count; i++) {
    const struct rank_row *row = &pushed->processes.rows[i];
    char start[32];
    struct text job = {0};
    write_time(row->start_time_s, start, sizeof start);
    fleet_add_clean(&job, row->job, FLEET_NAME_MOST);
    fleet_value_count(run, t, i);
    fleet_value_text(run, t, start);
    fleet_value_count(run, t, row->pid);
    fleet_value_count(run, t, row->elapsed_ticks);
    fleet_value_known(run, t, row->rank, PROFILE_RANK_UNKNOWN);
    fleet_value_known(run, t, row->size, PROFILE_RANK_UNKNOWN);
    fleet_value_known(run, t, row->local_rank, PROFILE_RANK_UNKNOWN);
    fleet_value_text(run, t, job.length ? text_get(&job) : NULL);
    fleet_value_text(run, t, row->host);
    fleet_value_text(run, t, row->executable);
    fleet_value_text(run, t, *row->build_id ? row->build_id : NULL);
    fleet_value_text(run, t, row->cpu_model);
    fleet_value_number(run, t, row->run_ns);
    fleet_value_number(run, t, row->cpu_ns);
    fleet_value_number(run, t, row->runnable_ns);
    fleet_value_count(run, t, pushed->threads[i]);
    fleet_value_number(run, t, row->faults);
    fleet_value_number(run, t, row->migrations);
    fleet_value_number(run, t, row->waited.log);
    fleet_value_number(run, t, row->waited.error);
    fleet_value_number(run, t, row->cycle_ns);
    fleet_row_end(run, t);
    text_release(&job);
  }
}

static void put_level(struct fleet_run *run, double log, double error) {
  fleet_value_number(run, FLEET_LEVELS, log);
  fleet_value_number(run, FLEET_LEVELS, error);
}

static void add_levels(const struct pushed *pushed, struct fleet_run *run) {
  const enum fleet_table t = FLEET_LEVELS;
  for (size_t i = 0; i < pushed->level_count; i++) {
    const struct pushed_level *level = &pushed->levels[i];
    const struct rank_cell *cell = &level->cell;
    bool is_known = level->run.status == QUANTITY_OK;
    fleet_value_count(run, t, level->process);
    text_format(&run->rows[t], "\t%" PRId64, (int64_t)level->loop);
    fleet_value_count(run, t, cell->executions);
    fleet_value_count(run, t, cell->samples);
    put_level(run, cell->total_ns, cell->total_error);
    fleet_value_number(run, t, cell->work);
    put_level(run, cell->asked.log, cell->asked.error);
    put_level(run, cell->waited.log, cell->waited.error);
    put_level(run, cell->timed.log, cell->timed.error);
    put_level(run, is_known ? level->run.mean.log_ns : NAN,
              is_known ? level->run.mean.spread : NAN);
    put_level(run, is_known ? level->run.median.log_ns : NAN,
              is_known ? level->run.median.spread : NAN);
    fleet_value_number(run, t, is_known ? level->run.step_ns : NAN);
    fleet_value_count(run, t, level->run.status);
    fleet_row_end(run, t);
  }
}

static void add_loops(const struct measurement *m, struct fleet_run *run) {
  static const struct {
    const char *key;
    bool with_interval;
  } columns[] = {{"executions", false},
                 {"samples", false},
                 {"total", true},
                 {"share", false},
                 {"mean", true},
                 {"p50", true},
                 {"p95", true},
                 {"max", false},
                 {"amplitude", false},
                 {"slow_share", false},
                 {"lost", true},
                 {"variance_work", false},
                 {"variance_processor", false},
                 {"verdict", false},
                 {"shape", false}};
  run->loops = memory_zeroed(m->loop_count + 1, sizeof *run->loops);
  for (size_t i = 0; i < m->loop_count; i++) {
    const struct profile_loop *loop = m->loops[i].loop;
    if (!loop->executions)
      continue;
    run->loops[run->loop_count++] = (struct fleet_loop){
        loop->id,   m->loops[i].function, loop->function, loop->inlined_from, loop->file,
        loop->line, loop->column,         loop->depth,    loop->flags,        loop->work_class};
    text_format(&run->rows[FLEET_LOOPS], "\t%" PRId64, (int64_t)loop->id);
    for (size_t c = 0; c < sizeof columns / sizeof *columns; c++)
      put(run, FLEET_LOOPS, &section_loops, columns[c].key, m, &m->loops[i],
          columns[c].with_interval);
    fleet_row_end(run, FLEET_LOOPS);
  }
}

/// The loop that a finding is about, as "L3" says; null: none.
static const struct profile_loop *loop_of(const struct measurement *m, const char *about) {
  unsigned long number = about[0] == 'L' ? strtoul(about + 1, NULL, 10) : 0;
  return number && number <= m->loop_count ? m->loops[number - 1].loop : NULL;
}

static void add_findings(const struct pushed *pushed, struct fleet_run *run) {
  const struct measurement *m = &pushed->measurement;
  static const char *const before[] = {"code", "severity", "about"};
  static const char *const behind[] = {"name", "text", "change"};
  for (size_t i = 0; i < pushed->findings.count; i++) {
    const struct finding *finding = &pushed->findings.items[i];
    const struct profile_loop *loop = loop_of(m, finding->about);
    fleet_value_count(run, FLEET_FINDINGS, i + 1);
    for (size_t c = 0; c < 3; c++)
      put(run, FLEET_FINDINGS, &section_findings, before[c], m, finding, false);
    if (loop)
      text_format(&run->rows[FLEET_FINDINGS], "\t%" PRId64, (int64_t)loop->id);
    else
      fleet_value_text(run, FLEET_FINDINGS, NULL);
    for (size_t c = 0; c < 3; c++)
      put(run, FLEET_FINDINGS, &section_findings, behind[c], m, finding, false);
    put_quantity(run, FLEET_FINDINGS, finding->gain, true);
    put(run, FLEET_FINDINGS, &section_findings, "proof", m, finding, false);
    fleet_row_end(run, FLEET_FINDINGS);
  }
}

void push_rows_put(const struct pushed *pushed, const struct push_facts *facts,
                   struct fleet_run *out) {
  const struct measurement *m = &pushed->measurement;
  *out = (struct fleet_run){0};
  memcpy(out->id, pushed->id, sizeof out->id);
  write_time(m->input.profile.env.start_time_s, out->started, sizeof out->started);
  set_run(pushed, facts, out);
  add_processes(pushed, out);
  add_loops(m, out);
  add_levels(pushed, out);
  add_findings(pushed, out);
}
