// What memory costs: nearly all of a gather and of a list that lie in 64 MB, next to nothing of a chain and of branches over
// data that is in the cache.
// REQUIRES: plugin, runtime, tool
// RUN: rm -rf %t && mkdir -p %t && cd %t && echo 'src:*bound.c' > list
// RUN: %reticle_cc -O2 -g -fplugin-arg-reticle-bound=list %s -o app && RETICLE_OPTIONS=report=0:out=a.prof ./app
// RUN: for l in gather call follow chain branches; do %reticle show $l a.prof | grep '^memory'; done | %FileCheck %s
// RUN: %reticle show --json gather a.prof | %python %src/lit/tools/Inputs/validate.py %src/docs/schema/report.json loops.0.bound.memory.value loops.0.bound.entries | grep valid
// A study chooses the loops, and says what memory costs of the program's time.
// RUN: cd %t && cp %s . && %reticle study --no-try --only plain,timing,bound --build '$CC -O2 -g bound.c -o app' -- ./app > page 2> said && grep 'build 3 of 3, bound' said && %FileCheck --check-prefix=STUDY %s < page && %reticle report --json app.reticle | %python -c "import json, sys; f = [f for f in json.load(sys.stdin)['findings'] if f['code'] == 'stall-memory' and f['proof'] == 'measured']; print(len(f), *f[0]['gain'].values())"
// STUDY: stall-memory L{{[0-9]+ (follow|gather|call) bound.c:[0-9]+}}: costs {{[0-9]+ % \(}}
// STUDY-NEXT: memory: {{[89]}}{{[0-9](\.[0-9])? % of its time}}
// CHECK: memory     {{[89]}}{{[0-9] %}}
// CHECK: memory     {{[789]}}{{[0-9] %}}
// CHECK: memory     {{9}}{{[0-9](\.[0-9])? %}}
// CHECK: memory     {{[0-9](\.[0-9]+)? %}}
// CHECK: memory     {{1?[0-9](\.[0-9]+)? %}}
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define APART __attribute__((noinline))
enum { WORDS = 1 << 23, STEPS = 1 << 18, BYTES = 1 << 14 };

struct node {
  struct node *next;
  long value[7];
};

APART static uint64_t gather(const uint64_t *table, const uint32_t *where) {
  uint64_t sum = 0;
  for (int i = 0; i < STEPS; i++)
    sum += table[where[i]];
  return sum;
}

APART static uint64_t fetch(const uint64_t *table, uint32_t at) { return table[at]; }

APART static uint64_t call(const uint64_t *table, const uint32_t *where) {
  uint64_t sum = 0;
  for (int i = 0; i < STEPS; i++)
    sum += fetch(table, where[i]);
  return sum;
}

APART static long follow(const struct node *p) {
  long sum = 0;
  for (; p; p = p->next)
    sum += p->value[3];
  return sum;
}

APART static double chain(double x) {
  for (int i = 0; i < STEPS; i++)
    x = x * 1.0000001 + 1e-9;
  return x;
}

APART static long branches(const unsigned char *bytes) {
  long a = 0, b = 1;
  for (int i = 0; i < BYTES; i++)
    if (bytes[i] < 128)
      a += b * bytes[i];
    else
      b ^= a + i;
  return a + b;
}

static uint64_t state = 88172645463325252u;
static uint64_t random_number(void) {
  state ^= state << 13;
  state ^= state >> 7;
  return state ^= state << 17;
}

int main(void) {
  uint64_t *table = malloc(WORDS * sizeof *table), sum = 0;
  uint32_t *where = malloc(STEPS * sizeof *where);
  struct node *nodes = malloc(STEPS * sizeof *nodes), *last = &nodes[0];
  unsigned char *bytes = malloc(BYTES);
  double x = 1;
  for (int i = 0; i < WORDS; i++)
    table[i] = random_number();
  for (int i = 0; i < STEPS; i++) {
    where[i] = (uint32_t)(random_number() % WORDS);
    nodes[i].next = NULL;
  }
  for (int i = 0; i < STEPS; i++) { // not all of them: those that come to be there first
    struct node *n = &nodes[random_number() % STEPS];
    if (n == last || n->next || n == &nodes[0])
      continue;
    n->value[3] = i;
    last = last->next = n;
  }
  last->next = NULL;
  for (int i = 0; i < BYTES; i++)
    bytes[i] = (unsigned char)random_number();
  for (int k = 0; k < 60; k++) {
    __asm__ volatile("" : : "r"(table), "r"(bytes) : "memory");
    sum += gather(table, where) + call(table, where) + (uint64_t)follow(nodes) + (uint64_t)branches(bytes);
    x = chain(x);
  }
  printf("%llu %g\n", (unsigned long long)sum, x);
}
