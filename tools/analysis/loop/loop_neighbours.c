// loop_neighbours.c - groups successive samples and looks whether slow ones come together.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/analysis/loop/loop_neighbours.h"

#include "tools/analysis/loop/loop_level.h"
#include "tools/analysis/stats/statistics.h"

#include <math.h>
#include <stdlib.h>

/// Shares of slow ones over groups.
struct groups {
  double *shares; ///< [count]
  size_t count, members;
};

/// Share of durations slower than what is usual among them. ns: [n] n >= 1, gets sorted.
static double slow_among(double *ns, size_t n, double width) {
  statistics_sort(ns, n);
  double high = loop_level_of(ns, n, width).high;
  size_t usual = n;
  while (usual > 0 && ns[usual - 1] > high)
    usual--;
  return (double)(n - usual) / (double)n;
}

/// Adds a group, unless it is a thread's rest: too few for a level.
static void add(struct groups *groups, double *ns, size_t n, double width) {
  if (n < LOOP_DETECT_GROUP / 2)
    return;
  groups->shares[groups->count++] = slow_among(ns, n, width);
  groups->members += n;
}

/// Trimmed mean, and its standard error: not less than so many members would have by chance.
static double mean_of(struct groups *groups, double *error) {
  *error = INFINITY;
  if (!groups->count)
    return 0;
  statistics_sort(groups->shares, groups->count);
  double mean = statistics_trimmed_mean(groups->shares, groups->count, LOOP_DETECT_TRIM);
  double n = (double)groups->members, chance = sqrt((mean * (1 - mean) + 1 / n) / n);
  *error = fmax(chance, statistics_trimmed_error(groups->shares, groups->count, LOOP_DETECT_TRIM));
  return mean;
}

/// By groups of neighbours of one thread. points: [n] by thread and time. shares: [n] scratch.
static double look_at_groups(const struct loop_point *points, size_t n, double width,
                             double *shares, double *error) {
  struct groups groups = {.shares = shares};
  for (size_t first = 0, end; first < n; first = end) {
    double ns[LOOP_DETECT_GROUP];
    for (end = first;
         end < n && end - first < LOOP_DETECT_GROUP && points[end].thread == points[first].thread;
         end++)
      ns[end - first] = points[end].ns;
    add(&groups, ns, end - first, width);
  }
  return mean_of(&groups, error);
}

/// The chains alike, as a loop of the duration would show them: a delay hits a longer one oftener.
static double look_at_chains(const struct loop_sample *sample, double *shares, double *error) {
  const struct control_length *control = sample->control;
  double scale = control_scale(control, sample->p50_ns);
  double width = control_narrowed(control, sample->p50_ns, sample->steps_ns, sample->window_ns);
  struct groups groups = {.shares = shares};
  for (size_t first = 0, end; first < control->count; first = end) {
    double ns[LOOP_DETECT_GROUP];
    for (end = first; end < control->count && end - first < LOOP_DETECT_GROUP; end++)
      ns[end - first] = control->points[end].ns;
    add(&groups, ns, end - first, width);
  }
  double mean = mean_of(&groups, error);
  *error *= scale;
  return fmin(1, scale * mean);
}

/// Correlation of being slow between neighbours in time; 0 if none or all are slow. points: [n] by
/// thread and time.
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

/// The same by parts of the run, those without slow ones left out, trimmed: one burst in one part
/// shall not speak for all.
static double bursts(const struct loop_point *points, size_t n) {
  double parts[LOOP_DETECT_BLOCKS];
  size_t blocks = n / LOOP_DETECT_BLOCK_SAMPLES, count = 0;
  blocks = blocks < LOOP_DETECT_BLOCKS ? blocks : LOOP_DETECT_BLOCKS;
  for (size_t b = 0; b < blocks; b++) {
    size_t first = b * n / blocks, end = (b + 1) * n / blocks;
    double part = clustering(points + first, end - first);
    if (part != 0)
      parts[count++] = part;
  }
  if (!count)
    return 0;
  statistics_sort(parts, count);
  return statistics_trimmed_mean(parts, count, LOOP_DETECT_TRIM);
}

void loop_neighbours(const struct loop_sample *sample, struct loop_point *points, double *room,
                     struct loop_evidence *out) {
  size_t n = sample->own_count;
  qsort(points, n, sizeof *points, loop_sample_by_thread);
  double error, chains_error = 0;
  out->group_share = look_at_groups(points, n, sample->window_ns, room, &error);
  if (sample->control) {
    double with_time = look_at_chains(sample, room, &chains_error), cold = out->control_cold;
    out->group_excess = out->group_share - (with_time + cold - with_time * cold);
    out->group_error = hypot(error, chains_error);
  }
  out->clustering = clustering(points, n);
  out->bursts = bursts(points, n);
}
