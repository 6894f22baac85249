// loop_mode.c - looks for late executions that the control chains beside them don't explain.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/analysis/loop/loop_mode.h"

#include "tools/analysis/loop/loop_thresholds.h"
#include "tools/analysis/stats/statistics.h"
#include "tools/support/memory.h"

#include <math.h>
#include <stdlib.h>

/// A sample that is slower than usual.
struct late {
  double extra_ns;
  size_t block;
};

/// All late samples, system noise included, and what they are judged by.
struct scene {
  const struct loop_sample *sample;
  const struct loop_blocks *blocks;
  struct late *late;   ///< [count] ascending
  double *chain_parts; ///< [sample->control->count] ascending: late by this part of the usual
  size_t count;
  double exposed_s; ///< time that the loop was in samples
};

/// Late samples [first, end).
struct place {
  size_t first, end;
  double width_ns, expected, error, most;
};

static int compare_late(const void *left, const void *right) {
  const struct late *a = left, *b = right;
  if (a->extra_ns != b->extra_ns)
    return a->extra_ns < b->extra_ns ? -1 : 1;
  return (a->block > b->block) - (a->block < b->block);
}

static size_t block_of(const struct loop_blocks *blocks, uint32_t when) {
  size_t b = 0;
  while (b + 1 < blocks->count && when > blocks->last[b])
    b++;
  return b;
}

static void find_late(struct scene *scene, double least_ns) {
  const struct loop_sample *sample = scene->sample;
  for (size_t i = 0; i < sample->count; i++) {
    size_t b = block_of(scene->blocks, sample->points[i].when);
    double extra = sample->points[i].ns - scene->blocks->usual_ns[b];
    if (extra > least_ns)
      scene->late[scene->count++] = (struct late){.extra_ns = extra, .block = b};
  }
  qsort(scene->late, scene->count, sizeof *scene->late, compare_late);
}

static void find_chains(struct scene *scene) {
  const struct control_length *control = scene->sample->control;
  for (size_t i = 0; i < control->count; i++) {
    double usual = scene->blocks->chain_ns[block_of(scene->blocks, control->points[i].when)];
    scene->chain_parts[i] = (control->points[i].ns - usual) / control->usual_ns;
  }
  statistics_sort(scene->chain_parts, control->count);
}

/// Of ascending values [n], how many are under the limit.
static size_t under(const double *sorted, size_t n, double limit) {
  size_t low = 0, high = n;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (sorted[middle] < limit)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static size_t late_under(const struct scene *scene, double limit) {
  size_t low = 0, high = scene->count;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (scene->late[middle].extra_ns < limit)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

/// How many executions a slower clock makes late by low_ns to low_ns + width_ns: half as many as
/// chains are late by the same part of their duration, in a place twice as wide, for there are few.
static double expect_clock(const struct scene *scene, double low_ns, double width_ns,
                           double *error) {
  size_t n = scene->sample->control->count;
  double p50 = scene->sample->p50_ns, low = low_ns - width_ns / 2, high = low + 2 * width_ns;
  size_t late = under(scene->chain_parts, n, high / p50) - under(scene->chain_parts, n, low / p50);
  double each = (double)scene->sample->count / (double)n / 2;
  *error = each * hypot(sqrt((double)late), MODE_CLOCK_ERROR * (double)late);
  return each * (double)late;
}

/// Sets what was to be expected in a place: the most of the density beside it, of the delays about
/// that long that hit the chains, of a slower clock and of cold caches.
static void expect(const struct scene *scene, struct place *place) {
  const struct control *chains = scene->sample->chains;
  double low = scene->late[place->first].extra_ns, width = place->width_ns, high = low + width;
  double n = (double)scene->sample->count, unused, error;
  double beside = (double)(late_under(scene, low) - late_under(scene, low - 2 * width) +
                           late_under(scene, high + 3 * width - width) -
                           late_under(scene, high * (1 + 1e-9) + 1e-9)) /
                  4;
  double part = fmin(1, width / (high * MODE_AROUND - low / MODE_AROUND));
  double hits = scene->exposed_s * part *
                control_delays_per_s(chains, low / MODE_AROUND, high * MODE_AROUND, &error);
  double clock_error, clock = expect_clock(scene, low, width, &clock_error);
  double p50 = scene->sample->p50_ns;
  double peers = n / 2 *
                 peers_share(scene->sample->peers, scene->sample->peer, 1 + (low - width / 2) / p50,
                             1 + (high + width / 2) / p50);
  double cold = n * control_cold_share(chains, 0, chains->cold.count, low, high);
  place->expected = fmax(peers, fmax(fmax(beside, hits), fmax(clock, cold)));
  place->error = sqrt(place->expected + 1 + pow(scene->exposed_s * part * error, 2) +
                      pow(clock_error, 2) + pow(MODE_CLOCK_ERROR * peers, 2));
  // Delays of just that length: k chains were hit, and up to k + 5 + 2 sqrt(k) may have been due
  // (99 %).
  double per_chain = scene->exposed_s / (chains->time_ns * 1e-9);
  double hit = control_delays_per_s(chains, low, high, &unused) * chains->time_ns * 1e-9;
  place->most = per_chain * (hit + 5 + 2 * sqrt(hit));
}

static double standing(const struct place *place) {
  return ((double)(place->end - place->first) - place->expected) / place->error;
}

/// Whether the samples of a place come from most parts of the run, not from one burst.
static bool is_spread(const struct scene *scene, const struct place *place) {
  bool has[LOOP_DETECT_BLOCKS] = {false};
  double hit = 0, n = (double)(place->end - place->first), blocks = (double)scene->blocks->count;
  for (size_t i = place->first; i < place->end; i++) {
    hit += !has[scene->late[i].block];
    has[scene->late[i].block] = true;
  }
  return hit > SPREAD * blocks * (1 - pow(1 - 1 / blocks, n));
}

static bool is_mode(const struct scene *scene, const struct place *place) {
  double count = (double)(place->end - place->first);
  return count > place->most &&
         count - place->expected > MODE_SHARE * (double)scene->sample->count &&
         is_spread(scene, place);
}

/// The mode that is farthest above what was to be expected.
static struct place find_place(const struct scene *scene) {
  struct place best = {0};
  double most = 0, widest = fmax(MODE_NARROWEST_NS, 2 * scene->sample->window_ns);
  for (double width = MODE_NARROWEST_NS; width <= widest; width *= 2)
    for (size_t first = 0, end = 0; first < scene->count; first++) {
      while (end < scene->count && scene->late[end].extra_ns <= scene->late[first].extra_ns + width)
        end++;
      struct place place = {.first = first, .end = end, .width_ns = width};
      if (end - first < MODE_COUNT || (double)(end - first) <= most) // its error is 1 at least
        continue;
      expect(scene, &place);
      if (standing(&place) > most && is_mode(scene, &place)) {
        most = standing(&place);
        best = place;
      }
    }
  return best;
}

static void describe(const struct scene *scene, const struct place *place,
                     struct loop_evidence *out) {
  size_t n = place->end - place->first;
  double sum = 0, squares = 0;
  for (size_t i = place->first; i < place->end; i++)
    sum += scene->late[i].extra_ns;
  for (size_t i = place->first; i < place->end; i++)
    squares += pow(scene->late[i].extra_ns - sum / (double)n, 2);
  out->mode_count = n;
  out->mode_ns = scene->late[place->first + n / 2].extra_ns;
  out->mode_deviation = sqrt(squares / (double)(n - 1));
  out->mode_expected = place->expected;
  out->mode_error = place->error;
}

void loop_mode(const struct loop_sample *sample, const struct loop_blocks *blocks,
               struct loop_evidence *out) {
  if (!sample->control)
    return;
  struct scene scene = {.sample = sample,
                        .blocks = blocks,
                        .late = memory_zeroed(sample->count, sizeof *scene.late),
                        .chain_parts = memory_zeroed(sample->control->count, sizeof(double)),
                        .exposed_s = 1e-9 * sample->p50_ns * (double)sample->count};
  double least_ns = sample->is_normalised ? MODE_LEAST_NORMALISED_NS : MODE_LEAST_NS;
  find_late(&scene, least_ns);
  find_chains(&scene);
  struct place place = find_place(&scene);
  if (place.end > place.first)
    describe(&scene, &place, out);
  free(scene.late);
  free(scene.chain_parts);
}
