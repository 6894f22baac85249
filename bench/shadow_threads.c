// shadow_threads.c - for bench/shadow_threads.py: threads allocate, touch, pass on, free objects.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   shadow_threads SECONDS THREADS COUNTS     COUNTS: gets "SITE OBJECTS LIVE" lines, as the
//   program counted them
// What it prints doesn't depend on time: "THREADS threads: all objects as they were left". Exit
// status 7.
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { SLOTS = 1024, KINDS = 6, MEDIUM_BYTES = 20000, THREADS_MAX = 256 };
struct object {
  uint32_t kind, words, seed, filled[];
};

static _Atomic(struct object *) slots[SLOTS];
static atomic_ulong made[KINDS], freed[KINDS], damaged;
static double end_s;

static double now_s(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

// Barriers keep the calls from becoming jumps.
#define SITE(name, call)                                                                           \
  __attribute__((noinline)) static struct object *name(size_t bytes) {                             \
    struct object *o = call;                                                                       \
    __asm__ volatile("" : "+r"(o)::"memory");                                                      \
    return o;                                                                                      \
  }
SITE(by_malloc, malloc(bytes))
SITE(by_calloc, calloc(1, bytes))
SITE(by_aligned, aligned_alloc(64, (bytes + 63) / 64 * 64))
SITE(by_growth, malloc(bytes / 2 < sizeof(struct object) ? sizeof(struct object) : bytes / 2))
SITE(by_large, malloc(bytes + 200000))
SITE(by_medium, malloc(bytes + MEDIUM_BYTES))

static struct object *make(uint32_t kind, uint32_t seed) {
  uint32_t words = 4 + seed % 60;
  size_t bytes = sizeof(struct object) + 4 * words;
  struct object *o = kind == 0   ? by_malloc(bytes)
                     : kind == 1 ? by_calloc(bytes)
                     : kind == 2 ? by_aligned(bytes)
                     : kind == 3 ? by_growth(bytes)
                     : kind == 4 ? by_large(bytes)
                                 : by_medium(bytes);
  if (o && kind == 3) {
    struct object *grown = realloc(o, bytes);
    o = grown;
  }
  if (!o)
    abort();
  *o = (struct object){kind, words, seed};
  for (uint32_t i = 0; i < words; i += 2)
    o->filled[i] = seed + i;
  if (kind == 5) // marks without a header, and small ones come to their place
    memset(&o->filled[words], 1, MEDIUM_BYTES);
  atomic_fetch_add_explicit(&made[kind], 1, memory_order_relaxed);
  return o;
}

static void drop(struct object *o) {
  if (!o)
    return;
  for (uint32_t i = 0; i < o->words; i += 2)
    if (o->filled[i] != o->seed + i)
      atomic_fetch_add(&damaged, 1);
  atomic_fetch_add_explicit(&freed[o->kind], 1, memory_order_relaxed);
  free(o);
}

// Half a second at most: then another thread comes.
static void *work(void *argument) {
  uint32_t random = 1 + (uint32_t)(uintptr_t)argument;
  double start = now_s();
  do
    for (int i = 0; i < 500; i++) {
      random = random * 1103515245 + 12345;
      uint32_t seed = random >> 8, kind = seed % 64 == 0 ? 4 : seed % 8 == 1 ? 5 : seed % 4;
      drop(atomic_exchange(&slots[seed / 64 % SLOTS], make(kind, seed))); // of any thread
    }
  while (now_s() < end_s && now_s() < start + 0.5);
  return NULL;
}

int main(int argc, char **argv) {
  static const char *names[] = {"by_malloc", "by_calloc", "by_aligned",
                                "by_growth", "by_large",  "by_medium"};
  pthread_t threads[THREADS_MAX];
  int count = argc == 4 ? atoi(argv[2]) : 0;
  if (count < 1 || count > THREADS_MAX) {
    fprintf(stderr, "usage: shadow_threads SECONDS THREADS COUNTS\n");
    return 2;
  }
  end_s = now_s() + atof(argv[1]);
  for (long round = 0; !round || now_s() < end_s; round++) {
    for (long i = 0; i < count; i++)
      if (pthread_create(&threads[i], NULL, work, (void *)(round * count + i)))
        return 3;
    for (int i = 0; i < count; i++)
      pthread_join(threads[i], NULL);
  }
  for (int i = 0; i < SLOTS; i += 2) // the others live on
    drop(atomic_exchange(&slots[i], NULL));
  FILE *out = fopen(argv[3], "w");
  for (int i = 0; out && i < KINDS; i++)
    fprintf(out, "%s %lu %lu\n", names[i], made[i], made[i] - freed[i]);
  if (!out || fclose(out))
    return 4;
  printf("%d threads: %s\n", count,
         damaged ? "objects were damaged" : "all objects as they were left");
  return 7;
}
