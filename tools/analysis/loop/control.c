// control.c - finds the machine's slow windows, delays and clock in the times of the control chain.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/analysis/loop/control.h"

#include "tools/analysis/loop/loop_thresholds.h"
#include "tools/analysis/stats/statistics.h"
#include "tools/support/memory.h"

#include <math.h>
#include <stdlib.h>

/// Chains around a time that tell the clock; the middle one, as one may have been delayed.
#ifndef CLOCK_NEAR
#define CLOCK_NEAR 5
#endif

static int compare_point(const void *left, const void *right) {
  const struct control_point *a = left, *b = right;
  if (a->when != b->when)
    return a->when < b->when ? -1 : 1;
  return (a->ns > b->ns) - (a->ns < b->ns);
}

static struct control_length *beside_of(struct control *control, uint64_t adds) {
  for (size_t i = 0; i < CONTROL_BESIDE; i++)
    if (!control->beside[i].count || control->beside[i].adds == adds) {
      control->beside[i].adds = adds;
      return &control->beside[i];
    }
  return NULL;
}

/// The place of a length, made if it is new; null if there are too many.
static struct control_length *length_of(struct control *control, uint64_t adds) {
  for (size_t i = 0; i < control->length_count; i++)
    if (control->lengths[i].adds == adds)
      return &control->lengths[i];
  if (control->length_count == CONTROL_LENGTHS)
    return NULL;
  size_t at = control->length_count++;
  for (; at && control->lengths[at - 1].adds > adds; at--)
    control->lengths[at] = control->lengths[at - 1];
  control->lengths[at] = (struct control_length){.adds = adds};
  return &control->lengths[at];
}

static double median_of(const struct control_point *points, size_t count, double *room) {
  for (size_t i = 0; i < count; i++)
    room[i] = points[i].ns;
  statistics_sort(room, count);
  return statistics_quantile(room, count, 0.5);
}

/// Sets extra and usual_ns. room: [count].
static void describe(struct control_length *length, double pair_ns, double *room) {
  size_t n = length->count;
  qsort(length->points, n, sizeof *length->points, compare_point);
  length->usual_ns = median_of(length->points, n, room) - pair_ns;
  size_t groups = n / CONTROL_NEIGHBOURS ? n / CONTROL_NEIGHBOURS : 1;
  for (size_t g = 0; g < groups; g++) {
    size_t first = g * n / groups, end = (g + 1) * n / groups;
    double usual = median_of(length->points + first, end - first, room);
    for (size_t i = first; i < end; i++)
      length->points[i].extra = length->points[i].ns - usual;
  }
}

/// Sets window_ns: the middle one of the neighbours' windows, so that a clock that
/// changes now and then doesn't widen it. room: [count].
static void find_window(struct control_length *length, double *room) {
  double *windows = room, *sorted = room + length->count;
  size_t n = length->count, groups = n / CONTROL_NEIGHBOURS ? n / CONTROL_NEIGHBOURS : 1, used = 0;
  for (size_t g = 0; g < groups; g++) {
    size_t first = g * n / groups, end = (g + 1) * n / groups, kept = 0;
    for (size_t i = first; i < end; i++)
      if (length->points[i].extra <= LOOP_NOISE_NS)
        sorted[kept++] = length->points[i].extra;
    statistics_sort(sorted, kept);
    size_t held = (size_t)ceil(WINDOW_HOLDS * (double)kept);
    windows[used] = INFINITY;
    for (size_t i = 0; held && i + held <= kept; i++)
      windows[used] = fmin(windows[used], sorted[i + held - 1] - sorted[i]);
    used += isfinite(windows[used]);
  }
  if (!used)
    return;
  statistics_sort(windows, used);
  length->window_ns = statistics_quantile(windows, used, 0.5);
}

/// Takes what the points say of their length. room: [2 * most points of a length + 1].
static void describe_all(struct control *control, double pair_ns, double *room) {
  for (size_t i = 0; i < control->length_count; i++)
    if (control->lengths[i].count) {
      describe(&control->lengths[i], pair_ns, room);
      find_window(&control->lengths[i], room);
      control->time_ns += control->lengths[i].usual_ns * (double)control->lengths[i].count;
    }
  if (control->cold.count) {
    describe(&control->cold, pair_ns, room);
    find_window(&control->cold, room);
  }
}

static int compare_clock(const void *left, const void *right) {
  const struct control_clock *a = left, *b = right;
  if (a->when != b->when)
    return a->when < b->when ? -1 : 1;
  return (a->ratio > b->ratio) - (a->ratio < b->ratio);
}

static bool is_long(const struct control_length *length, double step_ns) {
  return length->count >= CONTROL_SAMPLES && length->usual_ns >= CONTROL_LONG_STEPS * step_ns;
}

static void find_clock(struct control *control, double pair_ns, double step_ns) {
  size_t n = 0;
  for (size_t i = 0; i < control->length_count; i++)
    n += is_long(&control->lengths[i], step_ns) ? control->lengths[i].count : 0;
  if (!n)
    return;
  control->clock = memory_zeroed(n, sizeof *control->clock);
  for (size_t i = 0; i < control->length_count; i++) {
    const struct control_length *length = &control->lengths[i];
    for (size_t k = 0; is_long(length, step_ns) && k < length->count; k++) {
      double ratio = (length->points[k].ns - pair_ns) / length->usual_ns;
      control->clock[control->clock_count++] = (struct control_clock){
          .when = length->points[k].when, .ratio = fmin(CLOCK_MOST, fmax(1 / CLOCK_MOST, ratio))};
    }
  }
  qsort(control->clock, n, sizeof *control->clock, compare_clock);
}

/// Middle one of CLOCK_NEAR chains around that time, but for the `skipped` nearest.
static double clock_around(const struct control *control, uint32_t when, size_t skipped) {
  size_t n = control->clock_count, low = 0, high = n, taken = 0;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (control->clock[middle].when < when)
      low = middle + 1;
    else
      high = middle;
  }
  double near[CLOCK_NEAR + 1]; // the nearest first
  for (size_t before = low, after = low;
       taken < CLOCK_NEAR + skipped && (before > 0 || after < n);) {
    bool is_after = before == 0 || (after < n && control->clock[after].when - when <
                                                     when - control->clock[before - 1].when);
    near[taken++] = control->clock[is_after ? after++ : --before].ratio;
  }
  if (taken <= skipped)
    return 1;
  statistics_sort(near + skipped, taken - skipped);
  return near[skipped + (taken - skipped) / 2];
}

double control_clock_at(const struct control *control, uint32_t when) {
  return clock_around(control, when, 0);
}

/// Each chain at the clock of its neighbours. room: as describe_all.
static void make_normalised(struct control *control, double pair_ns, double *room) {
  struct control *normalised = control->normalised = memory_zeroed(1, sizeof *normalised);
  *normalised = *control;
  normalised->clock = NULL;
  normalised->normalised = NULL;
  normalised->calm = NULL;
  normalised->peers = (struct peers){0};
  normalised->time_ns = 0;
  for (size_t i = 0; i < CONTROL_LENGTHS; i++)
    normalised->lengths[i].points = NULL;
  normalised->cold.points = NULL;
  for (size_t i = 0; i < CONTROL_BESIDE; i++)
    normalised->beside[i] = (struct control_length){0};
  for (size_t i = 0; i <= normalised->length_count; i++) {
    struct control_length *to =
        i < normalised->length_count ? &normalised->lengths[i] : &normalised->cold;
    const struct control_length *from =
        i < normalised->length_count ? &control->lengths[i] : &control->cold;
    to->points = memory_zeroed(to->count + 1, sizeof *to->points);
    for (size_t k = 0; k < to->count; k++) {
      struct control_point point = from->points[k];
      point.ns = pair_ns + (point.ns - pair_ns) / clock_around(control, point.when, 1);
      to->points[k] = point;
    }
  }
  describe_all(normalised, pair_ns, room);
}

/// Takes the chains; with `peers` those outside of windows in which loops were slow together.
static void fill(const struct profile *profile, const struct peers *peers,
                 struct control *control) {
  double tick_ns = 1e9 / (double)profile->env.timer_hz, *room;
  for (size_t i = 0; i < profile->chain_count; i++) {
    const struct profile_chain *chain = &profile->chain[i];
    bool is_beside = chain->flags & RETICLE_SAMPLE_BESIDE;
    control->samples += !is_beside;
    struct control_length *length = is_beside ? beside_of(control, chain->adds)
                                    : chain->flags & RETICLE_SAMPLE_COLD
                                        ? &control->cold
                                        : length_of(control, chain->adds);
    if (chain->flags & RETICLE_SAMPLE_MIGRATED) {
      control->migrated += !is_beside;
      continue;
    }
    if (!length || (peers && peers_are_slow(peers, chain->thread, chain->when)))
      continue;
    if (!length->points)
      length->points = memory_zeroed(profile->chain_count, sizeof *length->points);
    length->points[length->count++] =
        (struct control_point){.when = chain->when, .ns = (double)chain->duration_ticks * tick_ns};
  }
  room = memory_zeroed(2 * profile->chain_count + 1, sizeof *room);
  double pair_ns = (double)profile->env.pair_ticks / 256 * tick_ns;
  describe_all(control, pair_ns, room);
  find_clock(control, pair_ns, fmax(1, (double)profile->env.step_ticks) * tick_ns);
  if (control->clock_count)
    make_normalised(control, pair_ns, room);
  free(room);
}

static void fill_both(const struct profile *profile, struct control *control) {
  double tick_ns = 1e9 / (double)profile->env.timer_hz;
  double step_ns = fmax(1, (double)profile->env.step_ticks) * tick_ns;
  double noise_ns = fmax(LOOP_PROBE_NS, WINDOW_STEPS * step_ns);
  peers_init(profile, noise_ns / tick_ns, &control->peers);
  fill(profile, NULL, control);
  control->calm = memory_zeroed(1, sizeof *control->calm);
  fill(profile, &control->peers, control->calm);
}

void control_init(const struct profile *profile, struct control *out) {
  struct control control = {0};
  if (profile->env.timer_hz)
    fill_both(profile, &control);
  *out = control;
}

void control_release(struct control *control) {
  for (size_t i = 0; i < control->length_count; i++)
    free(control->lengths[i].points);
  free(control->cold.points);
  for (size_t i = 0; i < CONTROL_BESIDE; i++)
    free(control->beside[i].points);
  free(control->clock);
  peers_release(&control->peers);
  if (control->normalised)
    control_release(control->normalised);
  if (control->calm)
    control_release(control->calm);
  free(control->normalised);
  free(control->calm);
  *control = (struct control){0};
}

const struct control_length *control_find(const struct control *control, double ns) {
  const struct control_length *best = NULL;
  double least = INFINITY;
  for (size_t i = 0; control && i < control->length_count; i++) {
    const struct control_length *length = &control->lengths[i];
    if (length->count < CONTROL_SAMPLES || !(length->usual_ns > 0) || !(ns > 0))
      continue;
    double distance = fabs(log(ns / length->usual_ns));
    if (distance < least) {
      least = distance;
      best = length;
    }
  }
  return best;
}

double control_cycle_ns(const struct control *control) {
  uint64_t adds = 0;
  double cycle_ns = 0;
  for (size_t i = 0; i < control->length_count; i++)
    if (control->lengths[i].count >= CONTROL_SAMPLES && control->lengths[i].adds > adds) {
      adds = control->lengths[i].adds;
      cycle_ns = control->lengths[i].usual_ns / (double)adds;
    }
  return cycle_ns;
}

double control_scale(const struct control_length *length, double ns) {
  return fmax(1, ns / length->usual_ns);
}

double control_window(const struct control_length *length, double ns, double steps_ns) {
  double steps = fmin(steps_ns, length->window_ns);
  return steps + (length->window_ns - steps) * control_scale(length, ns);
}

double control_narrowed(const struct control_length *length, double ns, double steps_ns,
                        double window_ns) {
  double steps = fmin(steps_ns, window_ns);
  return steps + (window_ns - steps) / control_scale(length, ns);
}

double control_delays_per_s(const struct control *control, double low_ns, double high_ns,
                            double *error) {
  size_t delays = 0;
  for (size_t i = 0; i < control->length_count; i++)
    for (size_t k = 0; k < control->lengths[i].count; k++)
      delays += control->lengths[i].points[k].extra > low_ns &&
                control->lengths[i].points[k].extra <= high_ns;
  double seconds = control->time_ns * 1e-9;
  *error = seconds > 0 ? sqrt((double)delays + 1) / seconds : INFINITY;
  return seconds > 0 ? (double)delays / seconds : 0;
}

double control_cold_share(const struct control *control, size_t begin, size_t end, double low_ns,
                          double high_ns) {
  size_t late = 0;
  for (size_t i = begin; i < end; i++)
    late += control->cold.points[i].extra > low_ns && control->cold.points[i].extra <= high_ns;
  return end > begin ? (double)late / (double)(end - begin) : 0;
}

void control_part(const struct control_length *length, uint32_t first, uint32_t last, size_t *begin,
                  size_t *end) {
  size_t from = 0, to, n = length->count;
  while (from < n && length->points[from].when < first)
    from++;
  to = from;
  while (to < n && length->points[to].when <= last)
    to++;
  for (bool forward = true; to - from < CONTROL_PART && to - from < n; forward = !forward) {
    if (forward && to < n)
      to++;
    else if (!forward && from > 0)
      from--;
  }
  *begin = from;
  *end = to;
}
