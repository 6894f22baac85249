// breakdown.c - one loop's samples in parts: by trip count, by thread.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/analysis/loop/breakdown.h"

#include "tools/analysis/loop/loop_sample.h"
#include "tools/support/memory.h"

#include <stdlib.h>

/// A sample and the group it belongs to.
struct grouped {
  uint64_t key;
  struct loop_point point;
};

static int compare_grouped(const void *a, const void *b) {
  const struct grouped *x = a, *y = b;
  if (x->key != y->key)
    return x->key < y->key ? -1 : 1;
  return (x->point.ns > y->point.ns) - (x->point.ns < y->point.ns);
}

/// Number of bits: 0 for 0, 1 for 1, 2 for 2 and 3, ...
static uint64_t magnitude(uint64_t value) {
  return value ? 64 - (uint64_t)__builtin_clzll(value) : 0;
}

/// Distinct keys of [count] entries in order.
static size_t distinct_keys(const struct grouped *grouped, size_t count) {
  size_t distinct = count > 0;
  for (size_t i = 1; i < count; i++)
    distinct += grouped[i].key != grouped[i - 1].key;
  return distinct;
}

static struct breakdown_row make_row(const struct loop_sample *sample,
                                     const struct grouped *grouped, size_t count, bool by_work,
                                     struct loop_point *points) {
  struct loop_sample part = *sample;
  struct breakdown_row row = {.low = UINT64_MAX, .samples = count};
  double squares = 0;
  part.points = points;
  part.count = count;
  for (size_t i = 0; i < count; i++) {
    points[i] = grouped[i].point;
    uint64_t value = by_work ? points[i].work : points[i].thread;
    row.low = value < row.low ? value : row.low;
    row.high = value > row.high ? value : row.high;
    row.executions += points[i].weight;
    row.time_share += points[i].weight * points[i].ns; // divided by the sum later
    squares += points[i].weight * points[i].weight;
  }
  part.effective = row.executions * row.executions / squares;
  row.p50_ns = loop_sample_percentile(&part, count, 0.5);
  row.p95_ns = loop_sample_percentile(&part, count, 0.95);
  return row;
}

/// Makes the rows of `count` entries in order of their keys.
static struct breakdown make_rows(const struct loop_sample *sample, const struct grouped *grouped,
                                  size_t count, bool by_work) {
  struct loop_point *points = memory_zeroed(count + 1, sizeof *points);
  struct breakdown made = {.rows =
                               memory_zeroed(distinct_keys(grouped, count) + 1, sizeof *made.rows)};
  double total_ns = 0;
  for (size_t from = 0, to; from < count; from = to) {
    for (to = from + 1; to < count && grouped[to].key == grouped[from].key;)
      to++;
    made.rows[made.count] = make_row(sample, grouped + from, to - from, by_work, points);
    total_ns += made.rows[made.count++].time_share;
  }
  for (size_t i = 0; i < made.count && total_ns > 0; i++)
    made.rows[i].time_share /= total_ns;
  free(points);
  return made;
}

struct breakdown breakdown_of(const struct profile_loop *loop, const struct profile_env *env,
                              const struct timing_floor *floor, enum breakdown_key key) {
  if (!env->timer_hz || !loop->raw_count)
    return (struct breakdown){0};
  struct loop_sample sample;
  loop_sample_init(loop, env, floor, NULL, &sample);
  struct grouped *grouped = memory_zeroed(sample.count + 1, sizeof *grouped);
  bool by_work = key == BREAKDOWN_BY_WORK;
  size_t count = 0;
  for (size_t i = 0; i < sample.count; i++) {
    const struct loop_point *point = &sample.points[i];
    if (!by_work || point->work != RETICLE_WORK_UNKNOWN)
      grouped[count++] =
          (struct grouped){.key = by_work ? point->work : point->thread, .point = *point};
  }
  qsort(grouped, count, sizeof *grouped, compare_grouped);
  if (by_work && distinct_keys(grouped, count) > BREAKDOWN_EXACT) {
    for (size_t i = 0; i < count; i++)
      grouped[i].key = magnitude(grouped[i].key);
    qsort(grouped, count, sizeof *grouped, compare_grouped);
  }
  struct breakdown made = make_rows(&sample, grouped, count, by_work);
  free(grouped);
  loop_sample_release(&sample);
  return made;
}

void breakdown_release(struct breakdown *breakdown) {
  free(breakdown->rows);
  *breakdown = (struct breakdown){0};
}
