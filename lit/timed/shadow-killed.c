// A process that is killed long after its living objects were looked at leaves a profile in which none counts twice.
// REQUIRES: plugin, runtime, tool, x86_64
// RUN: rm -rf %t && mkdir -p %t
// RUN: %reticle_cc -fplugin-arg-reticle-features=shadow -O1 -g %s -o %t/app
// A look takes milliseconds, so with 0.1 % of the time the next comes after seconds: the first one has some of the objects, and counts.
// Where a run has no such look, nothing was touched, and that isn't counted twice either.
// RUN: RETICLE_OPTIONS=report=0:checkpoint_ms=150:shadow_budget=0.1%%:out=%t/k.prof sh -c "%t/app; true"; %python %support/sites.py %reticle %t/k.prof -- main > %t/out && %FileCheck --input-file %t/out %s
// CHECK: heap main objects 200000 live {{[0-9]+}} touched {{1?[0-9]?[0-9]?[0-9]?[0-9]?[0-9]|200000}} bytes
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

enum { OBJECTS = 200000, WORDS = 64 };
static volatile int *objects[OBJECTS];

int main(void) {
  for (int i = 0; i < OBJECTS; i++) {
    objects[i] = malloc(WORDS * sizeof(int));
    for (int k = 0; k < WORDS; k++)
      objects[i][k] = i;
  }
  usleep(300000);
  for (int i = 0; i < OBJECTS; i++)
    free((void *)objects[i]);
  usleep(2500000); // a checkpoint is due by then, also where one took 10 ms
  raise(SIGKILL);
  return 0;
}
