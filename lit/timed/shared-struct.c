// Threads that write different fields of one line: the struct's layout is told a border, not "no gain expected" alone.
// REQUIRES: plugin, runtime, tool, x86_64
// RUN: rm -rf %t && mkdir -p %t && cd %t && %reticle_cc -O2 -g -fplugin-arg-reticle-features=loop,field,shadow -fplugin-arg-reticle-shadow=detail %s -o app -lpthread
// RUN: cd %t && env RETICLE_OPTIONS=report=0:shadow_hz=200:out=app.prof ./app && %reticle layout stats app.prof > text && %FileCheck %s < text
// RUN: cd %t && %reticle layout stats app.prof --json | %python -c "import json, sys; print(json.load(sys.stdin)['pad']['verdict'])" | grep '^false sharing$'
// RUN: cd %t && %reticle layout alone app.prof | %not grep '^pad'
// CHECK: pad false sharing, suspected: threads write different words of a line of A{{[0-9]+}}
// CHECK: alignas(64)
// CHECK: in front of misses in struct stats
#include <pthread.h>
#include <stdlib.h>

struct stats {
  long hits, misses;
  char name[32];
};
struct alone {
  long count;
  char name[56];
};
static struct stats *all;
static struct alone *own;

static void *hit(void *unused) {
  for (long i = 0; i < 200000000; i++)
    ((volatile struct stats *)all)->hits += i;
  return unused;
}

static void *miss(void *unused) {
  for (long i = 0; i < 200000000; i++)
    ((volatile struct stats *)all)->misses += i & 3;
  return unused;
}

int main(int argc, char **argv) {
  pthread_t a, b;
  (void)argv;
  all = calloc((size_t)argc, sizeof(struct stats));
  own = calloc((size_t)argc, sizeof(struct alone));
  pthread_create(&a, 0, hit, 0);
  pthread_create(&b, 0, miss, 0);
  for (long i = 0; i < 100000; i++)
    ((volatile struct alone *)own)->count++;
  pthread_join(a, 0);
  pthread_join(b, 0);
  return all->hits + all->misses + own->count == 1;
}
