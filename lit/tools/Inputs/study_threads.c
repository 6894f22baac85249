// study_threads.c - two threads add to neighbours in one cache line.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

struct pair {
  long a, b;
};

static void *add(void *to) {
  long *sum = to;
  for (long i = 0; i < 20000000; i++)
    __atomic_store_n(sum, *sum + (i & 3), __ATOMIC_RELAXED);
  return NULL;
}

int main(void) {
  pthread_t first, second;
  struct pair *shared = aligned_alloc(64, 64);
  shared->a = shared->b = 0;
  pthread_create(&first, NULL, add, &shared->a);
  pthread_create(&second, NULL, add, &shared->b);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  printf("%ld\n", shared->a + shared->b);
  return 0;
}
