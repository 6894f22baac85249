// unit_replay_wait.c - waiting of visits that compute much, little and nothing.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/analysis/replay/replay_wait.h"

#include "test/unit.h"

static void check(double program, double memory, double list, double compute, double hidden,
                  double least, double likely, double most) {
  double waits[REPLAY_WAITS];
  replay_wait_find(program, memory, list, compute, hidden, waits);
  CHECK_NEAR(waits[REPLAY_WAIT_LEAST], least, 1e-12);
  CHECK_NEAR(waits[REPLAY_WAIT_LIKELY], likely, 1e-12);
  CHECK_NEAR(waits[REPLAY_WAIT_MOST], most, 1e-12);
}

/// 200 ns of arithmetic: what the replay measured, that and the list's time, or twice as much.
static void test_arithmetic(void) { check(200, 10, 1, 1, 1, 10, 11, 20); }

/// A stream: more of the program's time is left than memory took in the replay.
static void test_stream(void) { check(3, 1.25, 1, 1, 1, 1.25, 2, 2.5); }

/// Memory was slower in the replay than all of the program.
static void test_slow_replay(void) { check(4.5, 8, 1.5, 1.5, 1.5, 3, 3, 4.5); }

/// A third of the list's instructions: the list's own time may have hidden memory, or not.
static void test_few_instructions(void) { check(4, 2.5, 3, 1, 2, 1, 3, 4); }

/// The list has the program's instructions: what memory added to it is what it adds to the program.
static void test_same_instructions(void) { check(30, 18, 5, 5, 0, 18, 18, 30); }

/// A visit shorter than the list one by one: half of it is taken for arithmetic.
static void test_short_visit(void) { check(0.6, 0.7, 0.25, 0.3, 0.25, 0.3, 0.3, 0.6); }

/// What stays in the first caches waits for nothing, whatever the list takes.
static void test_no_memory(void) {
  check(5, 0, 1, 1, 1, 0, 0, 0);
  check(0.5, 0.25, 1, 1, 1, 0, 0, 0.5);
}

int main(void) {
  RUN(test_arithmetic);
  RUN(test_stream);
  RUN(test_slow_replay);
  RUN(test_few_instructions);
  RUN(test_same_instructions);
  RUN(test_short_visit);
  RUN(test_no_memory);
  return unit_status();
}
