// merge.c - merges the process's own record, health and warnings; the rest is in merge_*.c.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/profile/merge/merge.h"

#include "tools/profile/iterations.h"
#include "tools/profile/memory.h"
#include "tools/profile/merge/merge_parts.h"
#include "tools/profile/merge/merge_processes.h"
#include "tools/profile/tags.h"

#include <stdlib.h>
#include <string.h>

/// Which input's floor is the newest; by its values where times are equal.
static int compare_floor(const struct profile_env *a, const struct profile_env *b) {
  const uint64_t x[] = {a->floor_time_s, a->floor_t_min_ps, a->floor_t_diff_ps, a->floor_t_e_ps};
  const uint64_t y[] = {b->floor_time_s, b->floor_t_min_ps, b->floor_t_diff_ps, b->floor_t_e_ps};
  for (size_t i = 0; i < sizeof x / sizeof *x; i++)
    if (x[i] != y[i])
      return x[i] < y[i] ? -1 : 1;
  return 0;
}

static int merge_env(const struct profile *const *in, size_t count, struct profile *out) {
  const struct profile_env *first = &in[0]->env, *floor = &in[0]->env;
  for (size_t i = 1; i < count; i++) {
    if (merge_compare(PROFILE_ENV, &in[i]->env, first) < 0)
      first = &in[i]->env;
    if (compare_floor(&in[i]->env, floor) > 0)
      floor = &in[i]->env;
  }
  out->env = *first;
  for (size_t i = 0; i < count; i++)
    if (&in[i]->env != first)
      merge_record(PROFILE_ENV, &out->env, &in[i]->env);
  const struct profile_record *record = profile_record_get(PROFILE_ENV);
  for (size_t k = 0; k < record->field_count; k++)
    if (record->fields[k].merge == MERGE_FLOOR)
      profile_field_set_number(&record->fields[k], &out->env,
                               profile_field_number(&record->fields[k], floor));
  return merge_own_texts(out, PROFILE_ENV, &out->env);
}

/// The smallest text at `offset` of the inputs' env that differs from the result's; null if none
/// does.
static const char *find_other(const struct profile *const *in, size_t count,
                              const struct profile *out, size_t offset) {
  const char *mine, *found = NULL;
  memcpy(&mine, (const char *)&out->env + offset, sizeof mine);
  for (size_t i = 0; i < count; i++) {
    const char *text;
    memcpy(&text, (const char *)&in[i]->env + offset, sizeof text);
    if (strcmp(text, mine) != 0 && (!found || strcmp(text, found) < 0))
      found = text;
  }
  return found;
}

static bool has_warning(const struct profile *profile, const char *code) {
  for (size_t i = 0; i < profile->warning_count; i++)
    if (strcmp(profile->warnings[i].code, code) == 0)
      return true;
  return false;
}

static int warn(const struct profile *const *in, size_t count, struct profile *out) {
  for (size_t i = 0; i < count; i++)
    for (size_t k = 0; k < in[i]->warning_count; k++)
      if (profile_warn(out, in[i]->warnings[k].code, "%s", in[i]->warnings[k].text))
        return RETICLE_E_MEMORY;
  int result = 0;
  const char *other = find_other(in, count, out, offsetof(struct profile_env, executable));
  if (other)
    result = profile_warn(out, "different_executables",
                          "profiles of different executables were merged: %.400s and %.400s",
                          out->env.executable, other);
  other = find_other(in, count, out, offsetof(struct profile_env, cpu_model));
  if (other && result == 0)
    result = profile_warn(out, "different_machines",
                          "profiles of different processors were merged: '%.200s' and '%.200s'; "
                          "their times do not compare",
                          out->env.cpu_model, other);
  other = find_other(in, count, out, offsetof(struct profile_env, timer));
  if (result == 0 && (other || merge_rates_differ(out)) && !has_warning(out, "different_timers"))
    result = profile_warn(out, "different_timers",
                          "profiles of timers of different kind or rate were merged; their ticks "
                          "do not compare");
  return result;
}

bool profile_is_epochs_alone(const struct profile *profile) {
  for (size_t i = 0; i < profile->epoch_count; i++)
    if (!profile->epochs[i].closed)
      return false;
  return profile->epoch_count && !profile->object_count && !profile->env.elapsed_ticks;
}

/// Containers of one host may have the same numbers of processes; their ranks differ.
static bool is_other_rank(const struct profile *a, const struct profile *b) {
  return a->rank_count == 1 && b->rank_count == 1 && a->ranks->rank != b->ranks->rank;
}

bool merge_is_one_process(const struct profile *a, const struct profile *b) {
  const struct profile_env *x = &a->env, *y = &b->env;
  if (is_other_rank(a, b))
    return false;
  return x->pid == y->pid && x->start_time_s == y->start_time_s && strcmp(x->host, y->host) == 0 &&
         strcmp(x->executable, y->executable) == 0;
}

/// Whether both are of one run of one runtime: the same, or one an earlier checkpoint of the other.
static bool is_same_run(const struct profile *a, const struct profile *b) {
  const struct profile_env *x = &a->env, *y = &b->env;
  bool closed = profile_is_epochs_alone(a);
  if (!merge_is_one_process(a, b) || closed != profile_is_epochs_alone(b))
    return false;
  if (closed) // of several that were merged before nobody can tell
    return a->epoch_count == 1 && b->epoch_count == 1 && a->epochs->number == b->epochs->number;
  if (a->object_count && b->object_count && strcmp(a->objects[0].module, b->objects[0].module) != 0)
    return false; // a library's own runtime
  const struct profile *shorter = x->elapsed_ticks < y->elapsed_ticks ? a : b;
  return x->elapsed_ticks == y->elapsed_ticks || shorter->health.ended_by == RETICLE_ENDED_RUNNING;
}

size_t profile_drop_repeats(const struct profile **in, size_t count) {
  size_t kept = 0;
  for (size_t i = 0; i < count; i++) {
    size_t k = 0;
    while (k < kept && !is_same_run(in[k], in[i]))
      k++;
    if (k == kept)
      in[kept++] = in[i];
    else if (in[i]->env.elapsed_ticks > in[k]->env.elapsed_ticks)
      in[k] = in[i];
  }
  return kept;
}

int merge_with(const struct merge *m, enum profile_chunk chunk, struct profile *out) {
  (void)m, (void)chunk, (void)out;
  return 0;
}

/// By the rows of chunks.def.
static int merge_chunks(const struct merge *m, struct profile *out) {
  static int (*const steps[])(const struct merge *, enum profile_chunk, struct profile *) = {
#define RETICLE_CHUNK(CHUNK, record, array, place, least, merger) merge_##merger,
#include "include/reticle/chunks.def"
  };
  int result = 0;
  for (int i = 0; result == 0 && i < PROFILE_CHUNKS; i++)
    result = steps[i](m, (enum profile_chunk)i, out);
  return result;
}

int profile_merge(const struct profile *const *in, size_t count, struct profile *out,
                  struct profile_error *error) {
  struct profile merged = {.version = RETICLE_FILE_VERSION, .health = in[0]->health};
  for (size_t i = 0; i < count; i++) {
    merged.merged_count += in[i]->merged_count;
    if (i)
      merge_record(PROFILE_HEALTH, &merged.health, &in[i]->health);
  }
  struct merge m = {in, count, calloc(count, sizeof *m.sources), calloc(count, sizeof *m.objects)};
  int result = m.sources && m.objects ? merge_env(in, count, &merged) : RETICLE_E_MEMORY;
  if (result == 0)
    result = merge_processes(in, count, &merged, m.sources);
  if (result == 0)
    result = merge_chunks(&m, &merged);
  if (result == 0)
    result = warn(in, count, &merged);
  free(m.objects);
  free(m.sources);
  if (result) {
    profile_release(&merged);
    return profile_fail(error, RETICLE_E_MEMORY, "no memory to merge %zu profiles", count);
  }
  profile_hide_iterations(&merged);
  profile_settle_tags(&merged);
  *out = merged;
  return 0;
}
