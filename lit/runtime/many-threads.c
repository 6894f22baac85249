// many-threads.c - loops that the process knows are counted exactly in threads that begin with them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: plugin, runtime, tool
// RUN: rm -rf %t && mkdir -p %t
// RUN: %reticle_cc -O2 -g %s -o %t/app -lpthread
// RUN: for i in 1 2 3; do %env_reticle %t/app && %python %support/loops.py %reticle %t.prof; done | %FileCheck %s
// RUN: %reticle_cc -O2 -g -fPIC -pie %s -o %t/pic -lpthread
// RUN: %env_reticle %t/pic && %python %support/loops.py %reticle %t.prof | %FileCheck --check-prefix=ONCE %s
// In a child of such a thread, forked while others run, counts begin at 0; in the parent nothing is lost.
// RUN: cd %t && for b in app pic; do RETICLE_OPTIONS=report=0:out=$b.prof ./$b fork && %python %support/loops.py %reticle $b.prof; done | %FileCheck --check-prefix=FORKED %s
// RUN: cd %t && for b in app pic; do %python %support/loops.py %reticle $b.prof.*; done | %FileCheck --check-prefix=CHILD %s
// 64 threads * 3,000 + 500 short ones * 10 + main's 20,000; of `late`, which is first entered when all others are known, 100
// CHECK-COUNT-3: first:[[#]] executions 217000 samples
// ONCE-DAG: first:[[#]] executions 217000 samples
// ONCE-DAG: second:[[#]] executions 217000 samples
// ONCE-DAG: late:[[#]] executions 100 samples
// FORKED-COUNT-4: {{first|second}}:[[#]] executions 217000 samples
// CHILD-COUNT-4: {{first|second}}:[[#]] executions 90 samples
#include <pthread.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { THREADS = 64, SHORT = 500 };
static volatile int sink, size = 20; // not known: a short loop would be unrolled

#define LOOP(name)                                                                                 \
  __attribute__((noinline)) static void name(int n) {                                              \
    for (int i = 0; i < n; i++)                                                                    \
      sink = i;                                                                                    \
  }
LOOP(first)
LOOP(second)
LOOP(late)

static void work(long times) {
  for (long i = 0; i < times; i++) {
    first(size);
    second(size + 10);
  }
}

static void *run(void *times) {
  struct timespec some = {0, 2000000};
  for (int part = 0; part < 10; part++) { // beside checkpoints, and new tables
    work((long)times / 10);
    if ((long)times > 10)
      nanosleep(&some, 0);
  }
  return 0;
}

int main(int argc, char **argv) {
  pthread_t threads[THREADS], other;
  (void)argv;
  work(20000);
  for (int i = 0; i < THREADS; i++)
    pthread_create(&threads[i], 0, run, (void *)3000);
  for (int i = 0; i < SHORT; i++)
    if (!pthread_create(&other, 0, run, (void *)10))
      pthread_join(other, 0);
  if (argc > 1) {
    pid_t child = fork();
    if (!child) {
      work(70);
      for (int i = 0; i < 2; i++) { // in records of threads that didn't come along
        pthread_create(&other, 0, run, (void *)10);
        pthread_join(other, 0);
      }
      _exit(0);
    }
    waitpid(child, 0, 0);
  }
  for (int i = 0; i < THREADS; i++)
    pthread_join(threads[i], 0);
  for (int i = 0; i < 100; i++)
    late(size);
  return 0;
}
