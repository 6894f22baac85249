// clock_spread.c - one chain of dependent additions timed again and again: when, and ticks taken.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// usage: clock_spread ADDS TIMINGS      ADDS: a multiple of 256
// The first line: ticks, and nanoseconds, of the whole.
#include "runtime/harness/chain.h"
#include "runtime/probe/clock/timer.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#if defined(__aarch64__)
int64_t rrt_timer_cpu_offset; // nobody asks for the CPU
#endif

static uint64_t now_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC_RAW, &t);
  return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

int main(int argc, char **argv) {
  uint64_t blocks = argc == 3 ? strtoull(argv[1], NULL, 10) / HARNESS_CHAIN_BLOCK : 0;
  size_t count = argc == 3 ? strtoull(argv[2], NULL, 10) : 0;
  uint64_t *begin = calloc(count + 1, sizeof *begin), *end = calloc(count + 1, sizeof *end);
  uint32_t cpu;
  if (!blocks || !count || !begin || !end) {
    fprintf(stderr, "usage: clock_spread ADDS TIMINGS\n");
    return 2;
  }
  uint64_t whole = rrt_timer_glance(), ns = now_ns();
  for (size_t i = 0; i < count; i++) {
    begin[i] = rrt_timer_begin(&cpu);
    harness_chain_run(blocks, 0);
    end[i] = rrt_timer_end(&cpu);
  }
  printf("%llu %llu\n", (unsigned long long)(rrt_timer_glance() - whole),
         (unsigned long long)(now_ns() - ns));
  for (size_t i = 0; i < count; i++)
    printf("%llu %llu\n", (unsigned long long)(begin[i] - begin[0]),
           (unsigned long long)(end[i] - begin[i]));
  return 0;
}
