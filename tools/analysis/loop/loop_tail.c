// loop_tail.c - judges the slow tail of a loop's durations; constants: docs/method/loops.md.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/analysis/loop/loop_tail.h"

#include "tools/analysis/loop/loop_thresholds.h"
#include "tools/analysis/stats/statistics.h"
#include "tools/support/memory.h"

#include <math.h>
#include <stdlib.h>

double loop_delays_per_s(const struct control *chains, double ns) {
  double rate = LOOP_NOISE_PER_S * fmin(1, NOISE_LONG_NS / ns), error;
  rate = fmax(rate, PREEMPTIONS_PER_S);
  if (!chains || !(chains->time_ns > 0))
    return rate;
  double seen = control_delays_per_s(chains, ns, INFINITY, &error);
  return seen * chains->time_ns * 1e-9 >= DELAYS_SEEN - 0.5 ? fmax(rate, seen + 2 * error) : rate;
}

double loop_usual_work(const struct loop_sample *sample) {
  size_t middle = 0;
  while (middle + 1 < sample->count && sample->points[middle].ns < sample->p50_ns)
    middle++;
  uint64_t work = sample->count ? sample->points[middle].work : RETICLE_WORK_UNKNOWN;
  return work == RETICLE_WORK_UNKNOWN ? 0 : (double)work;
}

bool loop_tail_has_more_work(const struct loop_sample *sample, const struct loop_point *point,
                             double usual) {
  double longer = point->ns - sample->p50_ns;
  double due = sample->p50_ns * ((double)point->work / usual - 1);
  return usual > 0 && point->work != RETICLE_WORK_UNKNOWN && longer > sample->window_ns &&
         longer <= MORE_WORK * due;
}

/// weight: of the tail's points; extra: [count] what these took longer.
static void describe(const struct loop_sample *sample, double weight, double *extra,
                     struct loop_tail *tail) {
  statistics_sort(extra, tail->count);
  tail->by_ns = statistics_stepped_median(extra, tail->count, sample->step_ns);
  tail->share = weight / sample->weight;
  tail->by_error = statistics_deviation(extra, tail->count) / sqrt((double)tail->count);
}

struct loop_tail loop_tail_of_work(const struct loop_sample *sample) {
  struct loop_tail tail = {0};
  double work = loop_usual_work(sample), weight = 0;
  size_t more = 0, follow = 0;
  double *extra = memory_zeroed(sample->count + 1, sizeof *extra);
  for (size_t i = 0; work > 0 && i < sample->count; i++) {
    const struct loop_point *point = &sample->points[i];
    double longer = point->ns - sample->p50_ns;
    double due = sample->p50_ns * ((double)point->work / work - 1);
    if (point->work == RETICLE_WORK_UNKNOWN)
      continue;
    more += due > 2 * sample->window_ns;
    follow += due > 2 * sample->window_ns && longer > due / MORE_WORK;
    if (!loop_tail_has_more_work(sample, point, work))
      continue;
    weight += point->weight;
    extra[tail.count++] = longer;
  }
  if (tail.count >= WORK_COUNT && weight > WORK_SHARE * sample->weight)
    describe(sample, weight, extra, &tail);
  else
    tail.count = 0;
  tail.follows = follow >= WORK_COUNT && (double)follow >= WORK_FOLLOWS * (double)more;
  free(extra);
  return tail;
}

/// Whether the `count` points beyond `ns` come one by one, in most parts of the run. points: by
/// time.
static bool is_spread(const struct loop_point *points, size_t n, size_t count, double ns) {
  size_t parts = n / LOOP_DETECT_BLOCK_SAMPLES, hit = 0, both = 0;
  parts = parts < LOOP_DETECT_BLOCKS ? parts : LOOP_DETECT_BLOCKS;
  for (size_t p = 0; p < parts; p++) {
    bool has = false;
    for (size_t i = p * n / parts; i < (p + 1) * n / parts; i++)
      has |= points[i].ns > ns;
    hit += has;
  }
  for (size_t i = 1; i < n; i++)
    both += points[i - 1].ns > ns && points[i].ns > ns;
  double share = (double)count / (double)n, follow = (double)both / (double)(n - 1);
  double chance = (double)parts * (1 - pow(1 - 1 / (double)parts, (double)count));
  return (double)hit > SPREAD * chance &&
         follow - share * share <= CLUSTERING_MAX * share * (1 - share);
}

/// How many are beyond p50 by that much, if that are too many.
static size_t count_far(const struct loop_sample *sample, double extra_ns) {
  size_t n = sample->count, count = 0;
  while (count < n && sample->points[n - 1 - count].ns > sample->p50_ns + extra_ns)
    count++;
  const struct control *chains = sample->control ? sample->chains : NULL;
  double exposed_s = 1e-9 * sample->p50_ns * (double)n;
  double expected = loop_delays_per_s(chains, extra_ns) * exposed_s + LOOP_NOISE_SHARE * (double)n;
  double high = sample->points[n - 1].ns / sample->p50_ns + 1;
  double peers = peers_share(sample->peers, sample->peer, 1 + extra_ns / sample->p50_ns, high);
  expected = fmax(expected, peers * (double)n);
  double beyond = (double)count - expected;
  bool is_many = count >= FAR_COUNT && beyond > FAR_SHARE * (double)n &&
                 beyond > FAR_ERRORS * sqrt(expected + 1);
  return is_many ? count : 0;
}

struct loop_tail loop_tail_far(const struct loop_sample *sample) {
  size_t n = sample->count;
  struct loop_point *points = memory_zeroed(n + 1, sizeof *points);
  double *extra = memory_zeroed(n + 1, sizeof *extra);
  struct loop_tail tail = {0};
  for (size_t i = 0; i < n; i++)
    points[i] = sample->points[i];
  qsort(points, n, sizeof *points, loop_sample_by_time);
  double least = fmax(LOOP_NOISE_NS, sample->window_ns), most = n ? sample->points[n - 1].ns : 0;
  for (double far = least; n >= LOOP_DETECT_SAMPLES && far < most && !tail.count; far *= 2) {
    size_t count = count_far(sample, far);
    if (!count || !is_spread(points, n, count, sample->p50_ns + far))
      continue;
    double weight = 0;
    for (size_t i = n - count; i < n; i++) {
      weight += sample->points[i].weight;
      extra[tail.count++] = sample->points[i].ns - sample->p50_ns;
    }
    describe(sample, weight, extra, &tail);
  }
  free(points);
  free(extra);
  return tail;
}
