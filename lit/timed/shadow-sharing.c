// Lines that threads share, with shadow=detail. Neighbouring counters are suspected of false sharing: in a global variable, in two small ones,
// on the heap, in two objects of one line, and what is read beside what is written. The same apart are none, nor what is handed
// over or only read. A word in common is true sharing, a queue's head and tail are mixed. Without the option the report says
// what is missing.
// REQUIRES: plugin, runtime, tool, x86_64
// RUN: for o in -O0 -O2 "-O3 -march=native" "-O2 -fno-pie -no-pie"; do %reticle_cc -w $o -g -fplugin-arg-reticle-features=shadow -fplugin-arg-reticle-shadow=detail %s -o %t -lpthread && %env_reticle:shadow_hz=100 %t || exit 1; %python %support/sharing.py %reticle %t.prof > %t.out && cat %t.out && %FileCheck %s < %t.out || exit 1; done
// RUN: %reticle report --heap --all %t.prof | %FileCheck --check-prefix=TABLE %s
// RUN: %reticle show $(%python %support/sharing.py --number counters %reticle %t.prof) %t.prof | %FileCheck --check-prefix=CARD %s
// RUN: %reticle show $(%python %support/sharing.py --number make_pair %reticle %t.prof) %t.prof | %FileCheck --check-prefix=PAIR %s
// RUN: %reticle show $(%python %support/sharing.py --number queue %reticle %t.prof) %t.prof | %FileCheck --check-prefix=QUEUE %s
// RUN: %env_reticle:shadow_hz=100:shadow_scan=0 %t && %python %support/sharing.py %reticle %t.prof | %FileCheck %s
// RUN: %env_reticle:shadow=0 %t && %python %support/sharing.py %reticle %t.prof | %FileCheck --check-prefix=OFF %s
// RUN: %reticle_cc -w -O2 -g -fplugin-arg-reticle-features=shadow %s -o %t.plain -lpthread
// RUN: %env_reticle:shadow_hz=100 %t.plain
// RUN: %reticle report --heap %t.prof | %FileCheck --check-prefix=PLAIN %s
// RUN: %reticle show A1 %t.prof | %FileCheck --check-prefix=PLAIN %s
// RUN: %python %support/sharing.py %reticle %t.prof | %FileCheck --check-prefix=PLAINJSON %s
//
// CHECK-NOT: {{^(padded|make_handed|only_read)}}
// CHECK-DAG: {{^}}counters false sharing offset 0 words b:0:2 b:4:2 b:8:3 b:12:3{{$}}
// CHECK-DAG: {{^}}small_first false sharing offset 0 words b:0:2 b:4:2 neighbour
// CHECK-DAG: {{^}}make_pair false sharing offset 0 words b:0:2 b:4:2 b:8:3 b:12:3{{$}}
// CHECK-DAG: {{^}}make_node false sharing offset {{[0-9]+}} words {{.*}} neighbour
// CHECK-DAG: {{^}}beside false sharing offset 0 words b:0:2 b:4:2 r:8:3 r:12:3{{$}}
// CHECK-DAG: {{^}}in_common true sharing offset 0 words b:0:{{.*}}+ b:4:{{.*}}+{{$}}
// CHECK-DAG: {{^}}queue mixed offset 0 words b:0:2+ b:4:2+ b:8:3+ b:12:3+{{$}}
// CHECK-NOT: {{^(padded|make_handed|only_read)}}
// CHECK: measured True reason None
// TABLE: LINES THAT THREADS SHARE
// TABLE: A{{[0-9]+}} {{.*}} false sharing
// TABLE: A{{[0-9]+}} in_common {{.*}} 0-7 {{.*}} true sharing
// TABLE: suspects, not proofs
// CARD: written, not read  0 B
// CARD: lines that threads share
// CARD: line at byte 0  false sharing, suspected
// CARD-NEXT: words    bbbb............
// CARD-NEXT: threads  2233............
// CARD-NEXT: thread 2: [0]; thread 3: [1]
// CARD-NEXT: try: one element of long for each line: alignas(64), 8 -> 64 bytes
// PAIR: thread 2: hits; thread 3: misses
// PAIR-NEXT: try: alignas(64) in front of misses in struct pair
// QUEUE: mixed, suspected
// QUEUE-NEXT: words    bbbb............
// QUEUE-NEXT: threads  2233............
// QUEUE-NEXT: others   ++++............
// QUEUE-NEXT: thread 2: head; thread 3: tail
// QUEUE-NEXT: try: alignas(64) in front of tail
// PLAIN: which threads write to one line was not measured; compile with -fplugin-arg-reticle-shadow=detail
// OFF: measured False reason the run had RETICLE_OPTIONS=shadow=0
// PLAINJSON: measured False reason which threads
#include <reticle.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

#define KEEP __attribute__((noinline)) static
#define LINE _Alignas(64)
enum { SAMPLES = 60, NODES = 4 };
struct pair {
  volatile long hits, misses;
};
struct padded {
  LINE volatile long count;
};

LINE volatile long counters[8];
LINE volatile long small_first;
volatile long small_second;
LINE struct padded padded[2];
LINE atomic_long in_common[8];
struct queue {
  long head, tail, room[6];
};
LINE volatile struct queue queue;
LINE volatile struct {
  long count, limit, room[6];
} beside;
LINE volatile long only_read[8];
LINE static _Atomic(struct pair *) slot[8];
LINE static atomic_int state[16]; // 1: one runs, 2: both run, 3: enough

KEEP struct pair *make_pair(void) {
  struct pair *p = aligned_alloc(64, 64);
  __asm__ volatile("" : "+r"(p)::"memory");
  return p;
}
KEEP volatile long *make_node(void) {
  volatile long *p = malloc(24);
  __asm__ volatile("" : "+r"(p)::"memory");
  return p;
}
KEEP struct pair *make_handed(void) {
  struct pair *p = aligned_alloc(64, 64);
  __asm__ volatile("" : "+r"(p)::"memory");
  return p;
}

static struct pair *pair;
static volatile long *nodes[NODES], *node, *next_node; // two in one line

KEEP void first(void) {
  counters[0]++;
  small_first++;
  pair->hits++;
  (*node)++;
  padded[0].count++;
  in_common[0]++;
  queue.head = queue.tail + queue.head;
  beside.count++;
  only_read[0];
  struct pair *handed = make_handed(), *none = NULL;
  handed->hits = 1;
  if (!atomic_compare_exchange_strong(&slot[0], &none, handed))
    free(handed);
}
KEEP void second(void) {
  counters[1]++;
  small_second++;
  pair->misses++;
  (*next_node)++;
  padded[1].count++;
  in_common[0]++;
  queue.tail = queue.head + queue.tail;
  beside.limit;
  only_read[1];
  struct pair *handed = atomic_exchange(&slot[0], NULL);
  if (handed)
    handed->misses = 1;
  free(handed);
}

static void *one(void *unused) {
  first();
  state[0] = 1;
  for (; state[0] < 3; sched_yield())
    for (int i = 0; i < 50; i++)
      first();
  return NULL;
}
static void *other(void *unused) {
  second();
  state[0] = 2;
  for (; state[0] < 3; sched_yield())
    for (int i = 0; i < 50; i++)
      second();
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  pair = make_pair();
  for (int i = 0; i < NODES; i++)
    nodes[i] = make_node();
  for (int i = 0; i + 1 < NODES; i++)
    if ((uintptr_t)nodes[i] / 64 == (uintptr_t)nodes[i + 1] / 64) {
      node = nodes[i];
      next_node = nodes[i + 1];
    }
  if (!node)
    return 1;
  pthread_create(&threads[0], NULL, one, NULL);
  while (!state[0])
    sched_yield();
  pthread_create(&threads[1], NULL, other, NULL);
  while (state[0] < 2)
    sched_yield();
  for (long start = RETICLE_SHADOW_SAMPLES(); RETICLE_SHADOW_SAMPLES() >= 0 && RETICLE_SHADOW_SAMPLES() < start + SAMPLES;)
    usleep(1000);
  state[0] = 3;
  pthread_join(threads[0], NULL);
  pthread_join(threads[1], NULL);
  return 0;
}
