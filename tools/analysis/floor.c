// floor.c - see floor.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/analysis/floor.h"

#include "tools/analysis/noise_filter.h"
#include "tools/analysis/statistics.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static struct quantity from_ps(uint64_t ps) {
  if (ps == 0)
    return quantity_none(QUANTITY_UNSUPPORTED, "the timing floor of this machine is not measured");
  double ns = (double)ps / 1000;
  return quantity_of(ns, ns, ns);
}

void floor_from_env(const struct profile_env *env, struct timing_floor *out) {
  *out = (struct timing_floor){.t_e_ns = from_ps(env->floor_t_e_ps),
                               .t_min_ns = from_ps(env->floor_t_min_ps),
                               .t_diff_ns = from_ps(env->floor_t_diff_ps),
                               .time_s = env->floor_time_s};
}

/// Copies, sorts and filters a row. room: [n]. Returns how many stay.
static size_t filtered(const double *ns, size_t n, double step_ns, double *room) {
  memcpy(room, ns, n * sizeof *room);
  statistics_sort(room, n);
  return noise_filter_robust(room, n, step_ns).kept;
}

int floor_t_e(const double *ns, size_t n, double step_ns, struct quantity *out) {
  if (n < 64) {
    *out = quantity_none(QUANTITY_TOO_FEW, "fewer than 64 timings of an empty pair");
    return 0;
  }
  double *sorted = malloc(n * sizeof *sorted);
  if (!sorted)
    return RETICLE_E_MEMORY;
  size_t kept = filtered(ns, n, step_ns, sorted);
  double mean = statistics_trimmed_mean(sorted, kept, 0.1);
  double error = statistics_trimmed_error(sorted, kept, 0.1);
  free(sorted);
  *out = quantity_of(mean, mean - STATISTICS_Z95 * error, mean + STATISTICS_Z95 * error);
  return 0;
}

/// Coefficient of variation of one row after the filter; infinite when nothing is left of the
/// duration.
static double variation(const double *ns, size_t n, double t_e_ns, double step_ns, double *room) {
  size_t kept = filtered(ns, n, step_ns, room);
  double mean = statistics_mean(room, kept) - t_e_ns;
  return mean > 0 ? statistics_deviation(room, kept) / mean : INFINITY;
}

/// Whether the point's median CV is small enough. 1, 0, or RETICLE_E_MEMORY.
static int point_passes(const struct floor_point *point, double t_e_ns, double step_ns) {
  double *room = malloc(point->samples * sizeof *room);
  double *cv = malloc(point->repeats * sizeof *cv);
  int result = RETICLE_E_MEMORY;
  if (room && cv) {
    for (size_t i = 0; i < point->repeats; i++)
      cv[i] = variation(point->ns + i * point->samples, point->samples, t_e_ns, step_ns, room);
    statistics_sort(cv, point->repeats);
    // The upper one of two middle values: no mean, for one may be infinite.
    result = cv[point->repeats / 2] < FLOOR_CV;
  }
  free(room);
  free(cv);
  return result;
}

int floor_t_min(const struct floor_point *points, size_t n, double t_e_ns, double step_ns,
                struct quantity *out) {
  size_t run = 0;
  for (size_t i = 0; i < n; i++) {
    int passes = point_passes(&points[i], t_e_ns, step_ns);
    if (passes < 0)
      return passes;
    run = passes ? run + 1 : 0;
    if (run == FLOOR_RUN) {
      size_t first = i + 1 - FLOOR_RUN;
      *out = quantity_of(points[first].true_ns, first ? points[first - 1].true_ns : 0,
                         points[first].true_ns);
      return 0;
    }
  }
  *out = n < FLOOR_RUN
             ? quantity_none(QUANTITY_TOO_FEW, "too few points of the grid")
             : quantity_none(QUANTITY_TOO_NOISY, "no duration of the grid was measured within 1 %");
  return 0;
}

/// One pair of rows: share of the second below the first's 95th percentile, or 1 when the means do
/// not show the difference. room: [samples].
static double likeness(const struct floor_step *step, size_t pair, double step_ns, double *room) {
  const double *second = step->second + pair * step->samples;
  size_t kept = filtered(step->first + pair * step->samples, step->samples, step_ns, room);
  double first_mean = statistics_mean(room, kept);
  // The percentile is that of all samples: noise is what makes two durations look alike.
  double limit = statistics_quantile(room, step->samples, 0.95);
  size_t below = 0;
  for (size_t i = 0; i < step->samples; i++)
    below += second[i] < limit;
  kept = filtered(second, step->samples, step_ns, room);
  if (statistics_mean(room, kept) - first_mean < step->delta_ns / 2)
    return 1;
  return (double)below / (double)step->samples;
}

/// Whether the middle one of the pairs is told apart. 1, 0, or RETICLE_E_MEMORY.
static int step_passes(const struct floor_step *step, double step_ns) {
  double *room = malloc(step->samples * sizeof *room);
  double *shares = malloc(step->pairs * sizeof *shares);
  int result = RETICLE_E_MEMORY;
  if (room && shares) {
    for (size_t i = 0; i < step->pairs; i++)
      shares[i] = likeness(step, i, step_ns, room);
    statistics_sort(shares, step->pairs);
    result = shares[step->pairs / 2] <= FLOOR_ALPHA;
  }
  free(room);
  free(shares);
  return result;
}

int floor_t_diff(const struct floor_step *steps, size_t n, double step_ns, struct quantity *out) {
  for (size_t i = 0; i < n; i++) {
    int passes = step_passes(&steps[i], step_ns);
    if (passes < 0)
      return passes;
    if (passes) {
      *out = quantity_of(steps[i].delta_ns, i ? steps[i - 1].delta_ns : 0, steps[i].delta_ns);
      return 0;
    }
  }
  *out = n == 0 ? quantity_none(QUANTITY_TOO_FEW, "no differences were tried")
                : quantity_none(QUANTITY_TOO_NOISY, "no difference that was tried is told apart");
  return 0;
}
