// floor.c - reads the timing floor of a profile's environment: cost of a reading, t_min, t_diff.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/analysis/run/floor.h"

#include "tools/analysis/run/calibration_rules.h"
#include "tools/analysis/stats/noise_filter.h"
#include "tools/analysis/stats/statistics.h"
#include "tools/support/memory.h"

#include <math.h>
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

struct quantity floor_t_e(const double *ns, size_t n, double step_ns) {
  if (n < 64)
    return quantity_none(QUANTITY_TOO_FEW, "fewer than 64 timings of an empty pair");
  double *sorted = memory_zeroed(n, sizeof *sorted);
  memcpy(sorted, ns, n * sizeof *sorted);
  statistics_sort(sorted, n);
  size_t kept = noise_filter_robust(sorted, n, step_ns).kept;
  double mean = statistics_trimmed_mean(sorted, kept, 0.1);
  double error = statistics_trimmed_error(sorted, kept, 0.1);
  free(sorted);
  return quantity_of(mean, mean - STATISTICS_Z95 * error, mean + STATISTICS_Z95 * error);
}

/// Whether the point's median CV is small enough.
static bool point_passes(const struct floor_point *point, double t_e_ns, double step_ns) {
  double *room = memory_zeroed(point->samples, sizeof *room);
  double *cv = memory_zeroed(point->repeats, sizeof *cv);
  struct calibration_row row = {.n = point->samples, .tick = step_ns, .room = room};
  for (size_t i = 0; i < point->repeats; i++) {
    row.timings = point->ns + i * point->samples;
    cv[i] = calibration_variation(&row, t_e_ns);
  }
  bool passes = calibration_middle(cv, point->repeats) < FLOOR_CV;
  free(room);
  free(cv);
  return passes;
}

struct quantity floor_t_min(const struct floor_point *points, size_t n, double t_e_ns,
                            double step_ns) {
  size_t run = 0;
  for (size_t i = 0; i < n; i++) {
    run = point_passes(&points[i], t_e_ns, step_ns) ? run + 1 : 0;
    if (run == FLOOR_RUN) {
      size_t first = i + 1 - FLOOR_RUN;
      return quantity_of(points[first].true_ns, first ? points[first - 1].true_ns : 0,
                         points[first].true_ns);
    }
  }
  return n < FLOOR_RUN
             ? quantity_none(QUANTITY_TOO_FEW, "too few points of the grid")
             : quantity_none(QUANTITY_TOO_NOISY, "no duration of the grid was measured within 1 %");
}

/// Whether the middle one of the pairs is told apart.
static bool step_passes(const struct floor_step *step, double step_ns) {
  double *room = memory_zeroed(step->samples, sizeof *room);
  double *shares = memory_zeroed(step->pairs, sizeof *shares);
  struct calibration_row first = {.n = step->samples, .tick = step_ns, .room = room};
  for (size_t i = 0; i < step->pairs; i++) {
    first.timings = step->first + i * step->samples;
    shares[i] = calibration_overlap(&first, step->second + i * step->samples, step->delta_ns);
  }
  bool passes = calibration_middle(shares, step->pairs) <= FLOOR_ALPHA;
  free(room);
  free(shares);
  return passes;
}

struct quantity floor_t_diff(const struct floor_step *steps, size_t n, double step_ns) {
  for (size_t i = 0; i < n; i++)
    if (step_passes(&steps[i], step_ns))
      return quantity_of(steps[i].delta_ns, i ? steps[i - 1].delta_ns : 0, steps[i].delta_ns);
  return n == 0 ? quantity_none(QUANTITY_TOO_FEW, "no differences were tried")
                : quantity_none(QUANTITY_TOO_NOISY, "no difference that was tried is told apart");
}
