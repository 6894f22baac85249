// Marks of blocks that change their size: what was touched before is known of the block before and of the one behind, as far
// as its words stay; those that a block gets are new, those that it loses are nobody's. In a program of one thread they stay where they are, in others they are saved.
// REQUIRES: plugin, runtime, tool, x86_64
// RUN: %reticle_cc -O1 -g -fplugin-arg-reticle-features=shadow %s -o %t -pthread
// RUN: env RETICLE_OPTIONS=report=0:out=%t.prof %t
// RUN: %python %support/sites.py --bytes %reticle %t.prof | %FileCheck %s
// RUN: env RETICLE_OPTIONS=report=0:out=%t.prof %t threads
// RUN: %python %support/sites.py --bytes %reticle %t.prof | %FileCheck %s
// A block of 64 bytes has 72, one of 4000 has 4008.
// CHECK-DAG: heap shrunk ever 39936 of 39936
// CHECK-DAG: heap shrunk ever 2048000 of
// CHECK-DAG: heap grown ever 2048 of
// CHECK-DAG: heap grown ever 4096 of
// CHECK-DAG: heap moved ever 200000 of
// CHECK-DAG: heap moved ever 400000 of
#include <pthread.h>
#include <stdlib.h>

enum { COUNT = 500 };
static char *volatile kept[COUNT];
static char *volatile between;

static void touch(volatile char *p, size_t bytes) {
  for (size_t i = 0; i < bytes; i++)
    p[i] = 1;
}

__attribute__((noinline)) static void shrunk(void) {
  for (int i = 0; i < COUNT; i++)
    touch(kept[i] = malloc(4096), 4096);
  for (int i = 0; i < COUNT; i++)
    kept[i] = realloc(kept[i], i ? 64 : 4000);
}

// In its place: there is nothing behind it.
__attribute__((noinline)) static void grown(void) {
  char *p = malloc(2048);
  touch(p, 2048);
  p = realloc(p, 4096);
  touch(p + 2048, 2048);
  free(p);
}

__attribute__((noinline)) static void moved(void) {
  char *p = malloc(200000);
  touch(p, 200000);
  between = malloc(100);
  p = realloc(p, 400000);
  touch(p + 200000, 200000);
  free(p);
}

static void *wait(void *barrier) {
  pthread_barrier_wait(barrier);
  return NULL;
}

int main(int argc, char **argv) {
  (void)argv;
  pthread_barrier_t barrier;
  pthread_t other;
  pthread_barrier_init(&barrier, NULL, 2);
  if (argc > 1)
    pthread_create(&other, NULL, wait, &barrier);
  shrunk();
  grown();
  moved();
  if (argc > 1) {
    pthread_barrier_wait(&barrier);
    pthread_join(other, NULL);
  }
  return 0;
}
