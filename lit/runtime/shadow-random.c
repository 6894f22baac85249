// Allocations, changes of size, frees and touches at random: each site's objects, and the touched words and lines of
// their lives, are to the byte what the program counts itself, in one thread and in four that use each other's objects.
// REQUIRES: plugin, runtime, tool, x86_64
// RUN: %clang -O1 -g -fno-omit-frame-pointer -DCOUNTED -c %s -o %t.o
// RUN: %reticle_cc -O1 -g -fplugin-arg-reticle-features=shadow %s %t.o -o %t -pthread
// RUN: env RETICLE_OPTIONS=report=0:out=%t.prof %t 1 1 100000 > %t.want
// RUN: %python %support/sites.py --sums %reticle %t.prof -- s0 s1 s2 s3 s4 s5 s6 s7 | diff %t.want -
// RUN: env RETICLE_OPTIONS=report=0:out=%t.prof:shadow_hz=1000:shadow_budget=50%% %t 2 1 100000 > %t.want
// RUN: %python %support/sites.py --sums %reticle %t.prof -- s0 s1 s2 s3 s4 s5 s6 s7 | diff %t.want -
// RUN: env RETICLE_OPTIONS=report=0:out=%t.prof:shadow_hz=1000:shadow_budget=50%% %t 3 4 50000 > %t.want
// RUN: %python %support/sites.py --sums %reticle %t.prof -- s0 s1 s2 s3 s4 s5 s6 s7 | diff %t.want -
// Where one in 8 objects below 1 KiB is looked at, the sums over all sites are near: of small ones alone what they touched, too
// (of one that grows beyond, what it had touched before isn't known, unless it was drawn).
// RUN: env RETICLE_OPTIONS=report=0:out=%t.prof:shadow_objects=8 %t 4 1 1000000 > %t.want
// RUN: %python %support/sites.py --sums %reticle %t.prof -- s0 s1 s2 s3 s4 s5 s6 s7 | %python %support/near.py 4 %t.want objects
// RUN: env RETICLE_OPTIONS=report=0:out=%t.prof:shadow_objects=8 %t 5 4 500000 1000 > %t.want
// RUN: %python %support/sites.py --sums %reticle %t.prof -- s0 s1 s2 s3 s4 s5 s6 s7 | %python %support/near.py 4 %t.want objects touched ever of
// RUN: %reticle report --heap %t.prof | tr -s '\n ' ' ' | %FileCheck --check-prefix=REPORT %s
// REPORT: one in 8 objects below 1 KiB was looked at, at random, and stands for the others: objects and bytes are estimates, of a site of {{10.000}} objects within 5.2 %
// RUN: %reticle show A1 %t.prof | %FileCheck --check-prefix=CARD %s
// CARD: objects {{.*}} within {{[0-9 ]+}} (one in 8 below 1 KiB was looked at), {{.*}} of them touched,
#include <stddef.h>

enum { SITES = 8, TOUCHES = 6 };
enum way { MALLOC, CALLOC, ALIGNED, POSIX, REALLOC };
typedef void *site(enum way way, void *old, size_t alignment, size_t bytes);
extern site *const sites[SITES];
void drop(void *memory);
void touch(unsigned char *p, size_t from, size_t to, int kind);

#ifndef COUNTED
#include <stdlib.h>
#include <string.h>

#define SITE(name)                                                                                 \
  __attribute__((noinline)) void *name(enum way way, void *old, size_t alignment, size_t bytes) {  \
    void *memory = NULL;                                                                           \
    switch (way) {                                                                                 \
    case MALLOC: memory = malloc(bytes); break;                                                    \
    case CALLOC: memory = calloc(1, bytes); break;                                                 \
    case ALIGNED: memory = aligned_alloc(alignment, bytes); break;                                 \
    case POSIX: memory = posix_memalign(&memory, alignment, bytes) ? NULL : memory; break;         \
    case REALLOC: memory = realloc(old, bytes); break;                                             \
    }                                                                                              \
    __asm__ volatile("" : "+r"(memory));                                                           \
    return memory;                                                                                 \
  }
SITE(s0) SITE(s1) SITE(s2) SITE(s3) SITE(s4) SITE(s5) SITE(s6) SITE(s7)
site *const sites[SITES] = {s0, s1, s2, s3, s4, s5, s6, s7};

void drop(void *memory) { free(memory); }

// Bytes [from, to); of the last kind, the eights among them.
void touch(unsigned char *p, size_t from, size_t to, int kind) {
  static __thread unsigned char room[1 << 20];
  volatile unsigned char *bytes = p;
  if (kind == 0)
    memset(p + from, 1, to - from);
  else if (kind == 1)
    memcpy(room, p + from, to - from);
  else if (kind == 2)
    memcpy(p + from, room, to - from);
  for (size_t i = from; kind == 3 && i < to; i++)
    bytes[i] = 1;
  for (size_t i = from; kind == 4 && i < to; i++)
    p[i] ^= 3;
  for (size_t i = from / 8; kind == 5 && i < to / 8; i++)
    ((volatile unsigned long *)p)[i] = i;
}
#else
#include <malloc.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OBJECTS = 400, THREADS_MAX = 8, WORDS_MAX = 1 << 16 };
static struct object {
  pthread_mutex_t lock;
  unsigned char *memory;
  size_t bytes, usable;
  int site;
  unsigned char touched[WORDS_MAX];
} objects[OBJECTS];
static struct {
  uint64_t objects, live, touched, used, fetched;
} sums[SITES];
static pthread_mutex_t summing = PTHREAD_MUTEX_INITIALIZER;

struct worker {
  uint64_t random;
  long steps;
};

static uint64_t below(struct worker *w, uint64_t limit) {
  w->random ^= w->random << 13;
  w->random ^= w->random >> 7;
  w->random ^= w->random << 17;
  return w->random % limit;
}

static size_t largest = SIZE_MAX;

static size_t any_bytes(struct worker *w) {
  static const uint64_t most[] = {200000, 5000, 5000, 200, 200, 200, 200, 200, 30, 30};
  uint64_t limit = most[below(w, sizeof most / sizeof *most)];
  return 1 + below(w, limit < largest ? limit : largest);
}

// What is fetched of a line are the object's words in it.
static void sum(struct object *o) {
  size_t words = o->usable / 4;
  uint64_t fetched = 0, used = 0;
  for (size_t i = 0, next; i < words; i = next) {
    size_t count = 0, limit = i + (64 - (uintptr_t)(o->memory + 4 * i) % 64) / 4;
    limit = limit < words ? limit : words;
    for (next = i; next < limit; next++)
      count += o->touched[next];
    fetched += count ? 4 * (next - i) : 0;
    used += 4 * count;
  }
  sums[o->site].touched += used != 0;
  sums[o->site].fetched += fetched;
  sums[o->site].used += used;
}

static void leave(struct object *o) {
  sum(o);
  sums[o->site].live--;
}

// By a change of its size an object comes to an end, and another one begins with what was touched.
static void allocate(struct worker *w, struct object *o) {
  size_t bytes = any_bytes(w), alignment = (size_t)16 << below(w, 9), kept = o->usable / 4;
  enum way way = o->memory ? REALLOC : (enum way)below(w, 4);
  int number = (int)below(w, SITES);
  if (way == ALIGNED && alignment < largest)
    bytes = (bytes + alignment - 1) / alignment * alignment;
  pthread_mutex_lock(&summing);
  if (o->memory)
    leave(o);
  pthread_mutex_unlock(&summing);
  unsigned char *memory = sites[number](way, o->memory, alignment, bytes);
  pthread_mutex_lock(&summing);
  sums[number].objects++;
  sums[number].live++;
  pthread_mutex_unlock(&summing);
  o->memory = memory;
  o->bytes = bytes;
  o->site = number;
  o->usable = malloc_usable_size(memory);
  kept = kept < o->usable / 4 ? kept : o->usable / 4;
  memset(o->touched + kept, 0, WORDS_MAX - kept);
}

static void touch_some(struct worker *w, struct object *o) {
  size_t from = below(w, o->bytes), to = from + 1 + below(w, below(w, 4) ? 64 : 4096);
  int kind = (int)below(w, TOUCHES);
  if (kind == 5)
    from -= from % 8;
  to = to < o->bytes ? to : o->bytes;
  to -= kind == 5 ? to % 8 : 0;
  if (to <= from)
    return;
  touch(o->memory, from, to, kind);
  memset(o->touched + from / 4, 1, (to - 1) / 4 - from / 4 + 1);
}

static void step(struct worker *w) {
  struct object *o = &objects[below(w, OBJECTS)];
  uint64_t what = below(w, 8);
  pthread_mutex_lock(&o->lock);
  if (!o->memory || what == 0) {
    allocate(w, o);
  } else if (what == 1) {
    pthread_mutex_lock(&summing);
    leave(o);
    pthread_mutex_unlock(&summing);
    drop(o->memory);
    o->memory = NULL;
    o->usable = 0;
  } else {
    touch_some(w, o);
  }
  pthread_mutex_unlock(&o->lock);
}

static void *work(void *worker) {
  struct worker *w = worker;
  for (; w->steps; w->steps--)
    step(w);
  return NULL;
}

int main(int argc, char **argv) {
  if (argc < 4)
    return 2;
  unsigned threads = (unsigned)atoi(argv[2]);
  if (argc > 4)
    largest = (size_t)atol(argv[4]);
  pthread_t thread[THREADS_MAX];
  static struct worker workers[THREADS_MAX];
  for (int i = 0; i < OBJECTS; i++)
    pthread_mutex_init(&objects[i].lock, NULL);
  for (unsigned i = 0; i < threads && i < THREADS_MAX; i++)
    workers[i] = (struct worker){UINT64_C(0x9e3779b97f4a7c15) * (8 * (unsigned)atoi(argv[1]) + i), atol(argv[3])};
  if (threads == 1)
    work(workers);
  for (unsigned i = 0; threads > 1 && i < threads; i++)
    pthread_create(&thread[i], NULL, work, &workers[i]);
  for (unsigned i = 0; threads > 1 && i < threads; i++)
    pthread_join(thread[i], NULL);
  for (int i = 0; i < OBJECTS; i++)
    if (objects[i].memory)
      sum(&objects[i]);
  for (int i = 0; i < SITES; i++)
    printf("s%d objects %lu live %lu touched %lu ever %lu of %lu\n", i, sums[i].objects, sums[i].live,
           sums[i].touched, sums[i].used, sums[i].fetched);
  return 0;
}
#endif
