// unit_blame.c - samples go to the instruction before, across blocks by how often each led there.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/unit.h"
#include "tools/analysis/block/blame.h"

// 0: [0 1] entered 10 times; 1: [2 3] a loop of 100 iterations; 2: [4] behind it.
static struct stall_block blocks[] = {{.first = 0, .count = 2, .executions = 10},
                                      {.first = 2, .count = 2, .executions = 100},
                                      {.first = 4, .count = 1, .executions = 10}};
static struct stall_edge edges[] = {
    {0, 1, 10, true, false}, {1, 1, 90, false, false}, {1, 2, 10, true, false}};
static const struct stall_input input = {
    .blocks = blocks, .block_count = 3, .edges = edges, .edge_count = 3, .instruction_count = 5};

static void test_shifts(void) {
  const double sampled[] = {3, 5, 100, 70, 20};
  double blamed[5];
  blame_shift(&input, sampled, blamed);
  CHECK_NEAR(blamed[0], 3 + 5, 1e-9); // what lies on the entry stays: the call is elsewhere
  CHECK_NEAR(blamed[1], 10, 1e-9);    // one iteration of ten came from here
  CHECK_NEAR(blamed[2], 70, 1e-9);
  CHECK_NEAR(blamed[3], 90 + 20, 1e-9);
  CHECK_NEAR(blamed[4], 0, 1e-9);
}

// An edge that isn't known counts as often as its block could have taken it.
static void test_unknown_edges(void) {
  const double sampled[] = {0, 0, 110, 0, 0};
  double blamed[5];
  edges[0].executions = edges[1].executions = NAN;
  blame_shift(&input, sampled, blamed);
  CHECK_NEAR(blamed[1], 10, 1e-9);
  CHECK_NEAR(blamed[3], 100, 1e-9);
  for (unsigned b = 0; b < 3; b++)
    blocks[b].executions = NAN;
  blame_shift(&input, sampled, blamed);
  CHECK_NEAR(blamed[1], 55, 1e-9);
  CHECK_NEAR(blamed[3], 55, 1e-9);
}

// A division in front of the jump that leads here would have its samples on the jump.
static void test_unknown_jump(void) {
  const struct stall_block all[] = {{.first = 0, .count = 1, .executions = NAN},
                                    {.first = 1, .count = 2, .executions = NAN},
                                    {.first = 3, .count = 1, .executions = 10}};
  struct stall_edge to[] = {{0, 2, NAN, true, false}, {1, 2, NAN, false, true}};
  const struct stall_input in = {
      .blocks = all, .block_count = 3, .edges = to, .edge_count = 2, .instruction_count = 4};
  const double sampled[] = {0, 0, 0, 100};
  double blamed[4];
  blame_shift(&in, sampled, blamed);
  CHECK_NEAR(blamed[0], 100, 0.01);
  to[0].jumps = true; // nothing but jumps: all the same
  blame_shift(&in, sampled, blamed);
  CHECK_NEAR(blamed[0], 50, 1e-9);
  to[1].executions = 30; // what was counted stands
  blame_shift(&in, sampled, blamed);
  CHECK_NEAR(blamed[2], 100, 0.01);
}

// The function's entry is a loop's header, too: one of four executions came by a call.
static void test_entry_in_loop(void) {
  struct stall_block loop = {.first = 0, .count = 2, .executions = 40};
  struct stall_edge back = {0, 0, 30, false, false};
  const struct stall_input in = {
      .blocks = &loop, .block_count = 1, .edges = &back, .edge_count = 1, .instruction_count = 2};
  const double sampled[] = {8, 0};
  double blamed[2];
  blame_shift(&in, sampled, blamed);
  CHECK_NEAR(blamed[0], 2, 1e-9);
  CHECK_NEAR(blamed[1], 6, 1e-9);
}

int main(void) {
  RUN(test_shifts);
  RUN(test_unknown_edges);
  RUN(test_unknown_jump);
  RUN(test_entry_in_loop);
  return unit_status();
}
