// ranks.c - an MPI program of which one rank is slow on purpose: work, memory, or its core.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   mpirun -n 8 ./ranks [STEPS [none|work|memory|pin=CORE RANK]]
//
// All ranks compute, look numbers up in a table that is in the L1 cache, and meet at a barrier
// after each step. work: RANK has three times the iterations to compute. memory: its table is 64
// MB, for as many lookups. pin=CORE: it alone stays on that processor, the others on the others.
#define _GNU_SOURCE
#include <mpi.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COMPUTE = 60000, LOOKUPS = 60000, ROUNDS = 100, SMALL = 1 << 12, LARGE = 1 << 24 };

static volatile double sink;
static volatile uint32_t sink_number;

__attribute__((noinline)) static void compute(int n) {
  double x = 1;
  for (int i = 0; i < n; i++)
    x = x * 0.999 + 0.5;
  sink = x;
}

__attribute__((noinline)) static void look_up(const uint32_t *table, uint32_t mask, int n) {
  uint32_t at = 1, sum = 0;
  for (int i = 0; i < n; i++) {
    at = at * 1664525 + 1013904223;
    sum += table[at >> 8 & mask];
  }
  sink_number = sum;
}

/// Leaves the process that processor alone, or all others.
static void stay(int core, int is_chosen) {
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) != 0)
    perror("ranks: sched_getaffinity");
  CPU_CLR(core, &set);
  if (is_chosen) {
    CPU_ZERO(&set);
    CPU_SET(core, &set);
  }
  if (sched_setaffinity(0, sizeof set, &set) != 0)
    perror("ranks: sched_setaffinity");
}

int main(int argc, char **argv) {
  int rank, steps = argc > 1 ? atoi(argv[1]) : 40;
  const char *how = argc > 2 ? argv[2] : "none";
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int is_chosen = argc > 3 && rank == atoi(argv[3]);
  int has_work = is_chosen && strcmp(how, "work") == 0;
  uint32_t size = is_chosen && strcmp(how, "memory") == 0 ? LARGE : SMALL;
  uint32_t *table = malloc(size * sizeof *table);
  if (!table)
    return 1;
  memset(table, 1, size * sizeof *table);
  if (strncmp(how, "pin=", 4) == 0)
    stay(atoi(how + 4), is_chosen);
  MPI_Barrier(MPI_COMM_WORLD);
  for (int step = 0; step < steps; step++) {
    for (int i = 0; i < ROUNDS; i++) {
      compute(has_work ? 3 * COMPUTE : COMPUTE);
      look_up(table, size - 1, LOOKUPS);
    }
    MPI_Barrier(MPI_COMM_WORLD);
  }
  MPI_Finalize();
  free(table);
  return 0;
}
