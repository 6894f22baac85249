// Integer fields that are wider than their values are told, with how many bits these took, negative ones too; no pointers,
// no floating point, no fields whose values are wide, and nothing of a struct of which there is one object.
// REQUIRES: plugin, runtime, tool, x86_64
// RUN: rm -rf %t && mkdir -p %t && cd %t && %reticle_cc -O1 -g -fplugin-arg-reticle-features=loop,field,shadow %s -o app
// RUN: cd %t && env RETICLE_OPTIONS=report=0:out=app.prof ./app
// RUN: cd %t && %reticle layout order app.prof > text && %FileCheck %s < text
// RUN: cd %t && %reticle layout order app.prof --json | %python -c "import json, sys; s = json.load(sys.stdin)['shrink']; print(s['size_bytes'], sorted((f['name'], f['bytes'], f['to_bytes'], f['bits'], f['signed']) for f in s['fields']))" | %FileCheck --check-prefix=JSON %s
// RUN: cd %t && %reticle layout total app.prof | %not grep shrink
// What a field holds in front of a write says nothing.
// RUN: cd %t && env RETICLE_OPTIONS=report=0:out=fill.prof ./app fill && %reticle layout order fill.prof | %not grep shrink
// CHECK: shrink id 8 -> 4 bytes ({{.*}} values, 17 bits), side 4 -> 1 bytes
// CHECK: an element of 32 bytes in place of 48
// JSON: 32 [('flags', 2, 1, 5, False), ('id', 8, 4, 17, False), ('side', 4, 1, 2, True)]
// Without visits nothing is known.
// RUN: cd %t && %reticle_cc -O1 -g -fplugin-arg-reticle-features=loop,field,shadow -fplugin-arg-reticle-visits=0 %s -o none && env RETICLE_OPTIONS=report=0:out=none.prof ./none
// RUN: cd %t && %reticle layout order none.prof | %not grep shrink
#include <stdint.h>
#include <stdlib.h>

struct order {
  uint64_t id;
  struct order *next;
  int side;
  double price;
  uint64_t hash;
  unsigned short flags;
};

struct total {
  uint64_t count, sum;
};

enum { ORDERS = 100000 };

__attribute__((noinline)) static void fill(struct order *all) {
  for (uint64_t i = 0; i < ORDERS; i++) {
    all[i].id = i;
    all[i].next = all + (i * 7919 + 1) % ORDERS;
    all[i].side = i & 1 ? 1 : -1;
    all[i].price = (double)i;
    all[i].hash = i * UINT64_C(0x9e3779b97f4a7c15);
    all[i].flags = i & 31;
  }
}

__attribute__((noinline)) static uint64_t walk(struct order *all, struct total *total) {
  const struct order *o = all;
  uint64_t sum = 0;
  for (int i = 0; i < ORDERS; i++, o = o->next) {
    sum += o->id + (uint64_t)o->side + o->hash + o->flags + (uint64_t)(int64_t)o->price;
    total->count++;
    total->sum += o->id & 3;
  }
  return sum;
}

int main(int argc, char **argv) {
  (void)argv;
  struct order *all = calloc(ORDERS, sizeof *all);
  struct total *total = calloc(1, sizeof *total);
  uint64_t sum = 0;
  fill(all);
  for (int round = 0; argc > 1 && round < 100; round++)
    fill(all);
  for (int round = 0; argc == 1 && round < 400; round++)
    sum += walk(all, total);
  return sum == 1;
}
