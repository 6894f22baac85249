// Slow executions that come at regular times have a period; those of a run without one have none.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: plugin, runtime, tool
// RUN: rm -rf %t && mkdir -p %t && %reticle_cc -O2 -g %s -o %t/app
// RUN: %env_reticle:chain=0 %t/app 100 && %reticle report --json %t.prof | %python %src/lit/runtime/Inputs/periodic.py 100 | %FileCheck %s
// RUN: %reticle show main %t.prof | %FileCheck --check-prefix=CARD %s
// RUN: rm -f %t.prof* && %env_reticle:chain=0 %t/app 0 && %reticle report --json %t.prof | %python %src/lit/runtime/Inputs/periodic.py 0 | %FileCheck %s
// CHECK: fine
// CARD: slow at every {{[0-9.]+}} ms ({{.*}} to {{.*}})
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static volatile unsigned long sink;

static double now_s(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

__attribute__((noinline)) static void frame(double until) {
  while (now_s() < until)
    sink = sink + 1;
}

// Frames of 2 ms; of 20 ms at each beat, or at random.
int main(int count, char **arguments) {
  double period = 1e-3 * atoi(arguments[count - 1]), start = now_s(), next = start + period;
  srandom(4711);
  for (double now = start; now < start + 2.5; now = now_s()) {
    frame(now + 2e-3);
    if (period > 0 ? now_s() >= next : random() % 20 == 0) {
      usleep(20000);
      next += period;
    }
  }
  return 0;
}
