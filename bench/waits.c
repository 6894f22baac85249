// waits.c - an MPI program that clocks its own calls, for comparing what waits of Reticle say.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   mpirun -n 8 ./waits [STEPS [RANK]]
//
// Each step: computing, of which RANK (default 1) has four times as much; a ring of messages; an
// exchange with requests; a sum over all; a broadcast; a barrier. Each rank writes on stdout, after
// MPI_Finalize, lines "RANK OPERATION CALLS NS" of its own clock around each call, and "RANK late
// WHOM NS": what it waited in MPI_Barrier for that rank, by clocks of all ranks (one host); of it
// "RANK tied WHOM NS" where another rank came within CLOSE_NS of the last, so either may be named.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
  COMPUTE = 400000,
  WORDS = 2048,
  CALLS = 64,
  STEPS_MOST = 1024,
  RANKS_MOST = 64,
  CLOSE_NS = 5000
};

static volatile double sink;

static long long now_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (long long)t.tv_sec * 1000000000 + t.tv_nsec;
}

static struct {
  const char *name;
  long long calls, ns;
} calls[CALLS];

static void add(const char *name, long long ns) {
  int i = 0;
  while (calls[i].name && strcmp(calls[i].name, name) != 0)
    i++;
  calls[i].name = name;
  calls[i].calls++;
  calls[i].ns += ns;
}

#define CLOCKED(name, ...)                                                                         \
  do {                                                                                             \
    long long start = now_ns();                                                                    \
    name(__VA_ARGS__);                                                                             \
    add(#name, now_ns() - start);                                                                  \
  } while (0)

__attribute__((noinline)) static void compute(int n) {
  double x = 1;
  for (int i = 0; i < n; i++)
    x = x * 0.999 + 0.5;
  sink = x;
}

int main(int argc, char **argv) {
  int rank, size, steps = argc > 1 ? atoi(argv[1]) : 50, chosen = argc > 2 ? atoi(argv[2]) : 1;
  static double out[WORDS], in[WORDS], sum[2];
  static long long came[STEPS_MOST], took[STEPS_MOST], all[RANKS_MOST][STEPS_MOST],
      whom[RANKS_MOST], tied[RANKS_MOST];
  CLOCKED(MPI_Init, &argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (size > RANKS_MOST)
    MPI_Abort(MPI_COMM_WORLD, 2);
  if (steps > STEPS_MOST)
    steps = STEPS_MOST;
  int next = (rank + 1) % size, before = (rank + size - 1) % size;
  for (int step = 0; step < steps; step++) {
    MPI_Request requests[2];
    MPI_Status statuses[2];
    compute(rank == chosen ? 4 * COMPUTE : COMPUTE);
    if (rank % 2) {
      CLOCKED(MPI_Recv, in, WORDS, MPI_DOUBLE, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD,
              MPI_STATUS_IGNORE);
      CLOCKED(MPI_Send, out, WORDS, MPI_DOUBLE, next, 1, MPI_COMM_WORLD);
    } else {
      CLOCKED(MPI_Send, out, WORDS, MPI_DOUBLE, next, 1, MPI_COMM_WORLD);
      CLOCKED(MPI_Recv, in, WORDS, MPI_DOUBLE, before, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    CLOCKED(MPI_Irecv, in, WORDS, MPI_DOUBLE, before, 2, MPI_COMM_WORLD, &requests[0]);
    CLOCKED(MPI_Isend, out, WORDS, MPI_DOUBLE, next, 2, MPI_COMM_WORLD, &requests[1]);
    CLOCKED(MPI_Waitall, 2, requests, statuses);
    CLOCKED(MPI_Allreduce, out, sum, 2, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    CLOCKED(MPI_Bcast, in, WORDS, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    compute(rank == chosen ? 4 * COMPUTE : COMPUTE);
    came[step] = now_ns();
    CLOCKED(MPI_Barrier, MPI_COMM_WORLD);
    took[step] = now_ns() - came[step];
  }
  MPI_Allgather(came, STEPS_MOST, MPI_LONG_LONG, all, STEPS_MOST, MPI_LONG_LONG, MPI_COMM_WORLD);
  for (int step = 0; step < steps; step++) {
    int last = 0;
    for (int i = 1; i < size; i++)
      if (all[i][step] > all[last][step])
        last = i;
    long long late = all[last][step] - came[step];
    if (late > took[step])
      late = took[step];
    whom[last] += late;
    int is_tied = 0;
    for (int i = 0; i < size; i++)
      if (i != last && all[last][step] - all[i][step] < CLOSE_NS) {
        tied[i] += late;
        is_tied = 1;
      }
    if (is_tied)
      tied[last] += late;
  }
  CLOCKED(MPI_Finalize, );
  for (int i = 0; calls[i].name; i++)
    printf("%d %s %lld %lld\n", rank, calls[i].name, calls[i].calls, calls[i].ns);
  for (int i = 0; i < size; i++)
    printf("%d late %d %lld\n%d tied %d %lld\n", rank, i, whom[i], rank, i, tied[i]);
  return 0;
}
