// Time in which the process was stopped is told, and is in no share and in no execution.
// REQUIRES: plugin, runtime, tool
// RUN: rm -rf %t && mkdir -p %t
// RUN: %reticle_cc -O2 -g %s -o %t/app
// RUN: cd %t && %python %support/stopped.py %reticle ./app
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static volatile unsigned sink;

__attribute__((noinline)) void work(int n) {
  for (int i = 0; i < n; i++)
    sink = sink * 3 + (unsigned)i;
}

// So many iterations of a pause and some work.
__attribute__((noinline)) void whole(int turns) {
  for (int i = 0; i < turns; i++) {
    usleep(1000);
    work(100000);
  }
}

int main(int count, char **arguments) {
  whole(count > 1 ? atoi(arguments[1]) : 100);
  return 0;
}
