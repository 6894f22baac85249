// Each thread has counters of its own: what all of them count adds up, whole groups or parts of them. Without a PMU each
// thread that goes without is counted, and the program doesn't notice.
// REQUIRES: plugin, runtime, tool, x86_64
// RUN: rm -rf %t && mkdir -p %t && cd %t && %reticle_cc -O1 -g %s -o app -lpthread %pmu_fake
// RUN: printf 'event 0x76 1000\nevent 0xc1 600\nevent 0xc2 30\n' > whole.pmu
// RUN: env RETICLE_OPTIONS=report=0:period=1:nested_after_us=0:out=%t/whole.prof:topdown=zen4/0,76+c1+c2:pmu=fake:%t/whole.pmu ./app > whole.out
// RUN: %python %support/topdown.py %reticle whole.prof | %FileCheck %s --check-prefix=WHOLE
// WHOLE: work 76+c1+c2 visits 3200 dropped 0 clock 3200000 parts whole
// WHOLE: threads missed 0
// Two registers a visit: two parts, each thread's first visit whole.
// RUN: printf 'event 0x76 1000\nevent 0xc1 600\nevent 0xc2 30\nregisters 2\n' > parts.pmu
// RUN: env RETICLE_OPTIONS=report=0:period=1:nested_after_us=0:out=%t/parts.prof:topdown=zen4/0,76+c1+c2:pmu=fake:%t/parts.pmu ./app > parts.out
// RUN: %python %support/topdown.py %reticle parts.prof | %FileCheck %s --check-prefix=PARTS
// PARTS: work 76+c1+c2 visits 3200 dropped 0 clock 3200000 parts 1-1 2-1 whole
// RUN: echo 'open EACCES' > denied.pmu
// RUN: env RETICLE_OPTIONS=report=0:period=1:nested_after_us=0:out=%t/denied.prof:topdown=zen4/0,76+c1+c2:pmu=fake:%t/denied.pmu ./app > denied.out
// RUN: %python %support/topdown.py %reticle denied.prof | %FileCheck %s --check-prefix=DENIED
// DENIED-NOT: visits
// DENIED: threads missed 33
// RUN: cmp whole.out parts.out && cmp whole.out denied.out && %FileCheck %s --check-prefix=OUT < whole.out
// OUT: {{^}}4999{{$}}
#include <pthread.h>
#include <stdio.h>

enum { THREADS = 32, TURNS = 100 };

__attribute__((noinline)) static int work(volatile int *sink) {
  for (int i = 0; i < 50; i++)
    *sink += i & 1;
  return *sink;
}

static void *run(void *unused) {
  volatile int sink = 0;
  (void)unused;
  for (int turn = 0; turn < TURNS; turn++)
    work(&sink);
  return (void *)(long)sink;
}

int main(void) {
  pthread_t threads[THREADS];
  void *result = 0;
  for (int half = 0; half < 2; half++) { // the second half finds the records of those that have ended
    for (int i = half * THREADS / 2; i < (half + 1) * THREADS / 2; i++)
      pthread_create(&threads[i], 0, run, 0);
    for (int i = half * THREADS / 2; i < (half + 1) * THREADS / 2; i++)
      pthread_join(threads[i], &result);
  }
  printf("%ld\n", (long)result * 2 - 1);
  return 0;
}
