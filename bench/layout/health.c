// health.c - lists of patients as in Olden's health: a step looks at a few fields of a large record
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// usage: health PATIENTS STEPS
//
// CHANGED: what a step looks at lies together, in front.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

struct patient {
#ifdef CHANGED
  struct patient *forward;
  long time_left;
  long time;
  char name[56];
  char address[56];
  char history[56];
#else
  char name[56];
  struct patient *forward;
  char address[56];
  long time_left;
  char history[56];
  long time;
#endif
};

__attribute__((noinline)) static long treat(struct patient *first) {
  long done = 0;
  for (struct patient *p = first; p; p = p->forward) {
    p->time++;
    if (--p->time_left == 0) {
      p->time_left = 17;
      done++;
    }
  }
  return done;
}

int main(int argc, char **argv) {
  size_t count = argc > 2 ? (size_t)atol(argv[1]) : 500000;
  long steps = argc > 2 ? atol(argv[2]) : 20, done = 0;
  struct patient **all = malloc(count * sizeof *all);
  uint32_t r = 1;
  if (!all || !count)
    return 1;
  for (size_t i = 0; i < count; i++) {
    all[i] = calloc(1, sizeof(struct patient));
    if (!all[i])
      return 1;
    all[i]->time_left = 1 + (long)(i % 17);
  }
  for (size_t i = count - 1; i > 0; i--) {
    r = r * 1664525u + 1013904223u;
    size_t j = (uint64_t)r * (i + 1) >> 32;
    struct patient *swapped = all[i];
    all[i] = all[j];
    all[j] = swapped;
  }
  for (size_t i = 0; i + 1 < count; i++)
    all[i]->forward = all[i + 1];
  for (long k = 0; k < steps; k++)
    done += treat(all[0]);
  printf("%ld\n", done);
  return 0;
}
