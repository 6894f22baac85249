// search.c - nuclide grids as XSBench has them: a binary search by energy, then all of two points
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// usage: search GRIDS POINTS LOOKUPS
//
// CHANGED: energies stand in an array of their own, beside the points, and the search reads those.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

struct point {
  double energy, total_xs, elastic_xs, absorbtion_xs, fission_xs, nu_fission_xs;
};

static uint64_t state = 1;

static double uniform(void) {
  state = state * UINT64_C(6364136223846793005) + 1442695040888963407;
  return (double)(state >> 11) * 0x1p-53;
}

#ifdef CHANGED
#define KEY(grid, i) (grid)[i]
typedef const double *keys;
#else
#define KEY(grid, i) (grid)[i].energy
typedef const struct point *keys;
#endif

static long search(keys grid, long count, double energy) {
  long lower = 0, length = count - 1;
  while (length > 1) {
    long middle = lower + length / 2;
    if (KEY(grid, middle) > energy)
      length = middle - lower;
    else {
      length = lower + length - middle;
      lower = middle;
    }
  }
  return lower;
}

__attribute__((noinline)) static void look_up(const struct point *low, double energy, double *xs) {
  const struct point *high = low + 1;
  double f = (high->energy - energy) / (high->energy - low->energy);
  xs[0] += high->total_xs - f * (high->total_xs - low->total_xs);
  xs[1] += high->elastic_xs - f * (high->elastic_xs - low->elastic_xs);
  xs[2] += high->absorbtion_xs - f * (high->absorbtion_xs - low->absorbtion_xs);
  xs[3] += high->fission_xs - f * (high->fission_xs - low->fission_xs);
  xs[4] += high->nu_fission_xs - f * (high->nu_fission_xs - low->nu_fission_xs);
}

int main(int argc, char **argv) {
  long grids = argc > 3 ? atol(argv[1]) : 120, points = argc > 3 ? atol(argv[2]) : 11303;
  long lookups = argc > 3 ? atol(argv[3]) : 40000;
  struct point *all = malloc((size_t)(grids * points) * sizeof(struct point));
  double *energies = malloc((size_t)(grids * points) * sizeof(double)), xs[5] = {0};
  if (!all || !energies || points < 2)
    return 1;
  for (long i = 0; i < grids * points; i++) {
    all[i] = (struct point){((double)(i % points) + uniform()) / (double)points,
                            uniform(),
                            uniform(),
                            uniform(),
                            uniform(),
                            uniform()};
    energies[i] = all[i].energy;
  }
  for (long k = 0; k < lookups; k++) {
    double energy = uniform();
    for (long g = 0; g < grids; g++) {
#ifdef CHANGED
      long at = search(energies + g * points, points, energy);
#else
      long at = search(all + g * points, points, energy);
#endif
      look_up(all + g * points + at, energy, xs);
    }
  }
  printf("%.6f %.6f %.6f %.6f %.6f\n", xs[0], xs[1], xs[2], xs[3], xs[4]);
  free(energies);
  free(all);
  return 0;
}
