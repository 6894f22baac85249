// A process that is killed long after its living objects were looked at leaves a profile in which none counts twice.
// REQUIRES: plugin, runtime, tool, x86_64
// RUN: rm -rf %t && mkdir -p %t
// RUN: %reticle_cc -fplugin-arg-reticle-features=shadow -O1 -g %s -o %t/app
// A look takes milliseconds, so with 0.1 % of the time the next comes after seconds: the first one has some of the objects, and counts.
// Where a run has no such look, nothing was touched, and that isn't counted twice either.
// RUN: RETICLE_OPTIONS=report=0:checkpoint_ms=150:shadow_budget=0.1%%:out=%t/k.prof sh -c "%t/app %t/k.prof; true"; %python %support/sites.py %reticle %t/k.prof -- main > %t/out && %FileCheck --input-file %t/out %s
// CHECK: heap main objects 200000 live {{[0-9]+}} touched {{1?[0-9]?[0-9]?[0-9]?[0-9]?[0-9]|200000}} bytes
#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { OBJECTS = 200000, WORDS = 64 };
static volatile int *objects[OBJECTS];

/// Until a checkpoint is written: one that took long is not followed by another at once.
static void await_checkpoint(const char *path) {
  struct timespec from;
  struct stat status;
  clock_gettime(CLOCK_REALTIME, &from);
  for (int i = 0; i < 300; i++, usleep(100000))
    if (stat(path, &status) == 0 && status.st_mtim.tv_sec > from.tv_sec)
      return;
}

int main(int argc, char **argv) {
  for (int i = 0; i < OBJECTS; i++) {
    objects[i] = malloc(WORDS * sizeof(int));
    for (int k = 0; k < WORDS; k++)
      objects[i][k] = i;
  }
  usleep(300000);
  for (int i = 0; i < OBJECTS; i++)
    free((void *)objects[i]);
  await_checkpoint(argv[argc - 1]);
  raise(SIGKILL);
  return 0;
}
