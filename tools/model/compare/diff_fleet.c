// diff_fleet.c - profiles without samples from a database's rows, and what the server added up.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/model/compare/diff_fleet.h"

#include "tools/model/fleet/fleet_parts.h"
#include "tools/profile/memory.h"
#include "tools/support/memory.h"
#include "tools/support/problem.h"
#include "tools/support/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/// Times of a database are nanoseconds: ticks of such a timer.
#define NS_HZ 1000000000u

/// A loop of all runs.
struct fleet_loop_stats {
  uint64_t id;
  struct loop_stats stats;
  struct diff_run *runs; ///< [fleet->count] status QUANTITY_UNSUPPORTED: not executed
};

struct diff_fleet {
  const struct input *inputs; ///< [count] of the side, by position
  size_t count;
  struct fleet_loop_stats *loops; ///< [loop_count] by id, as signed numbers
  size_t loop_count, loop_room;
  double t_diff_ns;
};

static const char processes_question[] = FLEET_POSITIONS
    "SELECT c.pid, extract(epoch FROM c.start)::bigint, c.run_ns, c.cpu_ns, c.threads, c.host, "
    "c.executable, c.cpu_model, r.hypervisor, r.timer, r.arguments, r.path, r.t_diff, "
    "r.compiler "
    "FROM chosen c JOIN reticle.runs r ON r.number = c.run AND r.started = c.started "
    "ORDER BY c.position";

static const char levels_question[] = FLEET_POSITIONS
    "SELECT " FLEET_LOOP ", array_agg(c.position), array_agg(l.executions), array_agg(l.samples), "
    "array_agg(l.why), array_agg(l.mean_log), array_agg(l.mean_spread), "
    "array_agg(l.median_log), array_agg(l.median_spread), "
    "array_agg(l.step_ns)" FLEET_LEVELS_OF_CHOSEN;

// clang-format off
/// Standard error of a mean over runs: as they differ, or, if that is more, as each says of itself.
#define ERROR_OF(KEY)                                                                              \
  "1.96 * sqrt(greatest(coalesce(var_samp(" KEY "), 0), "                                          \
  "avg(((" KEY "_high - " KEY "_low) / 3.92) ^ 2)) / nullif(count(" KEY "), 0)), "

static const char stats_question[] =
    "SELECT l.loop, sum(executions), sum(samples), sum(total), sum(total_low), sum(total_high), "
    "sum(mean * executions) / nullif(sum(executions) FILTER (WHERE mean IS NOT NULL), 0), "
    ERROR_OF("mean")
    "percentile_cont(0.5) WITHIN GROUP (ORDER BY p50), " ERROR_OF("p50")
    "percentile_cont(0.5) WITHIN GROUP (ORDER BY p95), " ERROR_OF("p95")
    "avg(amplitude), avg(share), max(max) FROM reticle.loops l "
    "WHERE l.run = ANY($1::bigint[]) AND l.started BETWEEN $2 AND $3 GROUP BY l.loop ORDER BY l.loop";
// clang-format on

// --- processes

static const char *copy(struct profile *profile, const struct postgres_rows *rows, int column) {
  const char *text = postgres_rows_text(rows, column);
  const char *kept = profile_copy_text(profile, text ? text : "", text ? strlen(text) : 0);
  if (!kept)
    memory_exhausted();
  return kept;
}

static void *allocate(struct profile *profile, size_t count, size_t bytes) {
  void *room = profile_allocate(profile, count, bytes);
  if (!room)
    memory_exhausted();
  return room;
}

static uint64_t ticks_of(double ns) { return isfinite(ns) && ns > 0 ? (uint64_t)ns : 0; }

static void add_process(const struct postgres_rows *rows, struct compared_side *side) {
  side->runs = memory_resized(side->runs, side->count + 1, sizeof *side->runs);
  struct input *run = &side->runs[side->count++];
  const char *path = postgres_rows_text(rows, 11);
  *run = (struct input){.paths = memory_zeroed(1, sizeof *run->paths)};
  run->paths[run->count++] = text_copy(path ? path : "");
  struct profile *profile = &run->profile;
  double run_ns = postgres_rows_number(rows, 2);
  profile->version = RETICLE_FILE_VERSION;
  profile->merged_count = 1;
  profile->env = (struct profile_env){
      .pid = postgres_rows_count(rows, 0, 0),
      .start_time_s = postgres_rows_count(rows, 1, 0),
      .elapsed_ticks = ticks_of(run_ns),
      .timer_hz = isfinite(run_ns) ? NS_HZ : 0,
      .cpu_ns = ticks_of(postgres_rows_number(rows, 3)),
      .thread_count = postgres_rows_count(rows, 4, 1),
      .host = copy(profile, rows, 5),
      .executable = copy(profile, rows, 6),
      .cpu_model = copy(profile, rows, 7),
      .hypervisor = copy(profile, rows, 8),
      .timer = copy(profile, rows, 9),
      .arguments = copy(profile, rows, 10),
      .clock_source = "",
      .runtime_version = "",
  };
  // One object file stands for all: loops refer to it.
  profile->objects = allocate(profile, 1, sizeof *profile->objects);
  *profile->objects = (struct profile_object){.source = "",
                                              .directory = "",
                                              .compiler = copy(profile, rows, 13),
                                              .module = profile->env.executable};
  profile->object_count = 1;
  double t_diff_ns = postgres_rows_number(rows, 12);
  if (isfinite(t_diff_ns))
    side->fleet->t_diff_ns = fmax(side->fleet->t_diff_ns, t_diff_ns);
}

// --- loops

static struct fleet_loop_stats *add_loop(struct diff_fleet *fleet, uint64_t id) {
  if (fleet->loop_count == fleet->loop_room) {
    fleet->loop_room = fleet->loop_room ? 2 * fleet->loop_room : 64;
    fleet->loops = memory_resized(fleet->loops, fleet->loop_room, sizeof *fleet->loops);
  }
  struct fleet_loop_stats *loop = &fleet->loops[fleet->loop_count++];
  *loop = (struct fleet_loop_stats){.id = id,
                                    .runs = memory_zeroed(fleet->count + 1, sizeof *loop->runs)};
  for (size_t i = 0; i < fleet->count; i++)
    loop->runs[i] = (struct diff_run){.status = QUANTITY_UNSUPPORTED, .reason = ""};
  return loop;
}

static const char *reason_of(enum quantity_status status) {
  return status == QUANTITY_OK            ? ""
         : status == QUANTITY_BELOW_FLOOR ? "shorter than the timer can tell"
                                          : "too few samples";
}

/// A process' loop, by the next elements of all arrays.
static void add_level(struct compared_side *side, const struct profile_loop *named,
                      struct fleet_loop_stats *loop, struct fleet_array *arrays) {
  size_t position = fleet_array_count(&arrays[0]);
  uint64_t executions = fleet_array_count(&arrays[1]), samples = fleet_array_count(&arrays[2]);
  uint64_t why = fleet_array_count(&arrays[3]);
  struct diff_run run = {.status = why <= QUANTITY_UNSUPPORTED ? (enum quantity_status)why
                                                               : QUANTITY_UNSUPPORTED};
  double *const numbers[] = {&run.mean.log_ns, &run.mean.spread, &run.median.log_ns,
                             &run.median.spread, &run.step_ns};
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
    *numbers[i] = fleet_array_number(&arrays[4 + i]);
  run.reason = reason_of(run.status);
  if (position >= side->count)
    return;
  loop->runs[position] = run;
  // Rows come loop by loop: each profile grows by the power of two.
  struct profile *profile = &side->runs[position].profile;
  if (!(profile->loop_count & (profile->loop_count - 1))) {
    size_t room = profile->loop_count ? 2 * profile->loop_count : 1;
    struct profile_loop *grown = allocate(profile, room, sizeof *grown);
    if (profile->loop_count)
      memcpy(grown, profile->loops, profile->loop_count * sizeof *grown);
    profile->loops = grown;
  }
  struct profile_loop *own = &profile->loops[profile->loop_count++];
  *own = *named;
  own->executions = executions;
  own->samples = samples;
  own->min_ticks = UINT64_MAX;
}

static void add_levels(const struct postgres_rows *rows, struct compared_side *side) {
  enum { FIRST = 9, ARRAYS = 9 };
  struct fleet_array arrays[ARRAYS];
  // Names outlive the row; the first run's memory is as good as any.
  struct profile *owner = &side->runs[0].profile;
  struct profile_loop named = fleet_loop_of(rows);
  named.function = copy(owner, rows, 1);
  named.inlined_from = copy(owner, rows, 2);
  named.file = copy(owner, rows, 3);
  struct fleet_loop_stats *loop = add_loop(side->fleet, named.id);
  for (int i = 0; i < ARRAYS; i++)
    arrays[i] = fleet_array_of(rows, FIRST + i);
  while (fleet_array_goes_on(&arrays[0]))
    add_level(side, &named, loop, arrays);
}

static int by_id(const void *left, const void *right) {
  const struct fleet_loop_stats *a = left, *b = right;
  int64_t x = (int64_t)a->id, y = (int64_t)b->id;
  return (x > y) - (x < y);
}

static struct fleet_loop_stats *find_loop(const struct diff_fleet *fleet, uint64_t id) {
  const struct fleet_loop_stats wanted = {.id = id};
  return fleet->loop_count
             ? bsearch(&wanted, fleet->loops, fleet->loop_count, sizeof *fleet->loops, by_id)
             : NULL;
}

static struct quantity quantity_from(double value, double low, double high) {
  return isfinite(value)
             ? quantity_of(value, isfinite(low) ? low : value, isfinite(high) ? high : value)
             : quantity_none(QUANTITY_TOO_FEW, "too few samples");
}

static struct quantity around(const struct postgres_rows *rows, int column) {
  double value = postgres_rows_number(rows, column), half = postgres_rows_number(rows, column + 1);
  return quantity_from(value, value - half, value + half);
}

static struct quantity alone(const struct postgres_rows *rows, int column) {
  double value = postgres_rows_number(rows, column);
  return quantity_from(value, value, value);
}

static void set_stats(const struct postgres_rows *rows, struct compared_side *side) {
  uint64_t id = (uint64_t)strtoll(postgres_rows_text(rows, 0), NULL, 10);
  struct fleet_loop_stats *loop = find_loop(side->fleet, id);
  if (!loop)
    return;
  struct quantity none = quantity_none(QUANTITY_UNSUPPORTED, "the database doesn't keep it");
  loop->stats = (struct loop_stats){
      .executions = postgres_rows_count(rows, 1, 0),
      .samples = postgres_rows_count(rows, 2, 0),
      .total_ns = quantity_from(postgres_rows_number(rows, 3), postgres_rows_number(rows, 4),
                                postgres_rows_number(rows, 5)),
      .mean_ns = around(rows, 6),
      .p50_ns = around(rows, 8),
      .p95_ns = around(rows, 10),
      .amplitude = alone(rows, 12),
      .share = alone(rows, 13),
      .max_ns = alone(rows, 14),
      .p5_ns = none,
      .p25_ns = none,
      .p75_ns = none,
      .p99_ns = none,
      .slow_share = none,
      .slow_by_ns = none,
      .lost_ns = none,
      .system_noise_ns = none,
      .variance_work = none,
      .variance_processor = none,
      .verdict = LOOP_TOO_FEW,
      .reason = "the database doesn't keep it",
  };
}

// --- all of it

static bool walk(struct fleet_reading *reading, const char *question,
                 void (*take)(const struct postgres_rows *, struct compared_side *),
                 struct compared_side *side) {
  struct postgres_rows *rows = fleet_reading_ask(reading, question);
  while (postgres_rows_step(rows))
    take(rows, side);
  return postgres_rows_finish(rows);
}

static bool read_processes(struct fleet_reading *reading, struct compared_side *side) {
  struct diff_fleet *fleet = side->fleet;
  if (!walk(reading, processes_question, add_process, side))
    return false;
  fleet->count = side->count;
  fleet->inputs = side->runs;
  return true;
}

int diff_fleet_read(char *const *operands, size_t count, struct compared_side *side,
                    struct problems *problems) {
  struct fleet_reading reading = {0};
  if (count > 1) {
    problem_error(problems, "%s: a database stands alone on its side: choose its runs behind #",
                  operands[0]);
    return PROBLEM_UNREADABLE;
  }
  side->fleet = memory_zeroed(1, sizeof *side->fleet);
  bool fine = fleet_reading_open("database", operands[0], false, &reading, problems);
  if (fine && !(read_processes(&reading, side) && side->count &&
                walk(&reading, levels_question, add_levels, side) &&
                walk(&reading, stats_question, set_stats, side))) {
    fleet_say(&reading.fleet, "");
    fine = false;
  }
  fleet_reading_close(&reading);
  return fine ? PROBLEM_NONE : PROBLEM_UNREADABLE;
}

int diff_fleet_mixed(const char *side, struct problems *problems) {
  problem_error(problems, "%s: files and a database don't stand on one side: push the files first",
                side);
  return PROBLEM_UNREADABLE;
}

// --- what is asked of it

static const struct diff_run *known_run(const void *of, const struct profile *run, uint64_t id) {
  const struct diff_fleet *fleet = of;
  const struct fleet_loop_stats *loop = find_loop(fleet, id);
  const char *input = (const char *)run - offsetof(struct input, profile);
  return loop ? &loop->runs[(const struct input *)(const void *)input - fleet->inputs] : NULL;
}

static void known_stats(const void *of, uint64_t id, struct loop_stats *out) {
  const struct fleet_loop_stats *loop = find_loop(of, id);
  *out = loop ? loop->stats : (struct loop_stats){.reason = ""};
}

const struct diff_known *diff_fleet_known(const struct diff_fleet *fleet, struct diff_known *out) {
  *out = (struct diff_known){known_run, known_stats, fleet};
  return fleet ? out : NULL;
}

enum floor_source diff_fleet_floor(const struct diff_fleet *fleet, struct timing_floor *out) {
  struct quantity none = quantity_none(QUANTITY_UNSUPPORTED, "the database doesn't keep it");
  double ns = fleet->t_diff_ns;
  *out = (struct timing_floor){.t_e_ns = none, .t_min_ns = none, .t_diff_ns = none};
  if (ns > 0)
    out->t_diff_ns = quantity_of(ns, ns, ns);
  return ns > 0 ? FLOOR_PROFILE : FLOOR_NONE;
}

void diff_fleet_free(struct diff_fleet *fleet) {
  if (!fleet)
    return;
  for (size_t i = 0; i < fleet->loop_count; i++)
    free(fleet->loops[i].runs);
  free(fleet->loops);
  free(fleet);
}
