// floor.h - the timings from which the quick floor is worked out.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_RUNTIME_HARNESS_FLOOR_H
#define RETICLE_RUNTIME_HARNESS_FLOOR_H

#include <stddef.h>

enum {
  HARNESS_FLOOR_EMPTY = 2000,
  HARNESS_FLOOR_POINTS = 20, ///< geometric, 50 ns to some 15 us
  HARNESS_FLOOR_REPEATS = 7,
  HARNESS_FLOOR_SAMPLES = 200, ///< in each row
  HARNESS_FLOOR_STEPS = 14,    ///< differences, some 1 ns to 300 ns
  HARNESS_FLOOR_PAIRS = 7,
};

/// All in ns, the timer's own cost included. Owned: harness_floor_release.
struct harness_floor {
  double step_ns; ///< smallest step that the timer takes
  double *empty;  ///< [HARNESS_FLOOR_EMPTY] nothing between the two reads, dithered
  double point_ns[HARNESS_FLOOR_POINTS]; ///< true durations, ascending
  double *points;                        ///< [POINTS][REPEATS][SAMPLES]
  double delta_ns[HARNESS_FLOOR_STEPS];  ///< true differences, ascending
  double *first;                         ///< [STEPS][PAIRS][SAMPLES] of one load, some 600 ns
  double *second; ///< [STEPS][PAIRS][SAMPLES] of a load that takes delta_ns longer
};

/// About 0.4 s. Returns 0, -1 without memory or when the timer doesn't advance evenly.
int harness_floor_measure(struct harness_floor *out);
void harness_floor_release(struct harness_floor *floor);

#endif
