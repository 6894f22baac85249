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
/// Chains in a part of the run without which the whole run stands for it.
#define PART_SAMPLES 20

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

/// Sets extra, usual_ns and window_ns. room: [count].
static void describe(struct control_length *length, double pair_ns, double *room) {
  size_t n = length->count, kept = 0;
  qsort(length->points, n, sizeof *length->points, compare_point);
  length->usual_ns = median_of(length->points, n, room) - pair_ns;
  size_t groups = n / NEIGHBOURS ? n / NEIGHBOURS : 1;
  for (size_t g = 0; g < groups; g++) {
    size_t first = g * n / groups, end = (g + 1) * n / groups;
    double usual = median_of(length->points + first, end - first, room);
    for (size_t i = first; i < end; i++)
      length->points[i].extra = length->points[i].ns - usual;
  }
  for (size_t i = 0; i < n; i++)
    if (length->points[i].extra <= NOISE_NS)
      room[kept++] = length->points[i].extra;
  statistics_sort(room, kept);
  size_t held = (size_t)ceil(WINDOW_HOLDS * (double)kept);
  length->window_ns = INFINITY;
  for (size_t i = 0; held && i + held <= kept; i++) {
    if (room[i + held - 1] - room[i] >= length->window_ns)
      continue;
    length->window_ns = room[i + held - 1] - room[i];
    length->low_ns = room[i];
  }
}

static int fill(const struct profile *profile, struct control *control) {
  double tick_ns = 1e9 / (double)profile->env.timer_hz, *room;
  for (size_t i = 0; i < profile->chain_count; i++) {
    const struct profile_chain *chain = &profile->chain[i];
    control->samples++;
    struct control_length *length = length_of(control, chain->adds);
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
  room = calloc(profile->chain_count + 1, sizeof *room);
  if (!room)
    return RETICLE_E_MEMORY;
  for (size_t i = 0; i < control->length_count; i++)
    if (control->lengths[i].count) {
      describe(&control->lengths[i], (double)profile->env.pair_ticks / 256 * tick_ns, room);
      control->time_ns += control->lengths[i].usual_ns * (double)control->lengths[i].count;
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

double control_scale(const struct control_length *length, double ns) {
  return fmax(1, ns / length->usual_ns);
}

double control_window(const struct control_length *length, double ns) {
  return length->window_ns * control_scale(length, ns);
}

double control_delays_per_s(const struct control *control, double extra_ns, double *error) {
  size_t delays = 0;
  for (size_t i = 0; i < control->length_count; i++)
    for (size_t k = 0; k < control->lengths[i].count; k++)
      delays += control->lengths[i].points[k].extra > extra_ns;
  double seconds = control->time_ns * 1e-9;
  *error = seconds > 0 ? sqrt((double)delays + 1) / seconds : INFINITY;
  return seconds > 0 ? (double)delays / seconds : 0;
}

double control_share(const struct control_length *length, double ns, uint32_t first, uint32_t last,
                     double window_ns, double high_ns, double *error) {
  size_t part = 0, part_slow = 0, slow = 0;
  double scale = control_scale(length, ns), above = length->low_ns + window_ns / scale;
  for (size_t i = 0; i < length->count; i++) {
    const struct control_point *point = &length->points[i];
    bool is_slow = point->extra > above && point->extra <= high_ns;
    slow += is_slow;
    if (point->when < first || point->when > last)
      continue;
    part++;
    part_slow += is_slow;
  }
  if (part >= PART_SAMPLES) {
    *error = 0;
    return fmin(1, scale * (double)part_slow / (double)part);
  }
  double n = (double)length->count, p = ((double)slow + 1) / (n + 2); // 0 of 40 is not never
  *error = scale * sqrt(p * (1 - p) / n);
  return fmin(1, scale * (double)slow / n);
}

double control_level(const struct control_length *length, uint32_t first, uint32_t last) {
  // A sum of few would do, but a level that interrupts can't move is wanted: the middle one.
  size_t begin = 0, end;
  while (begin < length->count && length->points[begin].when < first)
    begin++;
  end = begin;
  while (end < length->count && length->points[end].when <= last)
    end++;
  if (end - begin < 3)
    return NAN;
  double room[NEIGHBOURS];
  size_t n = end - begin < NEIGHBOURS ? end - begin : NEIGHBOURS;
  for (size_t i = 0; i < n; i++)
    room[i] = length->points[begin + i * (end - begin) / n].ns;
  statistics_sort(room, n);
  return statistics_quantile(room, n, 0.5);
}
