// waits-omp.c - OpenMP's barriers, critical sections and tasks by call site and thread, as libomp tells.
// REQUIRES: plugin, runtime, tool, libomp, llvm-19
// RUN: rm -rf %t && mkdir -p %t && cd %t && %reticle_cc -O2 -g -fopenmp %s -o app -L/usr/lib/llvm-19/lib -Wl,-rpath,/usr/lib/llvm-19/lib
// A thread that loses its processor between the two clocks makes them differ.
// RUN: rm -f app.prof; env RETICLE_OPTIONS= %reticle run -o app.prof -- ./app > said 2> report; %reticle ranks --json app.prof > waits.json && %python %src/lit/support/waits_omp.py said waits.json report
// RUN: %reticle report --csv waits app.prof | grep 'omp barrier,barrier'
// Without `reticle run` nothing is loaded, and with waits=0 nothing is kept.
// RUN: env RETICLE_OPTIONS=report=0:out=plain.prof ./app > said2 && %not %reticle report --waits plain.prof | grep "no wait was seen"
// RUN: env RETICLE_OPTIONS=waits=0 %reticle run --no-report -o off.prof -- ./app > said2 && %not %reticle report --waits off.prof | grep "no wait was seen"
#include <omp.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

enum { THREADS = 3, STEPS = 20, SLOW = 1 };

static long long now_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1000000000LL + t.tv_nsec;
}

int main(void) {
  long long barrier[THREADS] = {0}, critical[THREADS] = {0}, wait[THREADS] = {0};
  for (int step = 0; step < STEPS; step++) {
#pragma omp parallel num_threads(THREADS)
    {
      int me = omp_get_thread_num();
      usleep(me == SLOW ? 4000 : 100);
      long long start = now_ns();
#pragma omp barrier
      barrier[me] += now_ns() - start;
      start = now_ns();
#pragma omp critical
      {
        critical[me] += now_ns() - start;
        usleep(500);
      }
#pragma omp single nowait
      {
        start = now_ns();
#pragma omp task
        usleep(200);
#pragma omp taskwait
        wait[me] += now_ns() - start;
      }
    }
    usleep(3000); // no wait of anybody's: the workers have nothing to do
  }
  for (int i = 0; i < THREADS; i++)
    printf("%d %lld %lld %lld\n", i, barrier[i], critical[i], wait[i]);
  return 0;
}
