// unit_gate_choice.c - the shortest loops lose their gates, no more than the budget asks for.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/unit.h"
#include "tools/analysis/run/gate_choice.h"

#include <math.h>

#define SECOND_NS 1e9
#define MILLION 1000000

// 1 % and 0.5 % of the CPU time, and 0.1 % of a loop that is long enough.
static void test_shortest_first(void) {
  struct gate_use uses[] = {
      {5 * MILLION, 40, false}, {10 * MILLION, 20, false}, {MILLION, 300, false}};
  bool out[3];
  struct gate_choice choice = gate_choose(uses, 3, SECOND_NS, 0.005, out);
  CHECK(out[0] && out[1] && !out[2]);
  CHECK_EQUAL(choice.count, 2);
  CHECK_EQUAL(choice.executions, 16 * MILLION);
  CHECK_EQUAL(choice.left_executions, 15 * MILLION);
  CHECK_NEAR(choice.share, 0.016, 1e-9);
  CHECK_NEAR(choice.left_share, 0.015, 1e-9);
  choice = gate_choose(uses, 3, SECOND_NS, 0.007, out);
  CHECK(!out[0] && out[1] && !out[2]); // the rest takes 0.6 %
  choice = gate_choose(uses, 3, SECOND_NS, 0.02, out);
  CHECK(!out[0] && !out[1] && !out[2]);
  CHECK_EQUAL(choice.count, 0);
  CHECK_NEAR(choice.share, 0.016, 1e-9);
}

// A gate that takes less of its own loop than the budget stays, even if all together take more.
static void test_long_loops(void) {
  struct gate_use uses[] = {{8 * MILLION, 250, false}, {8 * MILLION, 199, false}};
  bool out[2];
  gate_choose(uses, 2, SECOND_NS, 0.005, out);
  CHECK(!out[0] && out[1]);
}

// Short, but seldom entered: nothing is saved by knowing less.
static void test_rare(void) {
  struct gate_use uses[] = {{10000, 10, false}, {20 * MILLION, 30, false}};
  bool out[2];
  gate_choose(uses, 2, SECOND_NS, 0.005, out);
  CHECK(!out[0] && out[1]);
}

static void test_kept(void) {
  struct gate_use uses[] = {
      {20 * MILLION, 20, true}, {20 * MILLION, NAN, false}, {20 * MILLION, 20, false}};
  bool out[3];
  struct gate_choice choice = gate_choose(uses, 3, SECOND_NS, 0.005, out);
  CHECK(!out[0] && !out[1] && out[2]);
  CHECK_NEAR(choice.share - choice.left_share, 0.04, 1e-9);
}

static void test_none(void) {
  struct gate_choice choice = gate_choose(NULL, 0, SECOND_NS, 0.005, NULL);
  CHECK_EQUAL(choice.count, 0);
  CHECK_EQUAL(choice.executions, 0);
}

int main(void) {
  RUN(test_shortest_first);
  RUN(test_long_loops);
  RUN(test_rare);
  RUN(test_kept);
  RUN(test_none);
  return unit_status();
}
