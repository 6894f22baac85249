// trips.c - percentiles of trip counts, and whether two sets of them differ.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/analysis/stats/trips.h"

#include "tools/support/memory.h"

#include <stdlib.h>

/// Samples without which trip counts are not compared.
#define TRIPS_SAMPLES 8

struct trip {
  uint64_t work, weight;
};

static int compare_trips(const void *a, const void *b) {
  const struct trip *x = a, *y = b;
  return (x->work > y->work) - (x->work < y->work);
}

struct trip_counts trips_of(const struct profile_loop *loop) {
  struct trip *trips = memory_zeroed(loop->raw_count + 1, sizeof(*trips));
  size_t count = 0;
  uint64_t total = 0, sum = 0;
  for (size_t i = 0; i < loop->raw_count; i++) {
    if (loop->raw[i].work == RETICLE_WORK_UNKNOWN)
      continue;
    // A weight of 0 exists in damaged profiles only; the sample is there all the same.
    uint64_t weight = loop->raw[i].weight ? loop->raw[i].weight : 1;
    trips[count++] = (struct trip){.work = loop->raw[i].work, .weight = weight};
    total += weight;
  }
  struct trip_counts out = {.known_samples = count};
  if (count) {
    qsort(trips, count, sizeof(*trips), compare_trips);
    out.lowest = trips[0].work;
    out.highest = trips[count - 1].work;
    size_t middle = 0;
    while ((sum += trips[middle].weight) * 2 < total)
      middle++;
    out.median = trips[middle].work;
  }
  free(trips);
  return out;
}

static bool is_beyond(uint64_t value, const struct trip_counts *range) {
  return value < range->lowest || value > range->highest;
}

bool trips_differ(const struct trip_counts *a, const struct trip_counts *b) {
  return a->known_samples >= TRIPS_SAMPLES && b->known_samples >= TRIPS_SAMPLES &&
         is_beyond(a->median, b) && is_beyond(b->median, a);
}
