// topdown_read.c - what reading a group of counters adds to a timed execution, with rdtsc for
// rdpmc. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   clang -O2 -mgeneral-regs-only -I. bench/topdown_read.c runtime/probe/pmu.c
//   runtime/probe/topdown.c
//   ./a.out [COUNTERS]
//
// Prints ns for both readings of a visit, its record included: the median of 31 rounds of 20,000.
// The two instructions take about as long on the cores that have both; where there is a PMU,
// unit_pmu_hardware shows that the registers themselves can be read.
#include "runtime/probe/topdown.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { ROUNDS = 31, VISITS = 20000 };

struct rrt_probe_control rrt_probe;

static void before(void *context, int is_end) {
  (void)context;
  (void)is_end;
  __asm__ volatile("lfence" : : : "memory");
}

static uint64_t read_register(void *context, uint32_t number) {
  uint32_t low, high;
  (void)context;
  __asm__ volatile("rdtsc" : "=a"(low), "=d"(high) : "c"(number) : "memory");
  return (uint64_t)high << 32 | low;
}

static int has_register(uint32_t number) { return number < 32; }

static uint64_t now_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static int compare(const void *a, const void *b) {
  uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return (x > y) - (x < y);
}

int main(int argc, char **argv) {
  static const struct rrt_pmu_source source = {before, read_register, has_register};
  static struct rrt_pmu_page pages[RRT_PMU_COUNTERS_MOST];
  static struct rrt_topdown topdown;
  uint32_t counters = argc > 1 ? (uint32_t)atoi(argv[1]) : 6;
  uint64_t rounds[ROUNDS];
  if (counters < 1 || counters > RRT_PMU_COUNTERS_MOST)
    return 2;
  topdown.group_count = 1;
  topdown.groups[0] = (struct rrt_pmu_group){.source = &source, .count = counters};
  for (uint32_t i = 0; i < counters; i++) {
    pages[i] =
        (struct rrt_pmu_page){.index = i + 1, .capabilities = RRT_PMU_CAN_READ, .pmc_width = 48};
    topdown.groups[0].pages[i] = &pages[i];
  }
  for (int round = 0; round < ROUNDS; round++) {
    uint64_t start = now_ns();
    for (int visit = 0; visit < VISITS; visit++) {
      uint32_t place = rrt_topdown_take(&topdown);
      rrt_topdown_begin(&topdown, place);
      rrt_topdown_end(&topdown, place, 1);
      rrt_topdown_give(&topdown, place);
      topdown.ring_tail = topdown.ring_head;
    }
    rounds[round] = now_ns() - start;
  }
  qsort(rounds, ROUNDS, sizeof(rounds[0]), compare);
  printf("%u counters: %llu ns a visit\n", counters,
         (unsigned long long)(rounds[ROUNDS / 2] / VISITS));
  return 0;
}
