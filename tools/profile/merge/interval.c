// interval.c - subtracts an earlier checkpoint of a process from a later one.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define _GNU_SOURCE // qsort_r
#include "tools/profile/merge/interval.h"

#include "include/reticle/hist.h"
#include "tools/profile/merge/merge_parts.h"
#include "tools/profile/merge/merge_stacks.h"

#include <stdlib.h>
#include <string.h>

/// Sums over processes that are no counts of what happened: they stay as they are at the end.
static const struct {
  enum profile_chunk chunk;
  const char *field;
} levels[] = {
    {PROFILE_ENV, "thread_count"},     {PROFILE_HEALTH, "memory_bytes"},
    {PROFILE_SITES, "live_objects"},   {PROFILE_SITES, "live_bytes"},
    {PROFILE_SITES, "lifetime_ticks"}, {PROFILE_SITES, "lifetime_high"},
};

static bool is_level(enum profile_chunk chunk, const char *field) {
  for (size_t i = 0; i < sizeof levels / sizeof *levels; i++)
    if (levels[i].chunk == chunk && strcmp(levels[i].field, field) == 0)
      return true;
  return false;
}

/// UINT64_MAX, what has no room or was not measured, stays.
static uint64_t less(uint64_t later, uint64_t earlier) {
  if (later == UINT64_MAX || earlier == UINT64_MAX)
    return UINT64_MAX;
  return later > earlier ? later - earlier : 0;
}

static void subtract(enum profile_chunk chunk, const void *earlier, void *later) {
  const struct profile_record *record = profile_record_get(chunk);
  for (size_t k = 0; k < record->field_count; k++) {
    const struct profile_field *field = &record->fields[k];
    if (field->merge != MERGE_SUM || is_level(chunk, field->name))
      continue;
    profile_field_set_number(
        field, later,
        less(profile_field_number(field, later), profile_field_number(field, earlier)));
  }
}

/// Of two records of a chunk: 0 for the same thing. Places in other chunks are the later profile's.
static int compare(const void *left, const void *right, void *of) {
  enum profile_chunk chunk = *(const enum profile_chunk *)of;
  uint64_t a = 0, b = 0;
  if (chunk == PROFILE_LOOPS) {
    a = ((const struct profile_loop *)left)->id;
    b = ((const struct profile_loop *)right)->id;
    return (a > b) - (a < b);
  }
  if (chunk == PROFILE_ADDRESSES) {
    a = ((const struct profile_address *)left)->loadfile;
    b = ((const struct profile_address *)right)->loadfile;
  } else if (chunk == PROFILE_ACCESSES) {
    a = ((const struct profile_access *)left)->structure;
    b = ((const struct profile_access *)right)->structure;
  }
  return a != b ? (a > b) - (a < b) : merge_compare(chunk, left, right);
}

/// The record of a sorted array that is the same thing, or null.
static void *find(enum profile_chunk chunk, void *sorted, size_t count, const void *record) {
  size_t low = 0, high = count, bytes = profile_record_get(chunk)->memory_bytes;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    void *at = (char *)sorted + middle * bytes;
    int order = compare(at, record, &chunk);
    if (order == 0)
      return at;
    *(order < 0 ? &low : &high) = order < 0 ? middle + 1 : middle;
  }
  return NULL;
}

/// Buckets that had been filled before.
static void subtract_hist(const struct profile_loop *earlier, struct profile_loop *later) {
  struct profile_hist *hist = (struct profile_hist *)later->hist; // our own copy
  uint32_t kept = 0, e = 0;
  for (uint32_t i = 0; i < later->hist_count; i++) {
    while (e < earlier->hist_count && earlier->hist[e].bucket < hist[i].bucket)
      e++;
    bool had = e < earlier->hist_count && earlier->hist[e].bucket == hist[i].bucket;
    struct profile_hist left = {hist[i].bucket,
                                (uint32_t)less(hist[i].samples, had ? earlier->hist[e].samples : 0),
                                less(hist[i].weight, had ? earlier->hist[e].weight : 0)};
    if (left.samples || left.weight)
      hist[kept++] = left;
  }
  later->hist_count = kept;
}

static void subtract_loop(const struct profile_loop *earlier, struct profile_loop *later) {
  subtract(PROFILE_LOOPS, earlier, later);
  subtract_hist(earlier, later);
}

/// Keeps raw samples that began in the interval; their times count from its start.
static void take_raw(struct profile_loop *loop, uint64_t start) {
  struct profile_sample *raw = (struct profile_sample *)loop->raw; // our own copy
  uint64_t kept = 0;
  for (uint64_t i = 0; i < loop->raw_count; i++)
    if (raw[i].when >= start) {
      raw[kept] = raw[i];
      raw[kept++].when -= (uint32_t)start;
    }
  loop->raw_count = kept;
}

/// Shortest and longest sample: exact where each one is there, else as the histogram tells.
static void find_ends(struct profile_loop *loop) {
  uint64_t low = UINT64_MAX, high = 0;
  for (uint64_t i = 0; i < loop->raw_count; i++) {
    low = loop->raw[i].duration_ticks < low ? loop->raw[i].duration_ticks : low;
    high = loop->raw[i].duration_ticks > high ? loop->raw[i].duration_ticks : high;
  }
  if (loop->hist_count && loop->raw_count != loop->samples) {
    uint64_t first = reticle_hist_low(loop->hist[0].bucket);
    uint64_t last = reticle_hist_last(loop->hist[loop->hist_count - 1].bucket);
    low = first > loop->min_ticks ? first : loop->min_ticks;
    high = last < loop->max_ticks ? last : loop->max_ticks;
  }
  loop->min_ticks = low;
  loop->max_ticks = high;
}

/// Where the earlier profile's records of a chunk are in the later one; UINT32_MAX: nowhere. Null
/// without memory; the caller frees it.
static uint32_t *map_records(enum profile_chunk chunk, const struct profile *earlier,
                             const struct profile *later) {
  const void *from, *to;
  size_t from_count, to_count, bytes = profile_record_get(chunk)->memory_bytes;
  profile_array_get(earlier, chunk, &from, &from_count);
  profile_array_get(later, chunk, &to, &to_count);
  uint32_t *map = calloc(from_count + 1, sizeof *map);
  for (size_t i = 0; map && i < from_count; i++) {
    size_t k = 0;
    while (k < to_count &&
           merge_compare(chunk, (const char *)from + i * bytes, (const char *)to + k * bytes) != 0)
      k++;
    map[i] = k < to_count ? (uint32_t)k : UINT32_MAX;
  }
  return map;
}

/// Makes indices of the earlier profile those of the later one, and subtracts its stacks.
static bool translate(struct profile *earlier, struct profile *later) {
  uint32_t *files = map_records(PROFILE_LOADFILES, earlier, later);
  uint32_t *structs = map_records(PROFILE_STRUCTS, earlier, later);
  bool fine = files && structs;
  for (size_t i = 0; fine && i < earlier->address_count; i++)
    earlier->addresses[i].loadfile = files[earlier->addresses[i].loadfile];
  for (size_t i = 0; fine && i < earlier->access_count; i++)
    if (earlier->accesses[i].structure != UINT32_MAX)
      earlier->accesses[i].structure = structs[earlier->accesses[i].structure];
  fine = fine && interval_stacks(earlier, files, later) == 0;
  free(files);
  free(structs);
  return fine;
}

static void subtract_records(enum profile_chunk chunk, struct profile *earlier,
                             struct profile *later) {
  const void *from, *to;
  size_t from_count, to_count, bytes = profile_record_get(chunk)->memory_bytes;
  if (chunk == PROFILE_STACKS || // whose frames are what they are by their callers
      !profile_array_get(earlier, chunk, &from, &from_count) ||
      !profile_array_get(later, chunk, &to, &to_count))
    return;
  if (from_count)
    qsort_r((void *)from, from_count, bytes, compare, &chunk);
  for (size_t i = 0; i < to_count; i++) {
    void *record = (char *)to + i * bytes, *had = find(chunk, (void *)from, from_count, record);
    if (had && chunk == PROFILE_LOOPS)
      subtract_loop(had, record);
    else if (had)
      subtract(chunk, had, record);
  }
}

static void take_chains(struct profile *later, uint64_t start) {
  size_t kept = 0;
  for (size_t i = 0; i < later->chain_count; i++)
    if (later->chain[i].when >= start) {
      later->chain[kept] = later->chain[i];
      later->chain[kept++].when -= (uint32_t)start;
    }
  later->chain_count = kept;
}

/// What each stands for stays right: a sum over a part of what was chosen from.
static void take_facts(struct profile *later, uint64_t start) {
  size_t kept = 0;
  for (size_t i = 0; i < later->fact_count; i++)
    if (later->facts[i].when >= start) {
      later->facts[kept] = later->facts[i];
      later->facts[kept++].when -= (uint32_t)start;
    }
  later->fact_count = kept;
}

/// Those that the earlier profile had are of the time before.
static void take_arrivals(const struct profile *earlier, struct profile *later) {
  size_t kept = 0, before = 0;
  enum profile_chunk chunk = PROFILE_ARRIVALS;
  if (later->arrival_count)
    qsort_r(later->arrivals, later->arrival_count, sizeof *later->arrivals, compare, &chunk);
  for (size_t i = 0; i < later->arrival_count; i++) {
    while (before < earlier->arrival_count &&
           merge_compare(chunk, &earlier->arrivals[before], &later->arrivals[i]) < 0)
      before++;
    if (before == earlier->arrival_count ||
        merge_compare(chunk, &earlier->arrivals[before], &later->arrivals[i]) != 0)
      later->arrivals[kept++] = later->arrivals[i];
  }
  later->arrival_count = kept;
}

static void take_addresses(struct profile *later) {
  size_t kept = 0;
  for (size_t i = 0; i < later->address_count; i++)
    if (later->addresses[i].samples)
      later->addresses[kept++] = later->addresses[i];
  later->address_count = kept;
}

int profile_interval(struct profile *earlier, struct profile *later, struct profile_error *error) {
  if (!merge_is_one_process(earlier, later) ||
      earlier->env.elapsed_ticks > later->env.elapsed_ticks)
    return profile_fail(error, RETICLE_E_LIMIT,
                        "the two profiles aren't an earlier and a later one of the same process");
  uint64_t start = earlier->env.elapsed_ticks >> profile_when_shift(&later->env);
  if (!translate(earlier, later))
    return RETICLE_E_MEMORY;
  for (enum profile_chunk chunk = 0; chunk < PROFILE_CHUNKS; chunk++)
    subtract_records(chunk, earlier, later);
  subtract(PROFILE_ENV, &earlier->env, &later->env);
  subtract(PROFILE_HEALTH, &earlier->health, &later->health);
  for (size_t i = 0; i < later->loop_count; i++) {
    take_raw(&later->loops[i], start);
    find_ends(&later->loops[i]);
  }
  take_chains(later, start);
  take_facts(later, start);
  take_addresses(later);
  take_arrivals(earlier, later);
  return 0;
}
