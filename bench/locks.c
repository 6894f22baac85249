// locks.c - locks, adds to a counter and unlocks, in one thread or several; prints ns a round.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   locks TIMES THREADS
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { THREADS_MOST = 16 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static long counter;

static double now_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static void *work(void *times) {
  for (long i = 0; i < (long)times; i++) {
    pthread_mutex_lock(&mutex);
    counter++;
    pthread_mutex_unlock(&mutex);
  }
  return NULL;
}

int main(int argc, char **argv) {
  long times = argc > 1 ? atol(argv[1]) : 5000000;
  int threads = argc > 2 ? atoi(argv[2]) : 1;
  pthread_t thread[THREADS_MOST];
  double start = now_ns();
  for (int i = 1; i < threads && i < THREADS_MOST; i++)
    pthread_create(&thread[i], NULL, work, (void *)times);
  work((void *)times);
  for (int i = 1; i < threads && i < THREADS_MOST; i++)
    pthread_join(thread[i], NULL);
  printf("%.2f\n", (now_ns() - start) / (double)counter);
  return 0;
}
