// rebound.c - a million test particles around a star and two planets, with rebound's library.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <math.h>
#include <rebound.h>
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv) {
  size_t n = argc > 1 ? strtoull(argv[1], 0, 10) : 1000000,
         steps = argc > 2 ? strtoull(argv[2], 0, 10) : 40;
  struct reb_simulation *r = reb_simulation_create();
  reb_simulation_set_integrator(r, "leapfrog");
  r->dt = 0.01;
  r->rand_seed = 1;
  struct reb_particle star = {.m = 1};
  reb_simulation_add(r, star);
  for (int k = 0; k < 2; k++)
    reb_simulation_add(r, reb_particle_from_orbit(1., r->particles[0], 1e-3, 5.2 + 4 * k, 0.05, 0.,
                                                  0., 0., 1. + k));
  r->N_active = r->N;
  for (size_t i = 0; i < n; i++) {
    double a = reb_random_uniform(r, 0.4, 20.), e = reb_random_uniform(r, 0.01, 0.2);
    double omega = reb_random_uniform(r, 0., 2. * M_PI), f = reb_random_uniform(r, 0., 2. * M_PI);
    reb_simulation_add(r, reb_particle_from_orbit(1., r->particles[0], 0., a, e, 0., 0., omega, f));
  }
  reb_simulation_steps(r, steps);
  double sum = 0;
  for (size_t i = 0; i < r->N; i++)
    sum += r->particles[i].x + r->particles[i].vy;
  printf("%.12g\n", sum);
  reb_simulation_free(r);
}
