// floor.c - the timings from which the quick floor is worked out.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/harness/floor.h"

#include "runtime/harness/chain.h"

#include <stdlib.h>

enum {
  POINTS = HARNESS_FLOOR_POINTS,
  REPEATS = HARNESS_FLOOR_REPEATS,
  SAMPLES = HARNESS_FLOOR_SAMPLES,
  STEPS = HARNESS_FLOOR_STEPS,
  PAIRS = HARNESS_FLOOR_PAIRS,
};

#define POINT_FIRST_NS 50.0
#define POINT_FACTOR 1.35 // geometric grid of docs/method/loops.md
#define BASE_NS 600.0     // the shortest duration that robust t_min reached on such machines
#define STEP_FIRST_NS 1.0
#define STEP_FACTOR 1.55

static uint32_t adds_for(const struct harness_clock *clock, double ns) {
  return (uint32_t)(ns / clock->ns_per_add + 0.5);
}

// Each repeat goes over the whole grid: a disturbance of some milliseconds spoils one repeat of
// each point, not all repeats of one.
static int measure_points(const struct harness_clock *clock, struct harness_floor *f) {
  double *row = malloc(sizeof *row * POINTS * SAMPLES);
  uint32_t adds[POINTS];
  double ns = POINT_FIRST_NS;
  if (!row)
    return -1;
  for (size_t p = 0; p < POINTS; p++, ns *= POINT_FACTOR) {
    adds[p] = adds_for(clock, ns);
    f->point_ns[p] = adds[p] * clock->ns_per_add;
  }
  for (size_t r = 0; r < REPEATS; r++) {
    harness_chain_times(clock, adds, POINTS, SAMPLES, row);
    for (size_t p = 0; p < POINTS; p++)
      for (size_t i = 0; i < SAMPLES; i++)
        f->points[(p * REPEATS + r) * SAMPLES + i] = row[p * SAMPLES + i];
  }
  free(row);
  return 0;
}

static int measure_steps(const struct harness_clock *clock, struct harness_floor *f) {
  double *row = malloc(sizeof *row * 2 * SAMPLES);
  uint32_t base = adds_for(clock, BASE_NS);
  double ns = STEP_FIRST_NS;
  if (!row)
    return -1;
  for (size_t s = 0; s < STEPS; s++, ns *= STEP_FACTOR) {
    uint32_t more = adds_for(clock, ns);
    if (s && (double)more * clock->ns_per_add <= f->delta_ns[s - 1])
      more = (uint32_t)(f->delta_ns[s - 1] / clock->ns_per_add + 1.5);
    f->delta_ns[s] = (more ? more : 1) * clock->ns_per_add;
    uint32_t adds[2] = {base, base + (more ? more : 1)};
    for (size_t p = 0; p < PAIRS; p++) {
      harness_chain_times(clock, adds, 2, SAMPLES, row);
      for (size_t i = 0; i < SAMPLES; i++) {
        f->first[(s * PAIRS + p) * SAMPLES + i] = row[i];
        f->second[(s * PAIRS + p) * SAMPLES + i] = row[SAMPLES + i];
      }
    }
  }
  free(row);
  return 0;
}

int harness_floor_measure(struct harness_floor *f) {
  struct harness_clock clock;
  const uint32_t nothing = 0;
  *f = (struct harness_floor){0};
  f->empty = malloc(sizeof(double) * HARNESS_FLOOR_EMPTY);
  f->points = malloc(sizeof(double) * POINTS * REPEATS * SAMPLES);
  f->first = malloc(sizeof(double) * STEPS * PAIRS * SAMPLES);
  f->second = malloc(sizeof(double) * STEPS * PAIRS * SAMPLES);
  if (f->empty && f->points && f->first && f->second && harness_clock_measure(&clock) == 0) {
    f->step_ns = clock.step_ns;
    harness_chain_times(&clock, &nothing, 1, HARNESS_FLOOR_EMPTY, f->empty);
    if (measure_points(&clock, f) == 0 && measure_steps(&clock, f) == 0)
      return 0;
  }
  harness_floor_release(f);
  return -1;
}

void harness_floor_release(struct harness_floor *f) {
  free(f->empty);
  free(f->points);
  free(f->first);
  free(f->second);
  *f = (struct harness_floor){0};
}
