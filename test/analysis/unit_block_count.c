// unit_block_count.c - executions of machine blocks from labels and edges, worked out by hand.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/unit.h"
#include "tools/analysis/block/block_count.h"

#define BLOCKS 8

static struct block_count out[BLOCKS];
static bool leaves[BLOCKS], entered[BLOCKS];
static uint64_t taken[16]; // executions of edges
static const uint64_t *samples;

static void run(const struct block_count_edge *edges, size_t edge_count,
                const struct block_count_label *labels, size_t label_count, size_t blocks) {
  struct block_count_input input = {blocks,  edges,  edge_count,  leaves,
                                    entered, labels, label_count, samples};
  block_count(&input, out, taken);
}

static void start(size_t last) {
  memset(leaves, 0, sizeof leaves);
  memset(entered, 0, sizeof entered);
  entered[0] = leaves[last] = true;
}

// 0 -> 1, 2 -> 3
static const struct block_count_edge diamond[] = {{0, 1}, {0, 2}, {1, 3}, {2, 3}};

static void test_label_and_flow(void) {
  const struct block_count_label labels[] = {{0, 1, 10, false}, {1, 2, 7, false}};
  start(3);
  run(diamond, 4, labels, 2, 4);
  CHECK_EQUAL(out[0].status, BLOCK_COUNT_LABEL);
  CHECK_EQUAL(out[0].count, 10);
  CHECK_EQUAL(out[1].count, 7);
  CHECK_EQUAL(out[2].status, BLOCK_COUNT_FLOW);
  CHECK_EQUAL(out[2].count, 3);
  CHECK_EQUAL(out[3].status, BLOCK_COUNT_FLOW);
  CHECK_EQUAL(out[3].count, 10);
  CHECK_EQUAL(taken[0], 7);
  CHECK_EQUAL(taken[1], 3);
}

// Block 1 may be left by a call that doesn't return: what follows isn't known from before.
static void test_call_in_between(void) {
  const struct block_count_label labels[] = {{0, 1, 10, false}, {1, 2, 7, false}};
  start(3);
  leaves[1] = true;
  run(diamond, 4, labels, 2, 4);
  CHECK_EQUAL(out[2].count, 3);
  CHECK_EQUAL(out[3].status, BLOCK_COUNT_UNLABELLED);
  CHECK(taken[2] == BLOCK_COUNT_EDGE_UNKNOWN);
}

// The end was copied into both arms: together 10, by the arms 7 and 3.
static void test_copies_by_edges(void) {
  const struct block_count_edge edges[] = {{0, 1}, {0, 2}, {1, 3}, {2, 4}};
  const struct block_count_label labels[] = {
      {0, 1, 10, false}, {1, 2, 7, false}, {3, 9, 10, false}, {4, 9, 10, false}};
  start(3);
  leaves[4] = true;
  run(edges, 4, labels, 4, 5);
  CHECK_EQUAL(out[3].count, 7);
  CHECK_EQUAL(out[4].count, 3);
  CHECK_EQUAL(out[4].status, BLOCK_COUNT_FLOW);
}

// Where edges don't tell, copies are not known: no equal parts.
static void test_copies_unknown(void) {
  const struct block_count_label labels[] = {{1, 9, 10, false}, {2, 9, 10, false}};
  start(3);
  entered[1] = entered[2] = leaves[1] = leaves[2] = true;
  run(NULL, 0, labels, 2, 4);
  CHECK_EQUAL(out[1].status, BLOCK_COUNT_COPIES);
  CHECK_EQUAL(out[2].status, BLOCK_COUNT_COPIES);
  CHECK_EQUAL(out[1].count, 0);
}

// A label behind a call is a copy that may have run less often than its block.
static void test_part(void) {
  const struct block_count_label labels[] = {
      {0, 1, 10, false}, {1, 9, 8, false}, {2, 2, 5, false}, {2, 9, 8, true}};
  start(3);
  entered[1] = entered[2] = leaves[1] = leaves[2] = true;
  run(NULL, 0, labels, 4, 4);
  CHECK_EQUAL(out[2].count, 5);
  CHECK_EQUAL(out[1].status, BLOCK_COUNT_COPIES);
}

// A label that lies where it can't be: nothing is said of it or of those it contradicts.
static void test_contradiction(void) {
  const struct block_count_label labels[] = {{0, 1, 10, false}, {1, 2, 70, false}};
  start(3);
  run(diamond, 4, labels, 2, 4);
  CHECK_EQUAL(out[0].status, BLOCK_COUNT_CONTRADICTS);
  CHECK_EQUAL(out[1].status, BLOCK_COUNT_CONTRADICTS);
  CHECK(!block_count_is_known(&out[3]));
}

static void test_two_labels(void) {
  const struct block_count_label labels[] = {{0, 1, 10, false}, {0, 2, 70, false}};
  start(3);
  run(diamond, 4, labels, 2, 4);
  CHECK_EQUAL(out[0].status, BLOCK_COUNT_CONTRADICTS);
}

// 0 -> 1, 1 -> 1, 1 -> 2: the back edge is what the loop ran more often than it was entered.
static void test_loop(void) {
  const struct block_count_edge edges[] = {{0, 1}, {1, 1}, {1, 2}};
  const struct block_count_label labels[] = {{0, 1, 4, false}, {1, 2, 400, false}};
  start(2);
  run(edges, 3, labels, 2, 3);
  CHECK_EQUAL(out[1].count, 400);
  CHECK_EQUAL(out[2].count, 4);
}

// 0 -> 1, 2 -> 3 -> 4, 5 -> 6: only 0 and 6 are labelled, and all comes through 3.
static const struct block_count_edge diamonds[] = {{0, 1}, {0, 2}, {1, 3}, {2, 3},
                                                   {3, 4}, {3, 5}, {4, 6}, {5, 6}};

static void test_region(void) {
  const struct block_count_label labels[] = {{0, 1, 10, false}};
  start(6);
  run(diamonds, 8, labels, 1, 7);
  CHECK_EQUAL(out[3].status, BLOCK_COUNT_FLOW);
  CHECK_EQUAL(out[3].count, 10);
  CHECK_EQUAL(out[6].count, 10);
  CHECK_EQUAL(out[1].status, BLOCK_COUNT_UNLABELLED);
  leaves[2] = true; // by a call: less may come
  run(diamonds, 8, labels, 1, 7);
  CHECK_EQUAL(out[3].status, BLOCK_COUNT_UNLABELLED);
  leaves[2] = false;
  entered[1] = true;
  run(diamonds, 8, labels, 1, 7);
  CHECK_EQUAL(out[3].status, BLOCK_COUNT_UNLABELLED);
}

// One arm has another way, past the end: how many took it isn't known.
static void test_region_left(void) {
  const struct block_count_edge edges[] = {{0, 1}, {0, 2}, {1, 3}, {1, 4}, {2, 3}, {3, 4}};
  const struct block_count_label labels[] = {{0, 1, 10, false}};
  start(4);
  run(edges, 6, labels, 1, 5);
  CHECK_EQUAL(out[3].status, BLOCK_COUNT_UNLABELLED);
  CHECK_EQUAL(out[4].count, 10);
}

// A loop that nothing counted: its blocks run any number of times, what follows as often as it.
static void test_region_loop(void) {
  const struct block_count_edge edges[] = {{0, 1}, {1, 2}, {1, 3}, {2, 1}};
  const struct block_count_label labels[] = {{0, 1, 10, false}};
  start(3);
  run(edges, 4, labels, 1, 4);
  CHECK_EQUAL(out[1].status, BLOCK_COUNT_UNLABELLED);
  CHECK_EQUAL(out[2].status, BLOCK_COUNT_UNLABELLED);
  CHECK_EQUAL(out[3].count, 10);
}

// Of two ways that nothing tells apart, the one with the samples has at most all of it; the other's
// count stays unknown.
static void test_samples(void) {
  const uint64_t stood[] = {3, 1, 90, 5, 20, 30, 4};
  const struct block_count_label labels[] = {{0, 1, 10, false}};
  start(6);
  samples = stood;
  run(diamonds, 8, labels, 1, 7);
  samples = NULL;
  CHECK_EQUAL(out[2].status, BLOCK_COUNT_AT_MOST);
  CHECK_EQUAL(out[2].count, 10);
  CHECK_EQUAL(out[1].status, BLOCK_COUNT_UNLABELLED);
  CHECK(taken[0] == BLOCK_COUNT_EDGE_UNKNOWN && taken[1] == BLOCK_COUNT_EDGE_UNKNOWN);
  CHECK_EQUAL(out[4].status, BLOCK_COUNT_UNLABELLED);
  CHECK_EQUAL(out[5].status, BLOCK_COUNT_UNLABELLED);
}

int main(void) {
  RUN(test_label_and_flow);
  RUN(test_call_in_between);
  RUN(test_copies_by_edges);
  RUN(test_copies_unknown);
  RUN(test_part);
  RUN(test_contradiction);
  RUN(test_two_labels);
  RUN(test_loop);
  RUN(test_region);
  RUN(test_region_left);
  RUN(test_region_loop);
  RUN(test_samples);
  return unit_status();
}
