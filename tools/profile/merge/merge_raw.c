// merge_raw.c - merges raw samples of one loop so that they stay a fair sample of all executions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A profile that kept r of its s samples has raw weights that make up only r/s of its executions.
// If the parts differ between profiles, the weights of the thinner ones grow by the ratio.
#include "tools/profile/memory.h"
#include "tools/profile/merge/merge.h"
#include "tools/profile/merge/merge_parts.h"
#include "tools/profile/merge/merge_processes.h"
#include "tools/profile/mix.h"

#include <stdlib.h>
#include <string.h>

struct candidate {
  uint64_t hash;
  struct profile_sample sample;
};

/// The weight stays out, and so does the thread's number: an earlier merge may have changed them.
/// thread: its identity instead.
static uint64_t hash_of(const struct profile_sample *sample, uint64_t thread) {
  uint64_t hash = profile_mix(sample->duration_ticks + UINT64_C(0x9e3779b97f4a7c15));
  hash = profile_mix(hash ^ sample->work);
  return profile_mix(profile_mix(hash ^ sample->when) ^ thread);
}

/// Executions that one unit of a raw weight stands for; 0 when nothing can be said.
static double scale_of(const struct profile_loop *loop) {
  double sum = 0;
  for (uint64_t i = 0; i < loop->raw_count; i++)
    sum += loop->raw[i].weight;
  return sum > 0 && loop->weight > 0 ? (double)loop->weight / sum : 0;
}

/// weight * ratio, rounded up as often as the fraction says, so that it is right in the mean; the
/// hash decides, so that the order of the inputs does not.
static uint32_t scaled_weight(uint32_t weight, double ratio, uint64_t hash) {
  double value = weight * ratio + (double)(profile_mix(hash) >> 11) * 0x1p-53;
  return value < UINT32_MAX ? (uint32_t)value : UINT32_MAX;
}

static int compare_hash(const void *left, const void *right) {
  const struct candidate *a = left, *b = right;
  if (a->hash != b->hash)
    return a->hash < b->hash ? -1 : 1;
  return (a->sample.weight > b->sample.weight) - (a->sample.weight < b->sample.weight);
}

/// By time, as they were measured; then by all the rest, so that the order is the only one.
static int compare_time(const void *left, const void *right) {
  const struct profile_sample *a = left, *b = right;
  if (a->when != b->when)
    return a->when < b->when ? -1 : 1;
  if (a->thread != b->thread)
    return a->thread < b->thread ? -1 : 1;
  if (a->duration_ticks != b->duration_ticks)
    return a->duration_ticks < b->duration_ticks ? -1 : 1;
  if (a->work != b->work)
    return a->work < b->work ? -1 : 1;
  if (a->weight != b->weight)
    return a->weight < b->weight ? -1 : 1;
  return (a->flags > b->flags) - (a->flags < b->flags);
}

/// Puts all samples together, weights made comparable. candidates: [sum of raw_count].
static void gather(const struct profile_loop *const *loops,
                   const struct merge_source *const *sources, size_t count,
                   struct candidate *candidates) {
  double least = 0;
  for (size_t i = 0; i < count; i++) {
    double scale = scale_of(loops[i]);
    if (scale > 0 && (least == 0 || scale < least))
      least = scale;
  }
  size_t next = 0;
  for (size_t i = 0; i < count; i++) {
    double scale = scale_of(loops[i]);
    for (uint64_t k = 0; k < loops[i]->raw_count; k++) {
      struct candidate *candidate = &candidates[next++];
      candidate->sample = loops[i]->raw[k];
      uint64_t identity;
      candidate->sample.thread = merge_thread(sources[i], candidate->sample.thread, &identity);
      candidate->hash = hash_of(&candidate->sample, identity);
      candidate->sample.when =
          (uint32_t)((uint64_t)candidate->sample.when >> sources[i]->when_shift);
      if (scale > least)
        candidate->sample.weight =
            scaled_weight(candidate->sample.weight, scale / least, candidate->hash);
    }
  }
}

int merge_raw(const struct profile_loop *const *loops, const struct merge_source *const *sources,
              size_t count, struct profile *out, struct profile_loop *into) {
  size_t total = 0;
  for (size_t i = 0; i < count; i++)
    total += loops[i]->raw_count;
  into->raw = NULL;
  into->raw_count = 0;
  if (!total)
    return 0;
  size_t kept = total < PROFILE_MERGE_RAW ? total : PROFILE_MERGE_RAW;
  struct candidate *candidates = calloc(total, sizeof *candidates);
  struct profile_sample *raw = profile_allocate(out, kept, sizeof *raw);
  if (!candidates || !raw) {
    free(candidates);
    return RETICLE_E_MEMORY;
  }
  gather(loops, sources, count, candidates);
  qsort(candidates, total, sizeof *candidates, compare_hash);
  for (size_t i = 0; i < kept; i++)
    raw[i] = candidates[i].sample;
  free(candidates);
  qsort(raw, kept, sizeof *raw, compare_time);
  into->raw = raw;
  into->raw_count = kept;
  return 0;
}
