// topdown_read.c - what reading counters adds to a timed execution, with rdtsc in rdpmc's place.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   clang -O2 -mgeneral-regs-only -I. -DRRT_CORE_INSTRUCTION='"rdtsc"' bench/topdown_read.c
//   runtime/probe/pmu.c runtime/probe/topdown.c
//   ./a.out [COUNTERS [REGISTERS]]
//
// Of a group of COUNTERS (6), a visit reads REGISTERS (2) of them: prints ns for both readings, its
// record included, the least and the median of 31 rounds of 20,000; and the same with an
// instruction that takes a cycle in the place of rdtsc, which is what all but the registers takes.
// The two instructions take about as long on the cores that have both; where there is a PMU,
// unit_pmu_hardware shows that the registers themselves can be read.
#include "runtime/probe/topdown.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { ROUNDS = 31, VISITS = 20000 };

struct rrt_probe_control rrt_probe;

static uint64_t now_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static int compare(const void *a, const void *b) {
  uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return (x > y) - (x < y);
}

static struct rrt_topdown topdown;

/// What a visit takes, in rounds that go from the fastest to the slowest.
static void measure(uint64_t rounds[ROUNDS]) {
  for (int round = 0; round < ROUNDS; round++) {
    uint64_t start = now_ns();
    for (int visit = 0; visit < VISITS; visit++) {
      uint32_t place = rrt_topdown_take(&topdown);
      rrt_topdown_begin(&topdown, place, 1, 1);
      rrt_topdown_end(&topdown, place, 1);
      rrt_topdown_give(&topdown, place);
      topdown.ring_tail = topdown.ring_head;
    }
    rounds[round] = now_ns() - start;
  }
  qsort(rounds, ROUNDS, sizeof(rounds[0]), compare);
}

static unsigned long long ns(uint64_t round) { return (round + VISITS / 2) / VISITS; }

static uint64_t no_register(void *context, uint32_t number) {
  (void)context;
  return number;
}
static void barrier(void *context, int is_end) {
  (void)context;
  (void)is_end;
  __asm__ volatile("lfence" : : : "memory");
}
static int has_register(uint32_t number) { return number < 32; }

int main(int argc, char **argv) {
  static const struct rrt_pmu_source nothing = {barrier, no_register, has_register};
  static struct rrt_pmu_page pages[RRT_PMU_COUNTERS_MOST];
  int counters = argc > 1 ? atoi(argv[1]) : 6, registers = argc > 2 ? atoi(argv[2]) : 2;
  uint64_t with[ROUNDS], without[ROUNDS];
  if (counters < 1 || counters > RRT_PMU_COUNTERS_MOST || registers < 2)
    return 2;
  topdown.group_count = 1;
  topdown.registers = (uint32_t)registers;
  topdown.random = 12345;
  rrt_probe.topdown_turn_ticks = 5000000;
  topdown.groups[0].count = (uint32_t)counters;
  for (uint32_t i = 0; i < (uint32_t)counters; i++) {
    pages[i] =
        (struct rrt_pmu_page){.index = i + 1, .capabilities = RRT_PMU_CAN_READ, .pmc_width = 48};
    topdown.groups[0].pages[i] = &pages[i];
  }
  measure(with);
  topdown.groups[0].source = &nothing;
  measure(without);
  printf("%d of %d counters: %llu ns a visit (least %llu); without the registers, but with calls, "
         "%llu (%llu)\n",
         registers < counters ? registers : counters, counters, ns(with[ROUNDS / 2]), ns(with[0]),
         ns(without[ROUNDS / 2]), ns(without[0]));
  return 0;
}
