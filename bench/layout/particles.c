// particles.c - particles as an array of structs: most loops read the positions alone
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// usage: particles COUNT STEPS
//
// CHANGED: positions are an array of their own.
#include <stdio.h>
#include <stdlib.h>

#ifdef CHANGED
struct position {
  double x, y, z;
};
static struct position *positions;
#define P(i) positions[i].
#else
#define P(i) particles[i].
#endif

struct particle {
#ifndef CHANGED
  double x, y, z;
#endif
  double vx, vy, vz, mass, charge;
  long id, cell, kind, flags;
};
static struct particle *particles;

__attribute__((noinline)) static long count_inside(long count, double radius) {
  long inside = 0;
  for (long i = 0; i < count; i++)
    inside += P(i) x * P(i) x + P(i) y * P(i) y + P(i) z * P(i) z < radius * radius;
  return inside;
}

__attribute__((noinline)) static void move(long count, double dt) {
  for (long i = 0; i < count; i++) {
    P(i) x += dt * particles[i].vx;
    P(i) y += dt * particles[i].vy;
    P(i) z += dt * particles[i].vz;
  }
}

int main(int argc, char **argv) {
  long count = argc > 2 ? atol(argv[1]) : 1000000, steps = argc > 2 ? atol(argv[2]) : 12;
  long inside = 0;
#ifdef CHANGED
  positions = calloc((size_t)count, sizeof(struct position));
  if (!positions)
    return 1;
#endif
  particles = calloc((size_t)count, sizeof(struct particle));
  if (!particles)
    return 1;
  for (long i = 0; i < count; i++) {
    P(i) x = (double)(i % 100), P(i) y = (double)(i % 89), P(i) z = (double)(i % 97);
    particles[i].vx = 1, particles[i].vy = 2, particles[i].vz = 3;
  }
  for (long k = 0; k < steps; k++) {
    for (int radius = 1; radius <= 10; radius++)
      inside += count_inside(count, 10 * radius);
    move(count, 0.01);
  }
  printf("%ld\n", inside);
  return 0;
}
