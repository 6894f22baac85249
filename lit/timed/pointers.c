// pointers.c - which allocation sites a loop touches is told by the registers of its samples: list, array, and a loop without.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: plugin, runtime, tool, x86_64, perf-clock, jsonschema, strip
// RUN: rm -rf %t && mkdir -p %t && cd %t
// RUN: %reticle_cc -O2 -fno-vectorize -Wl,--build-id -fplugin-arg-reticle-features=loop,shadow %s -o app
// RUN: %env_reticle:sample=1:sample_hz=997 %t/app
// RUN: %reticle show walk %t.prof | tr -s '\n ' ' ' | %FileCheck --check-prefix=WALK %s
// WALK: objects A{{[0-9]+}} make_nodes pointers.c:[[#NODE:]]{{.*}}: {{[0-9.]+}} % of the fetched bytes are used (by all code); in {{(9[0-9]|100)}} % of {{[0-9]+}} samples of the loop a pointer led there
// WALK-NOT: make_pairs
// RUN: %reticle show sum %t.prof | tr -s '\n ' ' ' | %FileCheck --check-prefix=SUM %s
// SUM: objects A{{[0-9]+}} make_pairs pointers.c:{{.*}} 25 % of the fetched bytes are used (by all code); in {{(9[0-9]|100)}} % of {{[0-9]+}} samples
// SUM-NOT: make_nodes
// RUN: %reticle show spin %t.prof | tr -s '\n ' ' ' | %FileCheck --check-prefix=SPIN %s
// SPIN: objects none on the heap: no pointer led into one in {{[0-9]+}} samples
// RUN: %reticle show walk %t.prof --json | %python %S/../tools/Inputs/validate.py %src/docs/schema/report.json loops.0.sites.0.useful_share.status loops.0.sites_reason | %FileCheck --check-prefix=JSON %s
// JSON: sites.0.useful_share.status: "ok"
// JSON: sites_reason: null
// Stripped since, or built anew: nothing is tied to the wrong code.
// RUN: cp app kept && strip app && %reticle show walk %t.prof | tr -s '\n ' ' ' | %FileCheck --check-prefix=LOST %s
// RUN: %reticle_cc -O1 -DEXTRA -Wl,--build-id -fplugin-arg-reticle-features=loop,shadow %s -o app && %reticle show walk %t.prof | tr -s '\n ' ' ' | %FileCheck --check-prefix=LOST %s
// LOST: objects not known: the loop's machine code was not found
// RUN: cp kept app
// Without samples, or by timers, that is said.
// RUN: %env_reticle %t/app 3 && %reticle show walk %t.prof | tr -s '\n ' ' ' | %FileCheck --check-prefix=NONE %s
// RUN: %env_reticle:sample=1:sample_perf=0 %t/app 30 && %reticle show walk %t.prof | tr -s '\n ' ' ' | %FileCheck --check-prefix=NONE %s
// NONE: objects not known: no samples with registers: RETICLE_OPTIONS=sample=1
// Where not every object is known, shares would be wrong; in bursts with samples every one is.
// RUN: %env_reticle:sample=1:sample_hz=997:shadow_objects=8 %t/app && %reticle show walk %t.prof | tr -s '\n ' ' ' | %FileCheck --check-prefix=DRAWN %s
// DRAWN: objects not known: not all objects below 1 KiB were looked at: RETICLE_OPTIONS=shadow_objects=1
// RUN: %env_reticle:sample=1:duty=50%% %t/app 3 && %reticle report --json %t.prof | grep '"objects_every": 1,'
#include <stdlib.h>

struct node {
  long key;
  struct node *next;
  char rest[48];
};
struct pair {
  int a, b, c, d;
};

static struct node *make_nodes(size_t n) {
  struct node *head = NULL, **all = malloc(n * sizeof *all);
  for (size_t i = 0; i < n; i++) {
    all[i] = malloc(sizeof **all);
    all[i]->key = (long)i;
  }
  for (size_t i = 0; i < n; i++) {
    size_t k = i * 7919 % n;
    all[k]->next = head;
    head = all[k];
  }
  free(all);
  return head;
}

static struct pair *make_pairs(size_t n) {
  struct pair *pairs = calloc(n, sizeof *pairs);
  for (size_t i = 0; i < n; i++)
    pairs[i].a = (int)i;
  return pairs;
}

__attribute__((noinline)) long walk(struct node *n) {
  long s = 0;
  for (; n; n = n->next)
    s += n->key;
  return s;
}

__attribute__((noinline)) long sum(struct pair *p, size_t n) {
  long s = 0;
  for (size_t i = 0; i < n; i++)
    s ^= p[i].a * 3;
  return s;
}

__attribute__((noinline)) long spin(long n) {
  long s = 1;
  for (long i = 0; i < n; i++)
    s = s * 5 + i;
  return s;
}

int main(int argc, char **argv) {
  int turns = argc > 1 ? atoi(argv[1]) : 150;
  struct node *nodes = make_nodes(30000);
  struct pair *pairs = make_pairs(1000000);
  long s = 0;
  for (int i = 0; i < turns; i++) {
    s += walk(nodes) + spin(10000000);
    for (size_t less = 0; less < 3; less++)
      s += sum(pairs, 1000000 - less);
    __asm__ volatile("" ::: "memory");
  }
  return s == 1;
}
