// loop_neighbours.c - see loop_neighbours.h; the method is in docs/method/loops.md.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/analysis/loop_neighbours.h"

#include "tools/analysis/loop_level.h"
#include "tools/analysis/statistics.h"

#include <stdlib.h>

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
    struct loop_level level = loop_level_of_points(points + first, end - first, width, room);
    shares[groups++] = loop_slow_share(points + first, end - first, level);
  }
  out->group_share = 0;
  if (groups) {
    statistics_sort(shares, groups);
    out->group_share = statistics_trimmed_mean(shares, groups, LOOP_DETECT_TRIM);
  }
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
  look_at_groups(points, n, sample->window_ns, room, room + n, out);
  out->clustering = clustering(points, n);
  out->bursts = bursts(points, n);
}
