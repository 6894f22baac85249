// unit_sample_stacks.c - call stacks as a tree: shared callers, where stacks stop, a full table.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/feature/sample/sample_parts.h"
#include "test/unit.h"

#include <string.h>

struct reticle_file_sampling rrt_sampling;

// Code of file 0 below 1000, of file 1 below 2000, of none above.
uint32_t rrt_sample_map_find(uint64_t address, uint64_t time_ns, uint64_t *offset) {
  CHECK_EQUAL(time_ns, 5);
  *offset = address % 1000;
  return address < 2000 ? (uint32_t)(address / 1000) : RRT_SAMPLE_UNMAPPED;
}

static uint32_t count;

static const struct reticle_file_stack *frame(uint32_t i) {
  const struct reticle_file_stack *all = rrt_sample_stacks(&count);
  CHECK(i < count);
  return &all[i];
}

#define ADD(cut, ...)                                                                              \
  rrt_sample_stacks_add((const uint64_t[]){__VA_ARGS__},                                           \
                        sizeof((const uint64_t[]){__VA_ARGS__}) / sizeof(uint64_t), cut, 0, 5, 10)

static void test_shared(void) {
  memset(&rrt_sampling, 0, sizeof rrt_sampling);
  CHECK_EQUAL(rrt_sample_stacks_open(), 0);
  ADD(0, 100, 201, 1301);
  ADD(0, 100, 201, 1301);
  ADD(0, 110, 201, 1301);
  ADD(0, 200, 1301); // where a caller called from: another frame's offset, but itself
  rrt_sample_stacks(&count);
  CHECK_EQUAL(count, 4);
  CHECK_EQUAL(frame(0)->caller, UINT32_MAX);
  CHECK_EQUAL(frame(0)->loadfile, 1);
  CHECK_EQUAL(frame(0)->offset, 300); // the last byte of the call
  CHECK_EQUAL(frame(1)->caller, 0);
  CHECK_EQUAL(frame(1)->offset, 200);
  CHECK_EQUAL(frame(1)->samples, 1);
  CHECK_EQUAL(frame(2)->offset, 100); // of the program counter itself
  CHECK_EQUAL(frame(2)->samples, 2);
  CHECK_EQUAL(frame(2)->time_ns, 20);
  CHECK_EQUAL(frame(3)->caller, 1);
  CHECK_EQUAL(rrt_sampling.stacks, 4);
}

// What the kernel did for a frame stands beside what the frame did.
static void test_kernel(void) {
  memset(&rrt_sampling, 0, sizeof rrt_sampling);
  rrt_sample_stacks_clear();
  ADD(0, 100, 201);
  rrt_sample_stacks_add((const uint64_t[]){100, 201}, 2, 0, 1, 5, 7);
  rrt_sample_stacks(&count);
  CHECK_EQUAL(count, 2);
  CHECK_EQUAL(frame(1)->samples, 1);
  CHECK_EQUAL(frame(1)->time_ns, 10);
  CHECK_EQUAL(frame(1)->kernel_samples, 1);
  CHECK_EQUAL(frame(1)->kernel_ns, 7);
  CHECK_EQUAL(rrt_sampling.stacks, 1);
}

static void test_ends(void) {
  memset(&rrt_sampling, 0, sizeof rrt_sampling);
  rrt_sample_stacks_clear();
  ADD(0, 100, 9001, 201); // what is beyond no code isn't believed
  ADD(1, 100, 201);       // deeper than is taken
  ADD(1, 100, 9001, 201); // not known to be deeper
  ADD(0, 9000);
  rrt_sample_stacks(&count);
  CHECK_EQUAL(count, 5);
  CHECK_EQUAL(frame(0)->loadfile, UINT32_MAX);
  CHECK_EQUAL(frame(0)->offset, RETICLE_STACK_LOST);
  CHECK_EQUAL(frame(0)->samples, 1);
  CHECK_EQUAL(frame(1)->caller, 0);
  CHECK_EQUAL(frame(1)->samples, 2);
  CHECK_EQUAL(frame(2)->offset, RETICLE_STACK_CUT);
  CHECK_EQUAL(frame(2)->samples, 0);
  CHECK_EQUAL(rrt_sampling.stacks, 4);
  CHECK_EQUAL(rrt_sampling.stacks_cut, 1);
}

// Every sample is in the tree or counted.
static void test_bound(void) {
  uint64_t samples = 0;
  memset(&rrt_sampling, 0, sizeof rrt_sampling);
  CHECK_EQUAL(rrt_sample_stacks_open(), 0);
  for (uint64_t i = 0; i < 200000; i++)
    ADD(0, i % 1000, 1 + i / 1000 % 1000, 1001 + i / 1000000);
  CHECK_EQUAL(frame(0)->loadfile, 1);
  for (uint32_t i = 0; i < count; i++) {
    samples += frame(i)->samples;
    CHECK(frame(i)->caller == UINT32_MAX || frame(i)->caller < i);
  }
  CHECK_EQUAL(count, 65536);
  CHECK_EQUAL(samples, rrt_sampling.stacks);
  CHECK_EQUAL(samples + rrt_sampling.stacks_no_room, 200000);
  rrt_sample_stacks_clear();
  ADD(0, 100);
  rrt_sample_stacks(&count);
  CHECK_EQUAL(count, 1);
}

int main(void) {
  RUN(test_shared);
  RUN(test_kernel);
  RUN(test_ends);
  RUN(test_bound);
  return unit_status();
}
