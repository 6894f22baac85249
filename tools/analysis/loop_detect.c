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

/// What the chains of the same blocks show.
struct beside {
  const struct loop_sample *sample;
  double excess[LOOP_DETECT_BLOCKS], shares[LOOP_DETECT_BLOCKS], levels[LOOP_DETECT_BLOCKS];
  size_t count, level_count;
  double error; ///< of shares that are the whole run's
  double ratio;
};

/// One block. points: [n] by time; share: of them that are slow.
static void look_beside(struct beside *beside, const struct loop_point *points, size_t n,
                        double share) {
  const struct loop_sample *sample = beside->sample;
  if (!sample->control)
    return;
  uint32_t first = points[0].when, last = points[n - 1].when;
  double error, longest = sample->points[sample->own_count - 1].ns - sample->p50_ns;
  double theirs = control_share(sample->control, sample->p50_ns, first, last, sample->window_ns,
                                fmax(longest, sample->window_ns), &error);
  double level = control_level(sample->control, first, last);
  beside->error = fmax(beside->error, error);
  beside->shares[beside->count] = theirs;
  beside->excess[beside->count++] = share - theirs;
  if (!isnan(level))
    beside->levels[beside->level_count++] = level;
}

static void weigh_beside(struct beside *beside, struct loop_evidence *out) {
  out->control_ratio = 1;
  if (!beside->count)
    return;
  size_t n = beside->count;
  out->control_share = statistics_mean(beside->shares, n);
  statistics_sort(beside->excess, n);
  out->excess_median = statistics_quantile(beside->excess, n, 0.5);
  out->excess_mean = statistics_trimmed_mean(beside->excess, n, TRIM);
  out->excess_error = hypot(statistics_trimmed_error(beside->excess, n, TRIM), beside->error);
  if (beside->level_count < 2)
    return;
  statistics_sort(beside->levels, beside->level_count);
  out->control_ratio = statistics_quantile(beside->levels, beside->level_count, 0.9) /
                       statistics_quantile(beside->levels, beside->level_count, 0.1);
}

/// Sets how much longer than the block's usual ones its points took. points: [n].
static void set_extra(struct loop_point *points, size_t n, struct level level) {
  double sum = 0, count = 0;
  for (size_t i = 0; i < n; i++)
    if (points[i].ns >= level.low && points[i].ns <= level.high) {
      sum += points[i].ns;
      count++;
    }
  for (size_t i = 0; i < n; i++)
    points[i].extra_ns = points[i].ns - sum / count;
}

/// The densest of the slow ones: the mean of what they took longer. room: [n].
static void look_at_slow(const struct loop_point *points, size_t n, double width, double *room,
                         struct loop_evidence *out) {
  size_t slow = 0;
  for (size_t i = 0; i < n; i++)
    if (points[i].is_slow)
      room[slow++] = points[i].extra_ns;
  if (!slow)
    return;
  statistics_sort(room, slow);
  struct window most = densest(room, slow, width);
  size_t held = most.end - most.first;
  out->slow_by_ns = statistics_mean(room + most.first, held);
  out->slow_by_error =
      held > 1 ? statistics_deviation(room + most.first, held) / sqrt((double)held) : width / 2;
}

/// By blocks of time: the shares, and how the level moves. points: [n] by time, gets is_slow. room:
/// [n].
static void look_at_blocks(const struct loop_sample *sample, struct loop_point *points,
                           double *room, struct loop_evidence *out) {
  size_t n = sample->own_count;
  double width = sample->window_ns;
  double shares[LOOP_DETECT_BLOCKS], levels[LOOP_DETECT_BLOCKS], slow_weight = 0, weight = 0;
  struct beside beside = {.sample = sample, .ratio = 1};
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
    set_extra(points + first, end - first, level);
    look_beside(&beside, points + first, end - first, shares[b]);
  }
  out->slow_share = slow_weight / weight;
  out->slow_error = statistics_deviation(shares, blocks) / sqrt((double)blocks);
  out->trend = statistics_trend(levels, blocks);
  out->trend_first = statistics_trend(levels, blocks / 2);
  out->trend_second = statistics_trend(levels + blocks - blocks / 2, blocks / 2);
  weigh_beside(&beside, out);
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

/// Few samples far slower than usual, by comparison with the delays that hit the chains. room: [n]
/// for all n samples.
static void look_at_far(const struct loop_sample *sample, double *room, struct loop_evidence *out) {
  size_t n = sample->count, far = 0, blocks = 0;
  bool has[LOOP_DETECT_BLOCKS] = {false};
  double most = fmin(LOOP_DETECT_FAR * sample->p50_ns, LOOP_DETECT_FAR_NS);
  double least = fmax(2 * sample->window_ns, most), error;
  if (!sample->control)
    return;
  uint32_t first = UINT32_MAX, last = 0;
  for (size_t i = 0; i < n; i++) {
    first = sample->points[i].when < first ? sample->points[i].when : first;
    last = sample->points[i].when > last ? sample->points[i].when : last;
  }
  for (size_t i = 0; i < n; i++) {
    double extra = sample->points[i].ns - sample->p50_ns;
    if (extra <= least)
      continue;
    room[far++] = extra; // ascending, as the points are
    uint64_t passed = (uint64_t)(sample->points[i].when - first) * LOOP_DETECT_BLOCKS;
    bool *block = &has[passed / ((uint64_t)(last - first) + 1)];
    blocks += !*block;
    *block = true;
  }
  double rate = control_delays_per_s(sample->chains, least, &error);
  double exposed_s = 1e-9 * sample->p50_ns * (double)n;
  out->far_count = far;
  out->far_expected = rate * exposed_s;
  out->far_expected_error = error * exposed_s;
  out->far_blocks = (double)blocks / LOOP_DETECT_BLOCKS;
  if (!far)
    return;
  double width = fmax(2 * sample->window_ns, LOOP_DETECT_FAR * room[far / 2]);
  struct window alike = densest(room, far, width);
  out->far_alike = (double)(alike.end - alike.first) / (double)far;
}

int loop_detect(const struct loop_sample *sample, struct loop_evidence *out) {
  size_t n = sample->own_count;
  double width = sample->window_ns;
  struct loop_point *points = malloc(n * sizeof *points);
  double *room = malloc(sample->count * sizeof *room), *shares = malloc(n * sizeof *shares);
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
    look_at_blocks(sample, points, room, &evidence);
    look_at_slow(points, n, width, room, &evidence);
    look_at_far(sample, room, &evidence);
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
