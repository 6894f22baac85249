// 64 threads allocate, touch, hand over and free objects, threads come and go: sites add up, and the program's
// exit status and output stay.
// REQUIRES: plugin, runtime, tool, x86_64
// RUN: %reticle_cc -O2 -g -fplugin-arg-reticle-features=shadow,loop %s -o %t -lpthread
// RUN: %env_reticle %t > %t.out; test $? = 7
// RUN: %FileCheck --check-prefix=OUT %s < %t.out
// RUN: %python %support/sites.py %reticle %t.prof -- make keep | %FileCheck %s
// OUT: 64 threads, 256000 objects handed over
// CHECK-DAG: heap make objects 256000 live 0 touched 256000 {{.*}} ever 50.0 words 0 4 8 12 16 20 24 28
// CHECK-DAG: heap keep objects 64 live 64 touched 64
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { THREADS = 64, OBJECTS = 4000, SLOTS = 512 };
struct object {
  volatile int word[16];
};

static struct object *slots[SLOTS];
static struct object *kept[THREADS];

__attribute__((noinline)) static struct object *make(int seed) {
  struct object *o = aligned_alloc(64, 64);
  for (int i = 0; i < 8; i++)
    o->word[i] = seed;
  return o;
}
__attribute__((noinline)) static struct object *keep(void) {
  struct object *o = malloc(sizeof *o);
  o->word[0] = 1;
  return o;
}

static void *work(void *argument) {
  long number = (long)argument;
  unsigned random = 1 + (unsigned)number;
  kept[number] = keep();
  for (int i = 0; i < OBJECTS; i++) {
    random = random * 1103515245 + 12345;
    struct object *old =
        __atomic_exchange_n(&slots[random / 65536 % SLOTS], make(i), __ATOMIC_ACQ_REL);
    free(old); // of any thread
  }
  return NULL;
}

int main(void) {
  for (int half = 0; half < 2; half++) { // the first half has gone when the second comes
    pthread_t threads[THREADS / 2];
    for (long i = 0; i < THREADS / 2; i++)
      pthread_create(&threads[i], NULL, work, (void *)(half * THREADS / 2 + i));
    for (int i = 0; i < THREADS / 2; i++)
      pthread_join(threads[i], NULL);
  }
  for (int i = 0; i < SLOTS; i++)
    free(slots[i]);
  printf("%d threads, %d objects handed over\n", THREADS, THREADS * OBJECTS);
  return 7;
}
