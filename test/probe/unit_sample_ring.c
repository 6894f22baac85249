// unit_sample_ring.c - samples from signal handlers to the drain: order, weights, a full ring.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/probe/sample.h"
#include "test/unit.h"

#include <string.h>

enum { SLOTS = 4096 };

static void send(uint64_t address, int overrun) {
  char info[128] = {0}, context[1024] = {0};
  memcpy(info + RRT_INFO_OVERRUN, &overrun, sizeof overrun);
  memcpy(context + RRT_CONTEXT_PC, &address, sizeof address);
  rrt_sample_signal(64, info, context);
}

static void test_order(void) {
  uint64_t address;
  uint32_t periods;
  rrt_sample_clear();
  CHECK(!rrt_sample_take(&address, &periods));
  send(0x1000, 0);
  send(0x2000, 3);
  send(0x3000, -1);
  CHECK(rrt_sample_take(&address, &periods) && address == 0x1000 && periods == 1);
  CHECK(rrt_sample_take(&address, &periods) && address == 0x2000 && periods == 4);
  CHECK(rrt_sample_take(&address, &periods) && address == 0x3000 && periods == 1);
  CHECK(!rrt_sample_take(&address, &periods));
  CHECK_EQUAL(rrt_sample_lost(), 0);
}

static void test_full(void) {
  uint64_t address, expected = 0;
  uint32_t periods;
  rrt_sample_clear();
  CHECK_EQUAL(rrt_sample_fill(), 0);
  for (uint64_t i = 0; i < SLOTS + 10; i++)
    send(i, 0);
  CHECK_EQUAL(rrt_sample_fill(), 1000);
  CHECK_EQUAL(rrt_sample_lost(), 10);
  CHECK_EQUAL(rrt_sample_lost(), 0);
  while (rrt_sample_take(&address, &periods))
    CHECK_EQUAL(address, expected++);
  CHECK_EQUAL(expected, SLOTS);
  // Slots come again, more than once around.
  for (uint64_t i = 0; i < 3 * SLOTS; i++) {
    send(i, 0);
    CHECK(rrt_sample_take(&address, &periods) && address == i);
  }
}

int main(void) {
  RUN(test_order);
  RUN(test_full);
  return unit_status();
}
