// half_idle.c - a loop that works, and one as long that waits.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <time.h>
#include <unistd.h>

static volatile unsigned long sink;
static volatile int naps = 5;

static double now_s(clockid_t clock) {
  struct timespec now;
  clock_gettime(clock, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

__attribute__((noinline)) static void works(int n) {
  for (int i = 0; i < n; i++)
    sink = sink * 31 + (unsigned long)i;
}

__attribute__((noinline)) static void waits(int n) {
  for (int i = 0; i < n; i++)
    usleep(1000);
}

int main(void) {
  for (double end = now_s(CLOCK_PROCESS_CPUTIME_ID) + 0.5; now_s(CLOCK_PROCESS_CPUTIME_ID) < end;) {
    double began = now_s(CLOCK_MONOTONIC);
    works(4000000);
    for (double took = now_s(CLOCK_MONOTONIC) - began; took > 0; took -= 5e-3)
      waits(naps);
  }
  return 0;
}
