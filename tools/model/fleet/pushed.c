// pushed.c - loads what is pushed, and gives the run an id by what its processes were.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/model/fleet/pushed.h"

#include "tools/model/join/measurement_load.h"
#include "tools/model/rank/ranks_read.h"
#include "tools/support/memory.h"
#include "tools/support/problem.h"
#include "tools/support/string_table.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// --- the id

/// FNV-1a of 128 bits: names, and no secrets. Source: Fowler, Noll, Vo; draft-eastlake-fnv.
struct hash {
  unsigned __int128 value;
};
#define FNV_BASIS                                                                                  \
  ((unsigned __int128)UINT64_C(0x6c62272e07bb0142) << 64 | UINT64_C(0x62b821756295c58d))
#define FNV_PRIME ((unsigned __int128)UINT64_C(0x1000000) << 64 | UINT64_C(0x13b))

static void hash_bytes(struct hash *hash, const void *bytes, size_t count) {
  const unsigned char *at = bytes;
  for (size_t i = 0; i < count; i++)
    hash->value = (hash->value ^ at[i]) * FNV_PRIME;
}

static void hash_text(struct hash *hash, const char *text) {
  hash_bytes(hash, text, strlen(text) + 1);
}

/// What tells processes apart, as merge.h has it. Not how far it ran: a later checkpoint is the
/// same run.
static void hash_process(struct hash *hash, const struct rank_row *row) {
  uint64_t numbers[] = {row->pid, row->start_time_s, row->rank};
  hash_bytes(hash, numbers, sizeof numbers);
  hash_text(hash, row->host);
  hash_text(hash, row->executable);
}

/// A UUID of version 8: bits of our own (RFC 9562).
static void make_id(struct pushed *out) {
  const struct profile *profile = &out->measurement.input.profile;
  struct hash hash = {FNV_BASIS};
  for (size_t i = 0; i < out->processes.count; i++)
    hash_process(&hash, &out->processes.rows[i]);
  // A library's own runtime writes a profile of its own.
  hash_text(&hash, profile->object_count ? profile->objects[0].module : "");
  uint64_t high = (uint64_t)(hash.value >> 64), low = (uint64_t)hash.value;
  high = (high & ~UINT64_C(0xf000)) | UINT64_C(0x8000);
  low = (low & ~(UINT64_C(3) << 62)) | UINT64_C(1) << 63;
  snprintf(out->id, sizeof out->id,
           "%08" PRIx64 "-%04" PRIx64 "-%04" PRIx64 "-%04" PRIx64 "-%012" PRIx64, high >> 32,
           high >> 16 & 0xffff, high & 0xffff, low >> 48, low & UINT64_C(0xffffffffffff));
}

// --- levels

static const struct rank_cell *find_cell(const struct ranks *ranks, uint64_t id, size_t row) {
  size_t place;
  return &ranks_read_find(ranks, id, &place)->cells[row];
}

static void add_process(struct ranks_reader *reader, const struct profile *profile,
                        const char *path, struct pushed *out) {
  size_t row = ranks_read_profile(reader, profile, path);
  if (row == SIZE_MAX)
    return;
  out->threads = memory_resized(out->threads, row + 1, sizeof *out->threads);
  out->threads[row] = profile->env.thread_count;
  out->levels =
      memory_resized(out->levels, out->level_count + profile->loop_count + 1, sizeof *out->levels);
  for (size_t i = 0; i < profile->loop_count; i++) {
    const struct profile_loop *loop = &profile->loops[i];
    if (!loop->executions || (i && profile->loops[i - 1].id == loop->id))
      continue;
    struct pushed_level level = {row, loop->id, *find_cell(reader->out, loop->id, row), {0}};
    if (profile->env.timer_hz == 0)
      level.run = (struct diff_run){.status = QUANTITY_UNSUPPORTED, .reason = "no timer"};
    else
      level.run = diff_run_of(loop, &profile->env, &out->measurement.floor);
    out->levels[out->level_count++] = level;
  }
}

static void add_processes(const char *path, struct pushed *out) {
  struct input *input = &out->measurement.input;
  struct ranks_reader reader = {.out = &out->processes};
  struct profile *runs = NULL;
  size_t count = input->study ? study_input_runs(input->study, &runs) : 0;
  for (size_t i = 0; i < count; i++) {
    add_process(&reader, &runs[i], path, out);
    profile_release(&runs[i]);
  }
  if (!input->study)
    add_process(&reader, &input->profile, path, out);
  free(runs);
}

enum pushed_result pushed_load(const char *path, struct pushed *out, struct problems *problems) {
  *out = (struct pushed){.processes.texts = memory_zeroed(1, sizeof *out->processes.texts)};
  char *const paths[] = {(char *)path};
  if (measurement_load(paths, 1, &out->measurement, problems) != PROBLEM_NONE)
    return PUSHED_UNREADABLE;
  const struct input *input = &out->measurement.input;
  if (!input->study && input->ending == ENDING_RUNNING)
    return PUSHED_RUNNING;
  if (profile_is_epochs_alone(&input->profile))
    return PUSHED_EPOCHS;
  if (!input->study && input->profile.process_count > 1) {
    problem_error(problems,
                  "push: %s: %zu processes merged into one profile can't be told apart: name the "
                  "files that it was made of",
                  path, input->profile.process_count);
    return PUSHED_REFUSED;
  }
  if (!input->profile.env.start_time_s) {
    problem_error(problems,
                  "push: %s: it doesn't say when the run started, which runs are kept by: write it "
                  "with this version's runtime",
                  path);
    return PUSHED_REFUSED;
  }
  findings_make(&out->measurement, &out->findings);
  add_processes(path, out);
  make_id(out);
  return PUSHED_LOADED;
}

void pushed_release(struct pushed *pushed) {
  findings_release(&pushed->findings);
  ranks_release(&pushed->processes);
  measurement_release(&pushed->measurement);
  free(pushed->threads);
  free(pushed->levels);
  *pushed = (struct pushed){0};
}
