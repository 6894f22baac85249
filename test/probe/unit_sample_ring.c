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
  CHECK(!rrt_sample_take(&address, &periods, NULL));
  send(0x1000, 0);
  send(0x2000, 3);
  send(0x3000, -1);
  CHECK(rrt_sample_take(&address, &periods, NULL) && address == 0x1000 && periods == 1);
  CHECK(rrt_sample_take(&address, &periods, NULL) && address == 0x2000 && periods == 4);
  CHECK(rrt_sample_take(&address, &periods, NULL) && address == 0x3000 && periods == 1);
  CHECK(!rrt_sample_take(&address, &periods, NULL));
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
  while (rrt_sample_take(&address, &periods, NULL))
    CHECK_EQUAL(address, expected++);
  CHECK_EQUAL(expected, SLOTS);
  // Slots come again, more than once around.
  for (uint64_t i = 0; i < 3 * SLOTS; i++) {
    send(i, 0);
    CHECK(rrt_sample_take(&address, &periods, NULL) && address == i);
  }
}

// A stack as frame pointers make it, and memory that can be read.
static uint64_t frames[64], room[SLOTS * RRT_SAMPLE_RING_WORDS];
static uint64_t readable_from, readable_to;
static unsigned peeks;

static int peek(const void *address, void *out, size_t bytes) {
  uint64_t at = (uint64_t)address;
  peeks++;
  if (at < readable_from || at + bytes > readable_to)
    return -1;
  memcpy(out, address, bytes);
  return 0;
}

static uint64_t depth_of(uint64_t sp, uint64_t frame, uint64_t *stack) {
  char info[128] = {0}, context[1024] = {0};
  uint64_t address = 0x5000;
  uint32_t periods;
  memcpy(context + RRT_CONTEXT_PC, &address, sizeof address);
  memcpy(context + RRT_CONTEXT_SP, &sp, sizeof sp);
  memcpy(context + RRT_CONTEXT_FRAME, &frame, sizeof frame);
  rrt_sample_signal(64, info, context);
  CHECK(rrt_sample_take(&address, &periods, stack) && address == 0x5000);
  CHECK_EQUAL(stack[1], 0x5000);
  return stack[0];
}

static void test_stack(void) {
  uint64_t stack[RRT_SAMPLE_RING_WORDS], base = (uint64_t)frames;
  rrt_sample_clear();
  rrt_sample_walk_stacks(peek, room);
  readable_from = base;
  readable_to = base + sizeof frames;
  for (unsigned i = 0; i < 10; i++) { // frames of four words
    frames[4 * i] = (uint64_t)&frames[4 * i + 4];
    frames[4 * i + 1] = 0x10000 + i;
  }
  frames[4 * 9] = 0; // the outermost
  CHECK_EQUAL(depth_of(base, base, stack), 11);
  for (unsigned i = 0; i < 10; i++)
    CHECK_EQUAL(stack[2 + i], 0x10000 + i);
  CHECK(peeks <= 3); // several frames at a time
  // A return address that is none; a frame below the one before; one outside of memory; below the
  // stack pointer; not aligned; a register that holds anything.
  frames[4 * 5 + 1] = 17;
  CHECK_EQUAL(depth_of(base, base, stack), 6);
  frames[4 * 5 + 1] = 0x10005;
  frames[4 * 3] = (uint64_t)&frames[8];
  CHECK_EQUAL(depth_of(base, base, stack), 5);
  frames[4 * 3] = base + (1u << 20);
  CHECK_EQUAL(depth_of(base, base, stack), 5);
  CHECK_EQUAL(depth_of(base + 8, base, stack), 1);
  CHECK_EQUAL(depth_of(base, base + 4, stack), 1);
  CHECK_EQUAL(depth_of(base, UINT64_MAX - 7, stack), 1);
  CHECK_EQUAL(depth_of(base, 0, stack), 1);
  rrt_sample_walk_stacks(peek, NULL);
}

// No more than there is room for.
static void test_deep(void) {
  static uint64_t deep[4096];
  uint64_t stack[RRT_SAMPLE_RING_WORDS], base = (uint64_t)deep;
  readable_from = base;
  readable_to = base + sizeof deep;
  for (unsigned i = 0; i + 2 < 4096; i += 2) {
    deep[i] = (uint64_t)&deep[i + 2];
    deep[i + 1] = 0x10000 + i;
  }
  rrt_sample_clear();
  rrt_sample_walk_stacks(peek, room);
  CHECK_EQUAL(depth_of(base, base, stack), RRT_SAMPLE_RING_WORDS - 1);
  CHECK_EQUAL(stack[RRT_SAMPLE_RING_WORDS - 1], 0x10000 + 2 * (RRT_SAMPLE_RING_WORDS - 3));
  rrt_sample_walk_stacks(peek, NULL);
}

int main(void) {
  RUN(test_order);
  RUN(test_full);
  RUN(test_stack);
  RUN(test_deep);
  return unit_status();
}
