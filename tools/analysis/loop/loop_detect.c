// loop_detect.c - gathers the evidence for the verdict on a loop; the method: docs/method/loops.md.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/analysis/loop/loop_detect.h"

#include "tools/analysis/loop/loop_level.h"
#include "tools/analysis/loop/loop_mode.h"
#include "tools/analysis/loop/loop_neighbours.h"
#include "tools/analysis/loop/loop_thresholds.h"
#include "tools/analysis/stats/statistics.h"
#include "tools/support/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/// What the chains of the same blocks show.
struct beside {
  const struct loop_sample *sample;
  double excess[LOOP_DETECT_BLOCKS], shares[LOOP_DETECT_BLOCKS], levels[LOOP_DETECT_BLOCKS];
  double cold; ///< sum over the blocks
  size_t count;
};

/// Share of the chains of a block that are slow by the rule for the loop's samples, as a loop of
/// its duration would show it: what comes with time. A delay is as long whatever it hits, and hits
/// a longer duration oftener; what is left of the clock at an even one makes all durations longer
/// by the same part, and no more of them: there, what is late by more than the loop's own window is
/// a delay. usual_ns gets what the others took. room: [as many].
static double chains_slow(const struct loop_sample *sample, size_t begin, size_t end, double *room,
                          double *usual_ns) {
  const struct control_length *control = sample->control;
  double scale = control_scale(control, sample->p50_ns), whole = sample->window_ns;
  double width = control_narrowed(control, sample->p50_ns, sample->steps_ns, whole);
  double longest = fmax(sample->points[sample->own_count - 1].ns - sample->p50_ns, width);
  size_t n = end - begin, slow = 0, delayed = 0, kept = 0, count = 0;
  for (size_t i = begin; i < end; i++)
    room[i - begin] = control->points[i].ns;
  statistics_sort(room, n);
  struct loop_level level = loop_level_of(room, n, width);
  *usual_ns = 0;
  for (size_t i = 0; i < n; i++) {
    bool is_usual = room[i] >= level.low && room[i] <= level.high;
    bool is_kept = room[i] <= level.high + longest;
    *usual_ns += is_usual ? room[i] : 0;
    count += is_usual;
    kept += is_kept;
    slow += is_kept && room[i] > level.high;
    delayed += is_kept && room[i] > (sample->is_normalised ? level.low + whole : level.high);
  }
  *usual_ns /= (double)count;
  return fmin(1, ((double)slow + (scale - 1) * (double)delayed) / (double)kept);
}

/// Share of the cold chains of a block that are late by more than beyond_ns: what comes with a
/// sample, whatever its duration.
static double chains_cold(const struct loop_sample *sample, const struct loop_point *first,
                          const struct loop_point *last, double beyond_ns) {
  size_t begin, end;
  double longest = sample->points[sample->own_count - 1].ns - sample->p50_ns;
  beyond_ns += sample->blur_ns;
  control_part(&sample->chains->cold, first->when, last->when, &begin, &end);
  return control_cold_share(sample->chains, begin, end, beyond_ns, fmax(longest, beyond_ns));
}

/// One block. points: [n] by time; share: of them that are slow, which are beyond_ns from the
/// usual. room: [chains].
static void look_beside(struct beside *beside, const struct loop_point *points, size_t n,
                        double share, double beyond_ns, double *room) {
  const struct loop_sample *sample = beside->sample;
  if (!sample->control)
    return;
  size_t begin, end, b = beside->count++;
  control_part(sample->control, points[0].when, points[n - 1].when, &begin, &end);
  double with_time = chains_slow(sample, begin, end, room, &beside->levels[b]);
  double with_sample = chains_cold(sample, points, points + n - 1, beyond_ns);
  beside->cold += with_sample;
  beside->shares[b] = with_time + with_sample - with_time * with_sample;
  beside->excess[b] = share - beside->shares[b];
}

static void weigh_beside(struct beside *beside, struct loop_evidence *out) {
  out->control_ratio = 1;
  if (!beside->count)
    return;
  size_t n = beside->count;
  out->control_share = statistics_mean(beside->shares, n);
  out->control_cold = beside->cold / (double)n;
  statistics_sort(beside->excess, n);
  out->excess_median = statistics_quantile(beside->excess, n, 0.5);
  out->excess_mean = statistics_trimmed_mean(beside->excess, n, LOOP_DETECT_TRIM);
  out->excess_error = statistics_trimmed_error(beside->excess, n, LOOP_DETECT_TRIM);
  statistics_sort(beside->levels, n);
  out->control_ratio =
      statistics_quantile(beside->levels, n, 0.9) / statistics_quantile(beside->levels, n, 0.1);
}

/// Sets how much longer than the block's usual ones its points took; returns what these took, the
/// middle one. points: [n]; room: [n].
static double set_extra(struct loop_point *points, size_t n, struct loop_level level,
                        double step_ns, double *room) {
  size_t count = 0;
  for (size_t i = 0; i < n; i++)
    if (points[i].ns >= level.low && points[i].ns <= level.high)
      room[count++] = points[i].ns;
  statistics_sort(room, count);
  double usual = statistics_stepped_median(room, count, step_ns);
  for (size_t i = 0; i < n; i++)
    points[i].extra_ns = points[i].ns - usual;
  return usual;
}

/// As loop_densest(), but of those beyond what the cold chains let expect. total: samples in all.
static struct loop_window densest_beyond(const double *sorted, size_t n, double width, size_t total,
                                         const struct control *chains) {
  struct loop_window best = {0, 0};
  double most = -INFINITY;
  for (size_t first = 0, end = 0; first < n; first++) {
    while (end < n && sorted[end] <= sorted[first] + width)
      end++;
    double held = (double)(end - first);
    if (held <= most)
      continue;
    if (chains)
      held -= (double)total * control_cold_share(chains, 0, chains->cold.count, sorted[first] - 1,
                                                 sorted[first] + width);
    if (held > most) {
      most = held;
      best = (struct loop_window){first, end};
    }
  }
  return best;
}

/// The densest of the slow ones: the middle one of what they took longer. room: [n].
static void look_at_slow(const struct loop_sample *sample, const struct loop_point *points,
                         double *room, struct loop_evidence *out) {
  size_t slow = 0, n = sample->own_count;
  double width = sample->window_ns;
  for (size_t i = 0; i < n; i++)
    if (points[i].is_slow)
      room[slow++] = points[i].extra_ns;
  if (!slow)
    return;
  statistics_sort(room, slow);
  struct loop_window most = densest_beyond(room, slow, width, n, sample->chains);
  size_t held = most.end - most.first;
  if (FEW_HELD * held < slow) { // no duration of their own: the middle one of all
    most = (struct loop_window){0, slow};
    held = slow;
  }
  out->slow_by_ns = statistics_stepped_median(room + most.first, held, sample->step_ns);
  out->slow_by_error =
      held > 1 ? statistics_deviation(room + most.first, held) / sqrt((double)held) : width / 2;
}

/// By blocks of time: the shares, and how the level moves. points: [n] by time, gets is_slow. room:
/// [n].
static void look_at_blocks(const struct loop_sample *sample, struct loop_point *points,
                           double *room, struct loop_blocks *all, struct loop_evidence *out) {
  size_t n = sample->own_count;
  double width = sample->window_ns;
  double shares[LOOP_DETECT_BLOCKS], levels[LOOP_DETECT_BLOCKS], slow_weight = 0, weight = 0;
  struct beside beside = {.sample = sample};
  size_t blocks = n / LOOP_DETECT_BLOCK_SAMPLES;
  blocks = blocks < LOOP_DETECT_BLOCKS ? blocks : LOOP_DETECT_BLOCKS;
  for (size_t b = 0; b < blocks; b++) {
    size_t first = b * n / blocks, end = (b + 1) * n / blocks;
    struct loop_level level = loop_level_of_points(points + first, end - first, width, room);
    shares[b] = loop_slow_share(points + first, end - first, level);
    for (size_t i = first; i < end; i++) {
      points[i].is_slow = points[i].ns > level.high;
      weight += points[i].weight;
      slow_weight += points[i].is_slow ? points[i].weight : 0;
    }
    levels[b] = level.low + width / 2;
    all->usual_ns[b] = set_extra(points + first, end - first, level, sample->step_ns, room);
    all->last[b] = points[end - 1].when;
    all->count = b + 1;
    look_beside(&beside, points + first, end - first, shares[b], level.high - all->usual_ns[b],
                room);
    all->chain_ns[b] = beside.levels[b];
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
  out->block_share = statistics_trimmed_mean(shares, blocks, LOOP_DETECT_TRIM);
  out->block_error = statistics_trimmed_error(shares, blocks, LOOP_DETECT_TRIM);
}

/// Two peaks with a valley between. sorted: [n] ascending.
static bool is_bimodal(const double *sorted, size_t n, double width) {
  struct loop_window main = loop_densest(sorted, n, width);
  struct loop_window below = loop_densest(sorted, main.first, width);
  struct loop_window above = loop_densest(sorted + main.end, n - main.end, width);
  above.first += main.end;
  above.end += main.end;
  bool is_above = above.end - above.first > below.end - below.first;
  struct loop_window other = is_above ? above : below;
  size_t peak = other.end - other.first;
  if (20 * peak < n) // under 5 %: a tail
    return false;
  struct loop_window fast = is_above ? main : other, slow = is_above ? other : main;
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

void loop_detect(const struct loop_sample *sample, struct loop_evidence *out) {
  size_t n = sample->own_count;
  double width = sample->window_ns;
  struct loop_point *points = memory_zeroed(n, sizeof *points);
  size_t chains = sample->control ? sample->control->count : 0;
  struct loop_blocks blocks;
  double *room = memory_zeroed(n + chains, sizeof *room);
  *out = (struct loop_evidence){.level_window_ns = width};
  memcpy(points, sample->points, n * sizeof *points); // ascending
  for (size_t i = 0; i < n; i++)
    room[i] = points[i].ns;
  struct loop_level level = loop_level_of(room, n, width);
  out->is_bimodal = is_bimodal(room, n, width);
  out->slow_ratio = slow_ratio(room, n, level.high);
  qsort(points, n, sizeof *points, loop_sample_by_time);
  look_at_blocks(sample, points, room, &blocks, out);
  look_at_slow(sample, points, room, out);
  loop_mode(sample, &blocks, out);
  loop_neighbours(sample, points, room, out);
  free(points);
  free(room);
}
