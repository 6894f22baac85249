// control.c - see control.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/analysis/control.h"

#include "tools/analysis/statistics.h"

#include <math.h>
#include <stdlib.h>

/// Part of the chains that the window holds. Source: issue and design of the detector.
#define WINDOW_HOLDS 0.95
/// Neighbours in time whose middle one is the usual duration there: a slower clock isn't jitter.
#define NEIGHBOURS 25
/// More than this beyond the usual is the system's (interrupts), not the processor's.
#define NOISE_NS 1000.0

static int compare_point(const void *left, const void *right) {
  const struct control_point *a = left, *b = right;
  if (a->when != b->when)
    return a->when < b->when ? -1 : 1;
  return (a->ns > b->ns) - (a->ns < b->ns);
}

/// The place of a length, made if it is new; null if there are too many.
static struct control_length *length_of(struct control *control, uint64_t adds) {
  for (size_t i = 0; i < control->length_count; i++)
    if (control->lengths[i].adds == adds)
      return &control->lengths[i];
  if (control->length_count == CONTROL_LENGTHS)
    return NULL;
  control->lengths[control->length_count].adds = adds;
  return &control->lengths[control->length_count++];
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
  size_t groups = n / NEIGHBOURS ? n / NEIGHBOURS : 1;
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
  size_t n = length->count, groups = n / NEIGHBOURS ? n / NEIGHBOURS : 1, used = 0;
  for (size_t g = 0; g < groups; g++) {
    size_t first = g * n / groups, end = (g + 1) * n / groups, kept = 0;
    for (size_t i = first; i < end; i++)
      if (length->points[i].extra <= NOISE_NS)
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

static int fill(const struct profile *profile, struct control *control) {
  double tick_ns = 1e9 / (double)profile->env.timer_hz, *room;
  for (size_t i = 0; i < profile->chain_count; i++) {
    const struct profile_chain *chain = &profile->chain[i];
    control->samples++;
    struct control_length *length =
        chain->flags & RETICLE_SAMPLE_COLD ? &control->cold : length_of(control, chain->adds);
    if (chain->flags & RETICLE_SAMPLE_MIGRATED) {
      control->migrated++;
      continue;
    }
    if (!length)
      continue;
    if (!length->points)
      length->points = calloc(profile->chain_count, sizeof *length->points);
    if (!length->points)
      return RETICLE_E_MEMORY;
    length->points[length->count++] =
        (struct control_point){.when = chain->when, .ns = (double)chain->duration_ticks * tick_ns};
  }
  room = calloc(2 * profile->chain_count + 1, sizeof *room);
  if (!room)
    return RETICLE_E_MEMORY;
  for (size_t i = 0; i < control->length_count; i++)
    if (control->lengths[i].count) {
      describe(&control->lengths[i], (double)profile->env.pair_ticks / 256 * tick_ns, room);
      find_window(&control->lengths[i], room);
      control->time_ns += control->lengths[i].usual_ns * (double)control->lengths[i].count;
    }
  if (control->cold.count) {
    describe(&control->cold, (double)profile->env.pair_ticks / 256 * tick_ns, room);
    find_window(&control->cold, room);
  }
  free(room);
  return 0;
}

int control_init(const struct profile *profile, struct control *out) {
  struct control control = {0};
  int result = profile->env.timer_hz ? fill(profile, &control) : 0;
  if (result)
    control_release(&control);
  else
    *out = control;
  return result;
}

void control_release(struct control *control) {
  for (size_t i = 0; i < control->length_count; i++)
    free(control->lengths[i].points);
  free(control->cold.points);
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

double control_window(const struct control_length *length, double ns) {
  return length->window_ns * control_scale(length, ns);
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
