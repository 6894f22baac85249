// work_growth.c - compares what executions have to do in the parts of a run.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/analysis/run/work_growth.h"

#include "tools/support/memory.h"

#include <stdlib.h>

/// Samples in each part; with fewer its mean says little.
#define SAMPLES_LEAST 20
/// From the first part to the last: less may be another phase, or a cache that fills.
#define GROWS_LEAST 3
/// Each part has more than the one in front, but for chance: at least that part of it.
#define FALLS_MOST 0.9
/// What grows from nothing in proportion has means of 1, 3, 5, 7 and 9 in five parts: the first is
/// at most so much of the last, and the middle one about half, and more where less and less is
/// added.
#define FIRST_MOST 0.25
#define MIDDLE_LEAST 0.35
#define MIDDLE_MOST 0.8

static int compare(const void *left, const void *right) {
  const struct profile_sample *const *a = left, *const *b = right;
  return ((*a)->when > (*b)->when) - ((*a)->when < (*b)->when);
}

static bool has_work(const struct profile_loop *loop) {
  for (uint64_t i = 0; i < loop->raw_count; i++)
    if (loop->raw[i].work == RETICLE_WORK_UNKNOWN || loop->raw[i].flags & RETICLE_SAMPLE_TAGGED)
      return false;
  return true;
}

struct work_growth work_growth_of(const struct profile_loop *loop) {
  struct work_growth out = {.by_work = has_work(loop)};
  size_t count = loop->raw_count, part = count / WORK_GROWTH_PARTS;
  if (part < SAMPLES_LEAST)
    return out;
  const struct profile_sample **samples = memory_zeroed(count, sizeof *samples);
  for (size_t i = 0; i < count; i++)
    samples[i] = &loop->raw[i];
  qsort(samples, count, sizeof *samples, compare);
  bool rises = true;
  for (size_t p = 0; p < WORK_GROWTH_PARTS; p++) {
    double sum = 0, weight = 0;
    for (size_t i = p * part; i < (p + 1) * part; i++) {
      double stands = samples[i]->weight ? (double)samples[i]->weight : 1;
      sum += stands * (out.by_work ? (double)samples[i]->work : (double)samples[i]->duration_ticks);
      weight += stands;
    }
    out.parts[p] = weight > 0 ? sum / weight : 0;
    rises &= !p || out.parts[p] >= FALLS_MOST * out.parts[p - 1];
  }
  free(samples);
  double last = out.parts[WORK_GROWTH_PARTS - 1], middle = out.parts[WORK_GROWTH_PARTS / 2];
  out.grows = rises && last > 0 && last >= GROWS_LEAST * out.parts[0];
  out.is_quadratic = out.grows && out.parts[0] <= FIRST_MOST * last &&
                     middle >= MIDDLE_LEAST * last && middle <= MIDDLE_MOST * last;
  return out;
}
