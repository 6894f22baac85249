// Accesses that the vectorisers put together count for each field as without them, to the count.
// REQUIRES: plugin, runtime, tool, x86_64, llvm-19
// LLVM 22 loads s127's d[i] once for two reads when it vectorises, and one im more of 3,009: two counts differ there.
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %reticle_cc -w -O3 -fno-slp-vectorize -fno-vectorize -g -fplugin-arg-reticle-features=field %s -o app && %env_reticle ./app && %python %support/structs.py %reticle %t.prof > plain.txt
// RUN: %FileCheck --input-file plain.txt %s
// CHECK: arrays:{{[0-9]+}} 16048 a @0 R 501 W 2506
// CHECK: particle:{{[0-9]+}} 96 x @0 R 1004 W 1003
// CHECK: point:{{[0-9]+}} 48 energy @0 R 3003
// CHECK: point:{{[0-9]+}} 48 nu_fission_xs @40 R 3003
// CHECK-NOT: unplaced
// RUN: for o in "-O3" "-O2 -ffast-math" "-O3 -mavx2" "-O3 -mavx2 -mfma -ffast-math"; do rm -f %t.prof; %reticle_cc -w $o -g -fplugin-arg-reticle-features=field %s -o app && %env_reticle ./app && %python %support/structs.py %reticle %t.prof > vector.txt && diff plain.txt vector.txt || { echo "with $o"; exit 1; }; done
// They are vectorised, or there was nothing to test.
// RUN: %clang -w -O3 -mavx2 -S -emit-llvm %s -o - | %FileCheck --check-prefix=LOAD %s
// LOAD: load <{{[0-9]+}} x double>, ptr
#include <stdlib.h>

// XSBench: two neighbours of a grid.
struct point {
  double energy, total_xs, elastic_xs, absorbtion_xs, fission_xs, nu_fission_xs;
};
__attribute__((noinline)) void look_up(const struct point *low, double energy, double *xs) {
  const struct point *high = low + 1;
  double f = (high->energy - energy) / (high->energy - low->energy);
  xs[0] = high->total_xs - f * (high->total_xs - low->total_xs);
  xs[1] = high->elastic_xs - f * (high->elastic_xs - low->elastic_xs);
  xs[2] = high->absorbtion_xs - f * (high->absorbtion_xs - low->absorbtion_xs);
  xs[3] = high->fission_xs - f * (high->fission_xs - low->fission_xs);
  xs[4] = high->nu_fission_xs - f * (high->nu_fission_xs - low->nu_fission_xs);
}
__attribute__((noinline)) void sum_up(const struct point *p, long n, double *xs) {
  for (long i = 0; i < n; i++) {
    xs[0] += p[i].total_xs;
    xs[1] += p[i].elastic_xs;
    xs[2] += p[i].absorbtion_xs;
    xs[3] += p[i].fission_xs;
    xs[4] += p[i].nu_fission_xs * p[i].energy;
  }
}

struct particle {
  double x, y, z, vx, vy, vz, mass, charge;
  long id, cell, kind, flags;
};
__attribute__((noinline)) void push(struct particle *p, long n, double dt) {
  for (long i = 0; i < n; i++) {
    p[i].x += dt * p[i].vx;
    p[i].y += dt * p[i].vy;
    p[i].z += dt * p[i].vz;
  }
}
__attribute__((noinline)) void reset(struct particle *p, long n) {
  for (long i = 0; i < n; i++) {
    p[i].vx = p[i].vy = p[i].vz = 0.5;
    p[i].id = i;
    p[i].cell = i * 3;
  }
}

struct complex {
  double re, im;
};
__attribute__((noinline)) double norm(const struct complex *c, long n) {
  double sum = 0;
  for (long i = 0; i < n; i++)
    sum += c[i].re * c[i].re + c[i].im * c[i].im;
  return sum;
}
__attribute__((noinline)) void multiply(struct complex *a, const struct complex *b, long n) {
  for (long i = 0; i < n; i++) {
    double re = a[i].re * b[i].re - a[i].im * b[i].im;
    a[i].im = a[i].re * b[i].im + a[i].im * b[i].re;
    a[i].re = re;
  }
}

// TSVC: arrays in one object.
struct arrays {
  float a[1003], b[1003], c[1003], d[1003];
};
__attribute__((noinline)) void s000(struct arrays *s) {
  for (int i = 0; i < 1003; i++)
    s->a[i] = s->b[i] + 1;
}
__attribute__((noinline)) void s111(struct arrays *s) {
  for (int i = 1; i < 1003; i += 2)
    s->a[i] = s->a[i - 1] + s->b[i];
}
__attribute__((noinline)) void s127(struct arrays *s) {
  int j = -1;
  for (int i = 0; i < 1003 / 2; i++) {
    s->a[++j] = s->b[i] + s->c[i] * s->d[i];
    s->a[++j] = s->b[i] + s->d[i];
  }
}

// A struct in a struct.
struct colour {
  int r, g, b, a;
};
struct pixel {
  long at;
  struct colour colour;
  long mask;
};
__attribute__((noinline)) void fade(struct pixel *p) {
  p->colour.r /= 2;
  p->colour.g /= 2;
  p->colour.b /= 2;
  p->colour.a /= 2;
}

int main(void) {
  struct point *points = calloc(1003, sizeof *points);
  struct particle *particles = calloc(1003, sizeof *particles);
  struct complex *a = calloc(1003, sizeof *a), *b = calloc(1003, sizeof *b);
  struct arrays *s = calloc(1, sizeof *s);
  struct pixel *pixel = calloc(1, sizeof *pixel);
  pixel->colour = (struct colour){9, 8, 7, 6};
  double xs[5] = {0};
  for (int i = 0; i < 1000; i++)
    look_up(points + i, 0.5, xs);
  sum_up(points, 1003, xs);
  reset(particles, 1003);
  push(particles, 1003, 0.5);
  multiply(a, b, 1003);
  s000(s);
  s111(s);
  s127(s);
  for (int i = 0; i < 7; i++)
    fade(pixel);
  volatile double kept = norm(a, 1003) + xs[0] + particles[5].x + pixel->colour.g;
  return 0;
}
