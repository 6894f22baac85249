// merge_loops.c - merges loops and their histograms.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "include/reticle/hist.h"
#include "tools/profile/memory.h"
#include "tools/profile/merge/merge_parts.h"
#include "tools/profile/merge/merge_processes.h"

#include <stdlib.h>
#include <string.h>

/// A loop of one of the inputs.
struct entry {
  const struct profile_loop *loop;
  uint32_t object; ///< its place in the result
  const struct merge_source *source;
};

static int compare_identity(const void *left, const void *right) {
  const struct entry *a = left, *b = right;
  return merge_compare(PROFILE_LOOPS, a->loop, b->loop); // id is the first field
}

/// By place in the source: the order in which people look for them.
static int compare_place(const void *left, const void *right) {
  const struct profile_loop *a = left, *b = right;
  int order = strcmp(a->file, b->file);
  if (order == 0)
    order = (a->line > b->line) - (a->line < b->line);
  if (order == 0)
    order = (a->column > b->column) - (a->column < b->column);
  if (order == 0)
    order = strcmp(a->function, b->function);
  return order ? order : (a->id > b->id) - (a->id < b->id);
}

static int merge_hist(const struct entry *entries, size_t count, struct profile *out,
                      struct profile_loop *into) {
  struct profile_hist sums[RETICLE_HIST_BUCKETS] = {0};
  for (size_t i = 0; i < count; i++) {
    for (uint32_t k = 0; k < entries[i].loop->hist_count; k++) {
      const struct profile_hist *from = &entries[i].loop->hist[k];
      struct profile_hist *sum = &sums[from->bucket];
      uint64_t samples = (uint64_t)sum->samples + from->samples;
      sum->samples = samples < UINT32_MAX ? (uint32_t)samples : UINT32_MAX;
      sum->weight = merge_number(MERGE_SUM, sum->weight, from->weight);
    }
  }
  uint32_t used = 0;
  for (uint32_t b = 0; b < RETICLE_HIST_BUCKETS; b++) {
    if (!sums[b].samples && !sums[b].weight)
      continue;
    sums[used] = sums[b];
    sums[used++].bucket = b;
  }
  into->hist_count = used;
  into->hist = NULL;
  if (!used)
    return 0;
  struct profile_hist *hist = profile_allocate(out, used, sizeof *hist);
  if (!hist)
    return RETICLE_E_MEMORY;
  memcpy(hist, sums, used * sizeof *hist);
  into->hist = hist;
  return 0;
}

/// Scratch for a run of entries, [total] each.
struct room {
  const struct profile_loop **loops;
  const struct merge_source **sources;
};

/// Merges loops with one id.
static int merge_one(const struct entry *entries, size_t count, const struct room *room,
                     struct profile *out, struct profile_loop *into) {
  *into = *entries[0].loop;
  into->object = entries[0].object;
  for (size_t i = 0; i < count; i++) {
    room->loops[i] = entries[i].loop;
    room->sources[i] = entries[i].source;
    if (entries[i].object < into->object)
      into->object = entries[i].object;
    if (i)
      merge_record(PROFILE_LOOPS, into, entries[i].loop);
  }
  int result = merge_own_texts(out, PROFILE_LOOPS, into);
  if (result == 0)
    result = merge_hist(entries, count, out, into);
  return result ? result : merge_raw(room->loops, room->sources, count, out, into);
}

/// Merges runs of entries with one id.
static int merge_runs(const struct entry *entries, size_t total, const struct room *room,
                      struct profile *out) {
  for (size_t first = 0, next; first < total; first = next) {
    next = first + 1;
    while (next < total && entries[next].loop->id == entries[first].loop->id)
      next++;
    int result =
        merge_one(entries + first, next - first, room, out, &out->loops[out->loop_count++]);
    if (result)
      return result;
  }
  qsort(out->loops, out->loop_count, sizeof *out->loops, compare_place);
  uint64_t hist_first = 0, raw_first = 0;
  for (size_t i = 0; i < out->loop_count; i++) {
    out->loops[i].hist_first = hist_first;
    out->loops[i].raw_first = raw_first;
    hist_first += out->loops[i].hist_count;
    raw_first += out->loops[i].raw_count;
  }
  return 0;
}

/// By id.
int merge_loops(const struct merge *m, enum profile_chunk chunk, struct profile *out) {
  const struct profile *const *in = m->in;
  size_t count = m->count;
  (void)chunk;
  size_t total = 0, next = 0;
  for (size_t i = 0; i < count; i++)
    total += in[i]->loop_count;
  struct entry *entries = calloc(total + 1, sizeof *entries);
  struct room room = {calloc(total + 1, sizeof *room.loops),
                      calloc(total + 1, sizeof *room.sources)};
  out->loops = profile_allocate(out, total, sizeof *out->loops);
  int result = entries && room.loops && room.sources && out->loops ? 0 : RETICLE_E_MEMORY;
  for (size_t i = 0; result == 0 && i < count; i++)
    for (size_t k = 0; k < in[i]->loop_count; k++)
      entries[next++] =
          (struct entry){&in[i]->loops[k], m->objects[i][in[i]->loops[k].object], &m->sources[i]};
  if (result == 0) {
    qsort(entries, total, sizeof *entries, compare_identity);
    result = merge_runs(entries, total, &room, out);
  }
  free(entries);
  free(room.loops);
  free(room.sources);
  return result;
}
