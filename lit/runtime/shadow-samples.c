// Samples really look: a word that is touched all the time counts in each interval, and once in each; a word that is
// touched once counts in one, as does one of objects that came and went between two samples.
// REQUIRES: plugin, runtime, tool, x86_64
// RUN: %reticle_cc -O2 -g -fplugin-arg-reticle-features=shadow %s -o %t
// RUN: %env_reticle:shadow_hz=50 %t 20 && %python %support/sites.py --heat %reticle %t.prof -- always gone | %FileCheck %s
// RUN: %env_reticle:shadow_hz=2 %t 2 && %python %support/sites.py --heat %reticle %t.prof -- always gone | %FileCheck --check-prefix=FEW %s
// Word 0 all the time, word 16 once, each object of `gone` once.
// CHECK-DAG: always heat 0:{{[1-9][0-9]}} 64:1{{$}}
// CHECK-DAG: gone heat 0:100{{$}}
// FEW-DAG: always heat 0:{{[1-5]}} 64:1{{$}}
// FEW-DAG: gone heat 0:100{{$}}
#include <reticle.h>
#include <stdlib.h>

__attribute__((noinline)) static volatile int *always(void) {
  volatile int *p = aligned_alloc(64, 256);
  p[16] = 1;
  return p;
}
__attribute__((noinline)) static void gone(void) {
  volatile int *p = aligned_alloc(64, 64);
  for (int i = 0; i < 1000; i++)
    p[0]++;
  free((void *)p);
}

int main(int argc, char **argv) {
  volatile int *p = always();
  for (int i = 0; i < 100; i++)
    gone();
  long start = RETICLE_SHADOW_SAMPLES();
  while (RETICLE_SHADOW_SAMPLES() < start + atoi(argv[1]))
    for (int i = 0; i < 1000; i++)
      p[0]++;
  return start < 0;
}
