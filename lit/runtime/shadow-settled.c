// Threads that share words (shadow=detail) call the runtime until the marks say so, and no more; without shadow memory never.
// REQUIRES: plugin, runtime, x86_64
// RUN: %reticle_cc -O1 -g -fplugin-arg-reticle-features=shadow -fplugin-arg-reticle-shadow=detail %s -o %t -lpthread -Wl,--wrap=__reticle_shadow_apart
// RUN: env RETICLE_OPTIONS=report=0:out=%t.prof %t | %FileCheck %s
// RUN: env RETICLE_OPTIONS=report=0:shadow=0:out=%t.prof %t | %FileCheck --check-prefix=OFF %s
// CHECK: few calls
// OFF: no call
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { WORDS = 1000, ROUNDS = 2000 };

static unsigned long calls;

void __real___reticle_shadow_apart(uint8_t *marks, uint64_t kinds, uint64_t *thread);
__attribute__((no_instrument_function)) void __wrap___reticle_shadow_apart(uint8_t *marks, uint64_t kinds, uint64_t *thread) {
  __atomic_fetch_add(&calls, 1, __ATOMIC_RELAXED);
  __real___reticle_shadow_apart(marks, kinds, thread);
}

static volatile int *words;
static pthread_barrier_t both;

static void *use(void *own) {
  long sum = 0;
  pthread_barrier_wait(&both);
  for (int round = 0; round < ROUNDS; round++)
    for (int i = 0; i < WORDS; i++) {
      sum += words[i];
      words[WORDS + i] = round;
    }
  *(long *)own = sum;
  return 0;
}

int main(void) {
  pthread_t threads[2];
  long sums[2];
  words = calloc(2 * WORDS, sizeof *words);
  pthread_barrier_init(&both, 0, 2);
  for (int i = 0; i < 2; i++)
    pthread_create(&threads[i], 0, use, &sums[i]);
  for (int i = 0; i < 2; i++)
    pthread_join(threads[i], 0);
  // Marks are taken away at samples: then it begins anew.
  if (!calls)
    puts("no call");
  else if (calls < 2UL * ROUNDS * WORDS / 20)
    puts("few calls");
  else
    printf("%lu calls\n", calls);
  return 0;
}
