// ranks_read.c - reads one profile after the other into rows and cells.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/model/rank/ranks_read.h"

#include "tools/analysis/run/overview.h"
#include "tools/profile/merge/merge.h"
#include "tools/profile/rank.h"
#include "tools/store/study/study_input.h"
#include "tools/store/study/study_processes.h"
#include "tools/support/memory.h"
#include "tools/support/names.h"
#include "tools/support/problem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/// Each text once: thousands of files say the same.
const char *ranks_read_keep(struct ranks *ranks, const char *text) {
  size_t number = string_table_add(ranks->texts, text);
  if (number == SIZE_MAX)
    memory_exhausted();
  return ranks->texts->texts[number];
}

// --- the row

static const char *build_id_of(const struct profile *profile) {
  for (size_t i = 0; i < profile->module_count; i++)
    if (strcmp(profile->modules[i].path, profile->env.executable) == 0)
      return profile->modules[i].build_id;
  return "";
}

static double known(uint64_t value, bool is_known) {
  return is_known && value != UINT64_MAX ? (double)value : NAN;
}

/// The facts of a loop: merged profiles have them by loop. Returns how many.
static size_t find_facts(const struct profile *profile, uint64_t id, struct profile_fact **first) {
  size_t low = 0, high = profile->fact_count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (profile->facts[middle].loop < id)
      low = middle + 1;
    else
      high = middle;
  }
  size_t end = low;
  while (end < profile->fact_count && profile->facts[end].loop == id)
    end++;
  *first = profile->facts + low;
  return end - low;
}

/// What it waited for a processor in all loops without calls.
static struct rank_level waited_of(const struct profile *profile) {
  struct profile_fact *all = memory_zeroed(profile->fact_count + 1, sizeof *all), *facts;
  size_t count = 0;
  for (size_t i = 0; i < profile->loop_count; i++) {
    if (!rank_loop_is_alone(&profile->loops[i]))
      continue;
    size_t found = find_facts(profile, profile->loops[i].id, &facts);
    if (count + found > profile->fact_count)
      break; // loops of one id: only a file that was made up has them
    memcpy(all + count, facts, found * sizeof *all);
    count += found;
  }
  struct rank_level level = rank_waited_of(all, count);
  free(all);
  return level;
}

static struct rank_row row_of(struct ranks *ranks, const struct profile *profile,
                              const char *path) {
  const struct profile_env *env = &profile->env;
  const struct profile_rank *rank = profile_rank_only(profile);
  const struct profile_account *account = profile->account_count ? profile->account : NULL;
  struct overview overview = overview_of(profile);
  struct rank_row row = {
      .rank = rank ? rank->rank : PROFILE_RANK_UNKNOWN,
      .size = rank ? rank->size : PROFILE_RANK_UNKNOWN,
      .local_rank = rank ? rank->local_rank : PROFILE_RANK_UNKNOWN,
      .pid = env->pid,
      .start_time_s = env->start_time_s,
      .elapsed_ticks = env->elapsed_ticks,
      .host = ranks_read_keep(ranks, env->host),
      .executable = ranks_read_keep(ranks, env->executable),
      .cpu_model = ranks_read_keep(ranks, env->cpu_model),
      .build_id = ranks_read_keep(ranks, build_id_of(profile)),
      .job = ranks_read_keep(ranks, rank ? rank->job : ""),
      .path = ranks_read_keep(ranks, path),
      .run_ns = overview.run_ns.status == QUANTITY_OK ? overview.run_ns.value : NAN,
      .cpu_ns = (double)env->cpu_ns,
      .runnable_ns = known(account ? account->runnable_ns : 0, account && !account->runnable_error),
      .faults = account ? (double)account->minor_faults + (double)account->major_faults : NAN,
      .migrations = known(account ? account->migrations : 0, account && !account->migrations_error),
  };
  row.waited = waited_of(profile);
  row.cycle_ns = rank_cycle_ns(profile);
  return row;
}

// --- cells

struct rank_loop *ranks_read_find(const struct ranks *ranks, uint64_t id, size_t *place) {
  size_t low = 0, high = ranks->loop_count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (ranks->loops[middle].id < id)
      low = middle + 1;
    else
      high = middle;
  }
  *place = low;
  return low < ranks->loop_count && ranks->loops[low].id == id ? &ranks->loops[low] : NULL;
}

struct rank_loop *ranks_read_loop(struct ranks_reader *reader, const struct profile_loop *from) {
  struct ranks *out = reader->out;
  size_t place;
  struct rank_loop *loop = ranks_read_find(out, from->id, &place);
  if (loop)
    return loop;
  if (out->loop_count == reader->loop_capacity) {
    reader->loop_capacity = reader->loop_capacity ? 2 * reader->loop_capacity : 64;
    out->loops = memory_resized(out->loops, reader->loop_capacity, sizeof *out->loops);
  }
  loop = &out->loops[place];
  memmove(loop + 1, loop, (out->loop_count++ - place) * sizeof *loop);
  bool is_region = from->flags & RETICLE_LOOP_REGION;
  char *name =
      function_short_name(!is_region && *from->inlined_from ? from->inlined_from : from->function);
  *loop = (struct rank_loop){.id = from->id,
                             .function = ranks_read_keep(out, name),
                             .file = ranks_read_keep(out, from->file),
                             .region = ranks_read_keep(out, is_region ? from->inlined_from : ""),
                             .line = from->line,
                             .column = from->column,
                             .is_iteration = from->flags & RETICLE_LOOP_ITERATION,
                             .cells = memory_zeroed(reader->capacity, sizeof *loop->cells)};
  free(name);
  return loop;
}

static void add_cells(struct ranks_reader *reader, const struct profile *profile, size_t row) {
  for (size_t i = 0; i < profile->loop_count; i++) {
    const struct profile_loop *from = &profile->loops[i];
    if (!from->executions)
      continue;
    struct rank_loop *loop = ranks_read_loop(reader, from);
    struct profile_fact *facts;
    size_t count = find_facts(profile, from->id, &facts);
    struct rank_cell *cell = &loop->cells[row];
    if (profile->env.timer_hz) {
      *cell = rank_cell_of(from, &profile->env, facts, count);
    } else {
      *cell = rank_cell_none(from->executions);
    }
  }
}

// --- files

void ranks_read_grow(struct ranks_reader *reader) {
  struct ranks *out = reader->out;
  if (out->count < reader->capacity)
    return;
  size_t before = reader->capacity;
  reader->capacity = before ? 2 * before : 16;
  out->rows = memory_resized(out->rows, reader->capacity, sizeof *out->rows);
  for (size_t i = 0; i < out->loop_count; i++) {
    struct rank_loop *loop = &out->loops[i];
    loop->cells = memory_resized(loop->cells, reader->capacity, sizeof *loop->cells);
    memset(loop->cells + before, 0, (reader->capacity - before) * sizeof *loop->cells);
  }
}

static bool is_one_process(const struct rank_row *a, const struct rank_row *b) {
  return a->pid == b->pid && a->start_time_s == b->start_time_s && a->rank == b->rank &&
         a->host == b->host && a->executable == b->executable; // texts are kept once
}

/// The row for a profile: a new one, or that of an earlier checkpoint of the same process.
/// SIZE_MAX: a later one is known.
static size_t place_of(struct ranks_reader *reader, const struct rank_row *row) {
  struct ranks *out = reader->out;
  for (size_t i = 0; i < out->count; i++) {
    if (!is_one_process(&out->rows[i], row))
      continue;
    reader->repeated++;
    if (out->rows[i].elapsed_ticks >= row->elapsed_ticks)
      return SIZE_MAX;
    for (size_t k = 0; k < out->loop_count; k++)
      out->loops[k].cells[i] = (struct rank_cell){0};
    out->rows[i] = *row;
    return i;
  }
  ranks_read_grow(reader);
  out->rows[out->count] = *row;
  return out->count++;
}

size_t ranks_read_profile(struct ranks_reader *reader, const struct profile *profile,
                          const char *path) {
  struct rank_row row = row_of(reader->out, profile, path);
  size_t place = place_of(reader, &row);
  if (place != SIZE_MAX)
    add_cells(reader, profile, place);
  return place;
}

static bool add_profile(struct ranks_reader *reader, const struct profile *profile,
                        const char *path) {
  if (profile->process_count > 1) {
    problem_error(reader->problems,
                  "ranks: %s: %zu processes merged into one profile can't be told apart: name the "
                  "files that it was made of",
                  path, profile->process_count);
    return false;
  }
  if (profile_is_epochs_alone(profile)) {
    reader->epochs++;
    return true;
  }
  size_t count = reader->out->count, place = ranks_read_profile(reader, profile, path);
  if (place == SIZE_MAX)
    return true;
  if (place < count)
    wait_tally_forget(&reader->out->waits.tally, profile);
  wait_tally_add(&reader->out->waits.tally, profile);
  return true;
}

/// With its copies of a loop as one.
static bool add_merged(struct ranks_reader *reader, const struct profile *profile,
                       const char *path) {
  struct profile whole;
  struct profile_error error;
  if (profile_merge(&profile, 1, &whole, &error) != 0) {
    problem_error(reader->problems, "%s", error.text);
    return false;
  }
  bool fine = add_profile(reader, &whole, path);
  profile_release(&whole);
  return fine;
}

struct study_reader {
  struct ranks_reader *reader;
  const char *operand;
};

static bool add_process(void *context, const struct profile *profile, const char *name) {
  const struct study_reader *study = context;
  (void)name;
  return add_merged(study->reader, profile, study->operand);
}

bool ranks_read_file(struct ranks_reader *reader, const char *path) {
  if (study_input_is(path)) {
    struct study_reader study = {reader, path};
    return study_processes_visit(path, add_process, &study, reader->problems);
  }
  struct profile profile;
  struct profile_error error;
  if (profile_read(path, &profile, &error) != 0) {
    problem_error(reader->problems, "%s", error.text);
    return false;
  }
  bool fine = add_merged(reader, &profile, path);
  profile_release(&profile);
  return fine;
}

// --- order

static int by_rank(const void *left, const void *right) {
  const struct rank_row *a = *(const struct rank_row *const *)left;
  const struct rank_row *b = *(const struct rank_row *const *)right;
  if (a->rank != b->rank)
    return a->rank < b->rank ? -1 : 1;
  if (a->start_time_s != b->start_time_s)
    return a->start_time_s < b->start_time_s ? -1 : 1;
  if (a->pid != b->pid)
    return a->pid < b->pid ? -1 : 1;
  return strcmp(a->path, b->path);
}

void ranks_read_sort(struct ranks_reader *reader) {
  struct ranks *out = reader->out;
  const struct rank_row **order = memory_zeroed(out->count + 1, sizeof *order);
  struct rank_row *rows = memory_zeroed(out->count + 1, sizeof *rows);
  for (size_t i = 0; i < out->count; i++)
    order[i] = &out->rows[i];
  qsort(order, out->count, sizeof *order, by_rank);
  for (size_t i = 0; i < out->count; i++)
    rows[i] = *order[i];
  for (size_t l = 0; l < out->loop_count; l++) {
    struct rank_cell *cells = memory_zeroed(out->count + 1, sizeof *cells);
    for (size_t i = 0; i < out->count; i++)
      cells[i] = out->loops[l].cells[order[i] - out->rows];
    free(out->loops[l].cells);
    out->loops[l].cells = cells;
  }
  free(order);
  free(out->rows);
  out->rows = rows;
}
