// app.c - has what the pages name: functions sum, scan, f1 and compress, a struct order, a region
// parse. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <reticle.h>
#include <stdio.h>
#include <stdlib.h>

#define COUNT 20000

struct order {
  long price, quantity;
  char note[48];
  struct order *next;
};

#define APART __attribute__((noinline))

APART static long sum(const struct order *orders) {
  long total = 0;
  for (int i = 0; i < COUNT; i++)
    total += orders[i].price * orders[i].quantity;
  return total;
}

APART static long scan(const struct order *order) {
  long total = 0;
  for (; order; order = order->next)
    total ^= order->price;
  return total;
}

APART static unsigned f1(unsigned seed) {
  for (int i = 0; i < COUNT; i++)
    seed = seed * 1664525 + 1013904223;
  return seed;
}

APART static unsigned compress(unsigned seed) {
  for (int i = 0; i < COUNT; i++)
    seed = (seed >> 3) ^ (seed << 7) ^ (unsigned)i;
  return seed;
}

int main(void) {
  struct order *orders = malloc(COUNT * sizeof *orders);
  long total = 0;
  RETICLE_REGION_BEGIN("parse");
  for (int i = 0; i < COUNT; i++)
    orders[i] =
        (struct order){.price = i, .quantity = i % 7, .next = i ? &orders[i * 7919L % i] : NULL};
  RETICLE_REGION_END;
  for (int round = 0; round < 1000; round++) {
    for (int i = 0; i < COUNT; i++)
      orders[i].next = i ? orders + i - 1 : NULL;
    total +=
        sum(orders) + scan(orders + COUNT - 1) + f1((unsigned)round) + compress((unsigned)round);
  }
  printf("%ld\n", total);
  free(orders);
  return 0;
}
