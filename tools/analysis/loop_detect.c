// loop_detect.c - see loop_detect.h; the method is in docs/method/loops.md.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/analysis/loop_detect.h"

#include "tools/analysis/statistics.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define TRIM 0.1

/// A window of durations: points [first, end) of an ascending array.
struct window {
  size_t first, end;
};

/// What the loop usually takes within a block.
struct level {
  double low, high; ///< ns, both included
};

/// The window of a width that holds most points; the fastest of several. sorted: [n] ascending.
static struct window densest(const double *sorted, size_t n, double width) {
  struct window best = {0, 0};
  for (size_t first = 0, end = 0; first < n; first++) {
    while (end < n && sorted[end] <= sorted[first] + width)
      end++;
    if (end - first > best.end - best.first)
      best = (struct window){first, end};
  }
  return best;
}

/// The usual duration: the densest window; but when one that is faster and apart from it holds at
/// least a third as much, that one, because then the denser one is the slow mode.
static struct level level_of(const double *sorted, size_t n, double width) {
  struct window usual = densest(sorted, n, width);
  struct window faster = densest(sorted, usual.first, width);
  if (3 * (faster.end - faster.first) >= usual.end - usual.first && faster.end > faster.first &&
      sorted[usual.first] - sorted[faster.end - 1] > width)
    usual = faster;
  return (struct level){sorted[usual.first], sorted[usual.first] + width};
}

/// The level of points [n]. room: [n] scratch.
static struct level level_of_points(const struct loop_point *points, size_t n, double width,
                                    double *room) {
  for (size_t i = 0; i < n; i++)
    room[i] = points[i].ns;
  statistics_sort(room, n);
  return level_of(room, n, width);
}

static int compare_when(const void *left, const void *right) {
  const struct loop_point *a = left, *b = right;
  if (a->when != b->when)
    return a->when < b->when ? -1 : 1;
  if (a->thread != b->thread)
    return a->thread < b->thread ? -1 : 1;
  return (a->ns > b->ns) - (a->ns < b->ns);
}

static int compare_thread(const void *left, const void *right) {
  const struct loop_point *a = left, *b = right;
  if (a->thread != b->thread)
    return a->thread < b->thread ? -1 : 1;
  return compare_when(left, right);
}

/// Share of points slower than the level.
static double slow_share(const struct loop_point *points, size_t n, struct level level) {
  size_t slow = 0;
  for (size_t i = 0; i < n; i++)
    slow += points[i].ns > level.high;
  return (double)slow / (double)n;
}

/// By blocks of time: the shares, and how the level moves. points: [n] by time, gets is_slow. room:
/// [n].
static void look_at_blocks(struct loop_point *points, size_t n, double width, double *room,
                           struct loop_evidence *out) {
  double shares[LOOP_DETECT_BLOCKS], levels[LOOP_DETECT_BLOCKS], slow_weight = 0, weight = 0;
  size_t blocks = n / LOOP_DETECT_BLOCK_SAMPLES;
  blocks = blocks < LOOP_DETECT_BLOCKS ? blocks : LOOP_DETECT_BLOCKS;
  for (size_t b = 0; b < blocks; b++) {
    size_t first = b * n / blocks, end = (b + 1) * n / blocks;
    struct level level = level_of_points(points + first, end - first, width, room);
    shares[b] = slow_share(points + first, end - first, level);
    for (size_t i = first; i < end; i++) {
      points[i].is_slow = points[i].ns > level.high;
      weight += points[i].weight;
      slow_weight += points[i].is_slow ? points[i].weight : 0;
    }
    levels[b] = level.low + width / 2;
  }
  out->slow_share = slow_weight / weight;
  out->slow_error = statistics_deviation(shares, blocks) / sqrt((double)blocks);
  out->trend = statistics_trend(levels, blocks);
  out->trend_first = statistics_trend(levels, blocks / 2);
  out->trend_second = statistics_trend(levels + blocks - blocks / 2, blocks / 2);
  statistics_sort(levels, blocks);
  out->level_ratio =
      statistics_quantile(levels, blocks, 0.9) / statistics_quantile(levels, blocks, 0.1);
  statistics_sort(shares, blocks);
  out->block_quartile = statistics_quantile(shares, blocks, 0.25);
  out->block_median = statistics_quantile(shares, blocks, 0.5);
  out->block_share = statistics_trimmed_mean(shares, blocks, TRIM);
  out->block_error = statistics_trimmed_error(shares, blocks, TRIM);
}

/// By groups of neighbours of one thread. points: [n] by thread and time. room: [n].
static void look_at_groups(const struct loop_point *points, size_t n, double width, double *room,
                           double *shares, struct loop_evidence *out) {
  size_t groups = 0;
  for (size_t first = 0, end; first < n; first = end) {
    end = first;
    while (end < n && end - first < LOOP_DETECT_GROUP && points[end].thread == points[first].thread)
      end++;
    if (end - first < LOOP_DETECT_GROUP / 2)
      continue; // a thread's rest: too few for a level
    struct level level = level_of_points(points + first, end - first, width, room);
    shares[groups++] = slow_share(points + first, end - first, level);
  }
  out->group_share = 0;
  if (groups) {
    statistics_sort(shares, groups);
    out->group_share = statistics_trimmed_mean(shares, groups, TRIM);
  }
}

/// Correlation of being slow between neighbours in time. points: [n] by thread and time.
static double clustering(const struct loop_point *points, size_t n) {
  double slow = 0, both = 0, pairs = 0, first = 0, second = 0;
  for (size_t i = 0; i < n; i++)
    slow += points[i].is_slow;
  for (size_t i = 1; i < n; i++) {
    const struct loop_point *a = &points[i - 1], *b = &points[i];
    if (a->thread != b->thread)
      continue;
    pairs++;
    first += a->is_slow;
    second += b->is_slow;
    both += a->is_slow && b->is_slow;
  }
  double share = slow / (double)n, spread = share * (1 - share);
  if (pairs == 0 || spread == 0)
    return 0;
  return (both / pairs - first / pairs * (second / pairs)) / spread;
}

/// Two peaks with a valley between. sorted: [n] ascending.
static bool is_bimodal(const double *sorted, size_t n, double width) {
  struct window main = densest(sorted, n, width);
  struct window below = densest(sorted, main.first, width);
  struct window above = densest(sorted + main.end, n - main.end, width);
  above.first += main.end;
  above.end += main.end;
  bool is_above = above.end - above.first > below.end - below.first;
  struct window other = is_above ? above : below;
  size_t peak = other.end - other.first;
  if (20 * peak < n) // under 5 %: a tail
    return false;
  struct window fast = is_above ? main : other, slow = is_above ? other : main;
  // The valley is what lies between the windows; as dense as a peak it would hold `expected`.
  double gap = sorted[slow.first] - (sorted[fast.first] + width);
  double expected = (double)peak * gap / width;
  return gap >= width / 2 && (double)(slow.first - fast.end) < expected / 4;
}

/// Median of the slow ones over the median of the others. sorted: [n] ascending.
static double slow_ratio(const double *sorted, size_t n, double high) {
  size_t usual = 0;
  while (usual < n && sorted[usual] <= high)
    usual++;
  if (usual == 0 || usual == n)
    return 1;
  return statistics_quantile(sorted + usual, n - usual, 0.5) /
         statistics_quantile(sorted, usual, 0.5);
}

int loop_detect(const struct loop_sample *sample, struct loop_evidence *out) {
  size_t n = sample->own_count;
  double width = sample->window_ns;
  struct loop_point *points = malloc(n * sizeof *points);
  double *room = malloc(n * sizeof *room), *shares = malloc(n * sizeof *shares);
  int result = RETICLE_E_MEMORY;
  if (points && room && shares) {
    struct loop_evidence evidence = {0};
    memcpy(points, sample->points, n * sizeof *points); // ascending
    for (size_t i = 0; i < n; i++)
      room[i] = points[i].ns;
    struct level level = level_of(room, n, width);
    evidence.is_bimodal = is_bimodal(room, n, width);
    evidence.slow_ratio = slow_ratio(room, n, level.high);
    qsort(points, n, sizeof *points, compare_when);
    look_at_blocks(points, n, width, room, &evidence);
    qsort(points, n, sizeof *points, compare_thread);
    look_at_groups(points, n, width, room, shares, &evidence);
    evidence.clustering = clustering(points, n);
    *out = evidence;
    result = 0;
  }
  free(points);
  free(room);
  free(shares);
  return result;
}
