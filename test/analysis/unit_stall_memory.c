// unit_stall_memory.c - stalls of loads and stores: caches, buffers, forwarding, other threads
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/analysis/stall_made.h"
#include "test/unit.h"

/// A load of `address` registers, 17 cycles where it takes 1.3 by itself.
static const struct stall_tally *scan(struct made *m, uint64_t address, bool stack, int64_t step) {
  begin(m, 17, 1.3, 1, 0);
  if (!step)
    add(m, B, I, 0); // b = i & mask
  struct stall_instruction *load = add(m, A, A | address, 170);
  touch(load, address, 0, false);
  load->accesses[0].stack = stack;
  close_loop(m, step ? step : 1);
  return look(m);
}

static void test_scan(void) {
  struct made m = {0};
  const struct stall_tally *t = scan(&m, P | B, false, 0);
  CHECK_NEAR(t->execution, 10, 1e-9);
  CHECK_NEAR(t->static_stall, 3, 1e-9);
  CHECK_NEAR(t->dynamic_stall, 157, 1e-9);
  CHECK_NEAR(t->causes[STALL_CAUSE_D_CACHE].low, 0, 1e-9);
  CHECK_NEAR(t->causes[STALL_CAUSE_D_CACHE].high, 157, 1e-9);
  CHECK_NEAR(t->causes[STALL_CAUSE_D_TLB].high, 157, 1e-9);
  CHECK_NEAR(t->groups[STALL_GROUP_MEMORY].low, 157, 1e-9);
  CHECK_NEAR(t->unexplained, 3, 1e-9); // of the static stall: a chain of one cycle explains nothing
  CHECK_EQUAL(stall_cause_named(t), STALL_CAUSE_D_CACHE);
}

// 64 bytes an iteration reach a new page every 64 iterations: 500 / 64 cycles of 17 at most.
static void test_scan_by_lines(void) {
  struct made m = {0};
  const struct stall_tally *t = scan(&m, P | I, false, 64);
  CHECK_NEAR(t->causes[STALL_CAUSE_D_TLB].high, 78.125, 1e-9);
  CHECK_NEAR(t->causes[STALL_CAUSE_D_CACHE].low, 157 - 78.125, 1e-9);
}

static void test_ruled_out(void) {
  struct made still = {0}, stack = {0};
  const struct stall_tally *t = scan(&still, P, false, 8); // an address that nothing moves
  CHECK_NEAR(t->causes[STALL_CAUSE_D_CACHE].high, 0, 1e-9);
  CHECK_NEAR(t->unexplained, 160, 1e-9);
  CHECK_EQUAL(stall_cause_named(t), STALL_CAUSE_NONE);
  t = scan(&stack, P | B, true, 0);
  CHECK_NEAR(t->unexplained, 160, 1e-9);
}

// The second load of a page waits for no lookup of its own.
static void test_page_touched(void) {
  struct made m = {0};
  begin(&m, 17, 1, 1, 0);
  add(&m, B, I, 0);
  touch(add(&m, A, P | B, 0), P | B, 0, false);
  touch(add(&m, A, P | B, 170), P | B, 128, false);
  close_loop(&m, 1);
  const struct stall_tally *t = look(&m);
  CHECK_NEAR(t->causes[STALL_CAUSE_D_CACHE].low, 160, 1e-9);
  CHECK_NEAR(t->causes[STALL_CAUSE_D_TLB].high, 0, 1e-9);
}

static void test_stores(void) {
  struct made m = {0};
  begin(&m, 10, 1, 1, 0);
  touch(add(&m, 0, P | I, 100), P | I, 0, true);
  close_loop(&m, 64);
  const struct stall_tally *t = look(&m);
  CHECK_NEAR(t->causes[STALL_CAUSE_WRITE_BUFFER].high, 90, 1e-9);
  CHECK_NEAR(t->causes[STALL_CAUSE_WRITE_BUFFER].low, 0, 1e-9); // they may stay in the first cache
  CHECK_EQUAL(stall_cause_named(t), STALL_CAUSE_WRITE_BUFFER);
}

// What was just read is in the first cache: the store waits for nothing, the load may. At an
// address that was loaded it may wait for the store of an iteration before.
static void test_counts(void) {
  struct made m = {0};
  begin(&m, 10, 1, 1, 0);
  touch(add(&m, A, I, 0), I, 0, false);
  struct stall_instruction *count = add(&m, FLAGS, A, 100);
  touch(count, A, 0, true);
  count->accesses[0].read = true;
  close_loop(&m, 1);
  const struct stall_tally *t = look(&m);
  CHECK_NEAR(t->causes[STALL_CAUSE_WRITE_BUFFER].high, 0, 1e-9);
  CHECK_NEAR(t->causes[STALL_CAUSE_D_CACHE].high, 90, 1e-9);
  CHECK_NEAR(t->causes[STALL_CAUSE_FORWARDING].high, 90, 1e-9);
}

// A binary search: each step's branch goes either way, and what it compares waits for the load
// alone.
static void test_exposed(void) {
  struct made m = {0};
  begin(&m, 15, 2, 1, 0);
  add(&m, A, A, 0);
  touch(add(&m, B, A, 100), A, 0, false);
  add(&m, FLAGS, B, 50)->sets_condition = true;
  add(&m, 0, FLAGS, 0)->branches = true;
  begin(&m, 1, 1, 1, 0);
  m.blocks[1].executions = 500;
  add(&m, A, A, 0);
  lead(&m, 0, 1, 500, false);
  lead(&m, 0, 0, 500, true);
  const struct stall_tally *t = look(&m);
  CHECK_NEAR(t->causes[STALL_CAUSE_D_CACHE].low, 0, 1e-9);
  CHECK_NEAR(t->groups[STALL_GROUP_MEMORY].low, 0, 1e-9);
  CHECK(t->causes[STALL_CAUSE_D_CACHE].high > 0.5 * t->time); // as a candidate
}

// Where the buffer is full, what enters with the store waits; to one address it never is.
static void test_stores_together(void) {
  struct made m = {0}, still = {0};
  begin(&m, 10, 1, 1, 0);
  add(&m, A, I, 80);
  add(&m, B, A, 20);
  touch(add(&m, 0, P | I, 0), P | I, 0, true);
  close_loop(&m, 64);
  CHECK_NEAR(look(&m)->causes[STALL_CAUSE_WRITE_BUFFER].high, 90, 1e-9);
  begin(&still, 10, 1, 1, 0);
  touch(add(&still, 0, P, 100), P, 0, true);
  close_loop(&still, 64);
  CHECK_NEAR(look(&still)->causes[STALL_CAUSE_WRITE_BUFFER].high, 0, 1e-9);
  CHECK_EQUAL(stall_cause_named(still.tallies), STALL_CAUSE_NONE);
}

// The store writes 8 bytes, the load reads 8 from its middle on.
static void test_forwarding(void) {
  struct made m = {0};
  begin(&m, 20, 20, 1, STALL_NO_LOOP);
  touch(add(&m, 0, P | A, 0), P, 0, true);
  touch(add(&m, B, P, 200), P, 4, false);
  const struct stall_tally *t = look(&m);
  CHECK_NEAR(t->causes[STALL_CAUSE_FORWARDING].low, 190, 1e-9);
}

/// A load of a line that an atomic of the loop goes to waits for another thread, whatever it moves
/// by.
static void test_synchronised(void) {
  struct made m = {0};
  begin(&m, 100, 2, 2, 0);
  struct stall_instruction *atomic = add(&m, A | FLAGS, A, 500);
  atomic->unit = STALL_UNIT_SYNCHRONISED;
  touch(atomic, B, 8, true);
  touch(add(&m, C, B, 500), B, 16, false);
  close_loop(&m, 1);
  const struct stall_tally *t = look(&m);
  CHECK(t->causes[STALL_CAUSE_SYNCHRONISED].low > 900);
  CHECK_NEAR(t->causes[STALL_CAUSE_D_CACHE].high, 0, 1e-9);
  m.code[1].accesses[0].displacement = 8 + 64; // another line, which stays where it is
  m.code[1].accesses[0].registers = C;
  t = look(&m);
  CHECK(t->causes[STALL_CAUSE_SYNCHRONISED].high < 600);
}

/// Loads and stores in step through different registers: cache, or 4 KB apart; the part of the core
/// is known, the cause isn't. Full store buffers are of that part, too, and no way out of it.
static void test_apart_by_pages(void) {
  struct made m = {0};
  begin(&m, 10, 2, 2, 0);
  touch(add(&m, C, A | I, 500), A | I, 0, false);
  touch(add(&m, 0, B | C | I, 500), B | I, 0, true);
  close_loop(&m, 4);
  const struct stall_tally *t = look(&m);
  CHECK(t->causes[STALL_CAUSE_FORWARDING].high > 0);
  CHECK_NEAR(t->causes[STALL_CAUSE_D_CACHE].low, 0, 1e-9);
  CHECK(t->groups[STALL_GROUP_MEMORY].low > 300);
  m.code[1].accesses[0].registers = A | I; // the same array
  t = look(&m);
  CHECK_NEAR(t->causes[STALL_CAUSE_FORWARDING].high, 0, 1e-9);
}

int main(void) {
  RUN(test_scan);
  RUN(test_scan_by_lines);
  RUN(test_ruled_out);
  RUN(test_page_touched);
  RUN(test_stores);
  RUN(test_counts);
  RUN(test_exposed);
  RUN(test_stores_together);
  RUN(test_forwarding);
  RUN(test_synchronised);
  RUN(test_apart_by_pages);
  return unit_status();
}
