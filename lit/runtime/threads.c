// Executions add up exactly over eight threads, whatever way they end.
// REQUIRES: plugin, runtime, tool
// RUN: mkdir -p %t
// RUN: %reticle_cc -O2 -g %s -o %t/app -lpthread
// RUN: for i in 1 2 3 4 5; do %env_reticle %t/app && %python %support/loops.py %reticle %t.prof; done | %FileCheck %s
// RUN: %reticle_cc -O2 -g -static %s -o %t/static -lpthread
// RUN: %env_reticle %t/static && %python %support/loops.py %reticle %t.prof | %FileCheck --check-prefix=ONCE %s
// RUN: %reticle_cc -O2 -g -fPIC -pie %s -o %t/pic -lpthread
// RUN: %env_reticle %t/pic && %python %support/loops.py %reticle %t.prof | %FileCheck --check-prefix=ONCE %s
// 8 threads * 25,000 + 40 short ones * 1,000 + main's 10
// CHECK-COUNT-5: spin:[[#]] executions 240010 samples
// ONCE: spin:[[#]] executions 240010 samples
#include <pthread.h>
#include <threads.h>

volatile int sink;

__attribute__((noinline)) void spin(int n) {
  for (int i = 0; i < n; i++)
    sink = i;
}

static void *by_return(void *times) {
  for (long i = 0; i < (long)times; i++)
    spin(20);
  return 0;
}

static void *by_exit(void *times) {
  by_return(times);
  pthread_exit(0);
}

static int c11(void *times) {
  by_return(times);
  thrd_exit(0);
}

int main(void) {
  pthread_t threads[6];
  thrd_t more[2];
  for (int i = 0; i < 6; i++)
    pthread_create(&threads[i], 0, i & 1 ? by_exit : by_return, (void *)25000);
  for (int i = 0; i < 2; i++)
    thrd_create(&more[i], c11, (void *)25000);
  for (int i = 0; i < 6; i++)
    pthread_join(threads[i], 0);
  for (int i = 0; i < 2; i++)
    thrd_join(more[i], 0);
  for (int i = 0; i < 40; i++) { // records of ended threads are used again
    pthread_create(&threads[0], 0, by_exit, (void *)1000);
    pthread_join(threads[0], 0);
  }
  by_return((void *)10);
  return 0;
}
