// unit_replay_side.c - which lines a list touches, and for which visit an entry waits.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/run/trial/replay_side.h"

#include "test/unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LINES 256
#define WORDS 8 // of a line

/// The program's, for a visit.
static double instructions = NAN;

/// Runs so many free visits, of lines 0, 1, ..., the last of which holds `last`; then the entries.
static void run(uint64_t *memory, size_t free_visits, uint64_t last, const uint32_t *then,
                size_t then_count) {
  uint32_t entries[LINES];
  struct replay_window window = {0};
  struct replay_list list = {.entries = entries,
                             .windows = &window,
                             .window_count = 1,
                             .warm = entries,
                             .has_writes = true};
  struct replay_side side;
  for (size_t i = 0; i < free_visits; i++)
    entries[i] = (uint32_t)i | REPLAY_FIRST;
  memcpy(entries + free_visits, then, then_count * sizeof *then);
  list.count = window.end = window.visits = free_visits + then_count;
  memset(memory, 0, LINES * WORDS * sizeof *memory);
  memory[(free_visits - 1) * WORDS] = last;
  for (size_t line = LINES / 2; line < LINES; line++)
    memory[line * WORDS] = memory[line * WORDS + 1] = 64; // the second is 0 where it was written
  CHECK_EQUAL(replay_side_open(&side, &list), 0);
  side.memory = (char *)memory;
  side.instructions = &instructions;
  replay_side_time(&side, 0);
  CHECK(side.window_ns[0] >= 0);
  replay_side_close(&side);
}

static size_t written(const uint64_t *memory) {
  size_t count = 0;
  for (size_t line = LINES / 2; line < LINES; line++)
    count += !memory[line * WORDS + 1];
  return count;
}

static uint64_t memory[LINES * WORDS];

/// What the visit before held is added to the addresses behind: a line further by 64.
static void test_waits(void) {
  const uint32_t then[] = {REPLAY_FIRST | REPLAY_DEPENDENT | REPLAY_WRITE | 130};
  for (size_t visits = 1; visits <= 40; visits++) {
    run(memory, visits, 64, then, 1);
    CHECK(memory[130 * WORDS + 1] && !memory[131 * WORDS + 1]);
    CHECK_EQUAL(written(memory), 1);
  }
}

/// Of a visit's lines the first one is waited for.
static void test_first_line(void) {
  const uint32_t then[] = {140, 141, REPLAY_FIRST | REPLAY_DEPENDENT | REPLAY_WRITE | 150};
  for (size_t visits = 1; visits <= 40; visits++) {
    run(memory, visits, 128, then, 3);
    CHECK(!memory[152 * WORDS + 1]);
    CHECK_EQUAL(written(memory), 1);
  }
}

/// Writes among entries that wait for nothing: those, and no others.
static void test_writes(void) {
  uint32_t then[40];
  for (uint32_t i = 0; i < 40; i++)
    then[i] = REPLAY_FIRST | (i % 3 ? 0 : REPLAY_WRITE) | (160 + i);
  for (size_t visits = 1; visits <= 9; visits++) {
    run(memory, visits, 0, then, 40);
    for (uint32_t i = 0; i < 40; i++)
      CHECK_EQUAL(memory[(160 + i) * WORDS + 1], i % 3 ? 64 : 0);
    CHECK_EQUAL(written(memory), 14);
  }
}

/// A branch that isn't predicted touches nothing by itself.
static void test_branches(void) {
  const uint32_t then[] = {REPLAY_FIRST | REPLAY_BRANCH | REPLAY_WRITE | 140,
                           REPLAY_FIRST | REPLAY_BRANCH | REPLAY_DEPENDENT | REPLAY_WRITE | 150};
  for (size_t visits = 1; visits <= 20; visits++) {
    run(memory, visits, 64, then, 2);
    CHECK(!memory[140 * WORDS + 1]);
    CHECK_EQUAL(written(memory), 2);
  }
}

/// What runs beside the visits changes nothing of them.
static void test_work(void) {
  static const double counts[] = {0, 13, 100, 500, 1e9, INFINITY};
  for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
    instructions = counts[i];
    test_waits();
    test_first_line();
    test_writes();
    test_branches();
  }
}

static double share(double of_program, size_t entries, size_t visits, bool writes) {
  struct replay_window window = {.end = entries, .visits = visits};
  struct replay_list list = {.windows = &window, .window_count = 1};
  struct replay_side side = {
      .list = &list, .instructions = &of_program, .work_share = 1, .window_writes = &writes};
  return replay_side_instruction_share(&side, 0);
}

static void test_instruction_share(void) {
  CHECK(isnan(share(NAN, 20, 10, false)));
  CHECK_NEAR(share(4.5, 10, 10, false), 0.5, 1e-9); // an entry has 9
  CHECK_NEAR(share(4.5, 20, 10, false), 0.25, 1e-9);
  CHECK_NEAR(share(6, 10, 10, true), 0.5, 1e-9); // and 3 that write
  CHECK_NEAR(share(9, 10, 10, false), 1, 1e-9);
  CHECK_NEAR(share(100, 10, 10, false), 1, 1e-9); // the others are run
  CHECK_NEAR(share(10000, 10, 10, false), 1, 0);  // more than are
  CHECK(isnan(share(6, 0, 0, false)));
}

int main(void) {
  RUN(test_instruction_share);
  RUN(test_waits);
  RUN(test_first_line);
  RUN(test_writes);
  RUN(test_branches);
  RUN(test_work);
  return unit_status();
}
