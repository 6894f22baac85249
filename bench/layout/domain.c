// domain.c - one large object, as LULESH's Domain: three of its fields are hot
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// usage: domain ELEMENTS STEPS
//
// CHANGED: the three hot fields are a struct of their own.
#include <stdio.h>
#include <stdlib.h>

#ifdef CHANGED
struct hot {
  double *x;
  double *e;
  double dt;
};
#define HOT d->hot->
#else
#define HOT d->
#endif

struct domain {
#ifdef CHANGED
  struct hot *hot;
  double *coordinates[23];
  double constants[24];
  double times[24];
#else
  double *x;
  double *coordinates[23];
  double *e;
  double constants[24];
  double dt;
  double times[24];
#endif
  long cycle, count;
};

__attribute__((noinline)) static double energy(const struct domain *d, long i) {
  return HOT e[i] * HOT dt + HOT x[i];
}

__attribute__((noinline)) static void step(struct domain *d) {
  for (long i = 0; i < d->count; i++)
    HOT x[i] += 1e-9 * energy(d, i);
  d->times[d->cycle % 24] = HOT dt;
  d->cycle++;
}

int main(int argc, char **argv) {
  long count = argc > 2 ? atol(argv[1]) : 1000, steps = argc > 2 ? atol(argv[2]) : 400000;
  struct domain *d = calloc(1, sizeof(struct domain));
  if (!d)
    return 1;
#ifdef CHANGED
  d->hot = calloc(1, sizeof(struct hot));
  if (!d->hot)
    return 1;
#endif
  HOT x = calloc((size_t)count, sizeof(double));
  HOT e = calloc((size_t)count, sizeof(double));
  if (!HOT x || !HOT e)
    return 1;
  d->count = count;
  HOT dt = 0.5;
  for (long i = 0; i < count; i++)
    HOT e[i] = (double)i;
  for (long k = 0; k < steps; k++)
    step(d);
  printf("%.9f %ld\n", HOT x[count - 1], d->cycle);
  return 0;
}
