// unit_stall_cause.c - stall causes of a block, worked out by hand; and that all adds up.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/unit.h"
#include "tools/analysis/stall/stall_cause.h"

enum { A = 1 << 0, B = 1 << 1, C = 1 << 2, I = 1 << 3, P = 1 << 4, FLAGS = 1 << 5 };

/// One function of a few blocks.
struct made {
  struct stall_instruction code[64];
  struct stall_block blocks[8];
  struct stall_edge edges[16];
  size_t parents[4];
  struct stall_input in;
  struct instruction_stall stalls[64];
  struct stall_tally tallies[8];
};

static void begin(struct made *m, double cycles, double isolated, double limit, size_t loop) {
  struct stall_block *b = &m->blocks[m->in.block_count++];
  *b = (struct stall_block){m->in.instruction_count, 0, 1000, cycles, isolated, limit, loop};
}

static struct stall_instruction *add(struct made *m, uint64_t writes, uint64_t reads, double time) {
  struct stall_instruction *i = &m->code[m->in.instruction_count++];
  *i = (struct stall_instruction){.time = time, .reads = reads, .writes = writes};
  m->blocks[m->in.block_count - 1].count++;
  return i;
}

static void lead(struct made *m, size_t from, size_t to, double executions, bool falls) {
  m->edges[m->in.edge_count++] = (struct stall_edge){from, to, executions, falls, false};
}

static void touch(struct stall_instruction *i, uint64_t registers, int64_t displacement,
                  bool written) {
  i->accesses[i->access_count++] = (struct stall_access){.registers = registers,
                                                         .displacement = displacement,
                                                         .bytes = 8,
                                                         .read = !written,
                                                         .written = written};
}

/// The counter of a loop: i++, and the branch back.
static void close_loop(struct made *m, int64_t step) {
  add(m, I | FLAGS, I, 0)->step = step;
  add(m, 0, FLAGS, 0)->branches = true;
  lead(m, 0, 0, 1000, false);
  lead(m, 0, 1, 0, true);
}

static struct stall_tally *look(struct made *m) {
  m->in.instructions = m->code;
  m->in.blocks = m->blocks;
  m->in.edges = m->edges;
  m->in.loop_parents = m->parents;
  m->in.loop_count = 1;
  m->parents[0] = STALL_NO_LOOP;
  stall_causes_find(&m->in, m->stalls, m->tallies);
  return m->tallies;
}

// 15 cycles, as by itself: 1 of execution, 14 of a chain of or (1) and div (14).
static void test_divide(void) {
  struct made m = {0};
  begin(&m, 15, 15, 1, 0);
  add(&m, A, A, 0);
  add(&m, A | FLAGS, A | I, 150)->unit = STALL_UNIT_DIVIDE;
  close_loop(&m, 1);
  const struct stall_tally *t = look(&m);
  CHECK_NEAR(t->execution, 10, 1e-9);
  CHECK_NEAR(t->static_stall, 140, 1e-9);
  CHECK_NEAR(t->dynamic_stall, 0, 1e-9);
  CHECK_NEAR(t->causes[STALL_CAUSE_DIVIDER].high, 140, 1e-9);
  CHECK_NEAR(t->causes[STALL_CAUSE_DIVIDER].low, 0, 1e-9);
  CHECK_NEAR(t->causes[STALL_CAUSE_CHAIN].high, 140, 1e-9);
  CHECK_NEAR(t->groups[STALL_GROUP_CORE].low, 140, 1e-9);
  CHECK_NEAR(t->unexplained, 0, 1e-9);
  CHECK_EQUAL(stall_cause_named(t), STALL_CAUSE_DIVIDER);
  CHECK_EQUAL(m.stalls[1].suspects, 1 << STALL_CAUSE_DIVIDER | 1 << STALL_CAUSE_CHAIN);
  CHECK_NEAR(m.stalls[1].time, 140, 1e-9);
}

// Nothing is carried to the next iteration, so the divider alone can be it.
static void test_divide_without_chain(void) {
  struct made m = {0};
  begin(&m, 10, 10, 1, 0);
  add(&m, A | FLAGS, I, 100)->unit = STALL_UNIT_FLOAT_DIVIDE;
  close_loop(&m, 1);
  const struct stall_tally *t = look(&m);
  CHECK_NEAR(t->causes[STALL_CAUSE_DIVIDER].low, 90, 1e-9);
  CHECK_NEAR(t->causes[STALL_CAUSE_CHAIN].high, 0, 1e-9);
}

// multiply 3 + add 1 = 4 cycles an iteration; the limit of 1 leaves 3 to the chain.
static void test_multiply(void) {
  struct made m = {0};
  begin(&m, 4, 4, 1, 0);
  add(&m, A, A, 30)->unit = STALL_UNIT_MULTIPLY;
  add(&m, A, A | I, 10);
  close_loop(&m, 1);
  const struct stall_tally *t = look(&m);
  CHECK_NEAR(t->static_stall, 30, 1e-9);
  CHECK_NEAR(t->causes[STALL_CAUSE_CHAIN].high, 30, 1e-9);
  CHECK_NEAR(t->causes[STALL_CAUSE_CHAIN].low, 7.5, 1e-9); // what is blamed on the addition
  CHECK_NEAR(t->causes[STALL_CAUSE_MULTIPLIER].high, 22.5, 1e-9);
  CHECK_EQUAL(t->unexplained < 1e-9, true);
}

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

/// 12 cycles where one takes 1, on a branch that goes one way `taken` of 1000 times.
static const struct stall_tally *branch(struct made *m, double taken) {
  begin(m, 12, 1, 1, 0);
  add(m, FLAGS, A, 0)->sets_condition = true;
  add(m, 0, FLAGS, 1200)->branches = true;
  begin(m, 1, 1, 1, 0);
  m->blocks[1].executions = taken;
  add(m, A, A, 0);
  lead(m, 0, 1, taken, false);
  lead(m, 0, 0, 1000 - taken, true);
  return look(m);
}

static void test_branch(void) {
  struct made even = {0}, uneven = {0};
  const struct stall_tally *t = branch(&even, 500); // up to 12.5 cycles an execution
  CHECK_NEAR(t->causes[STALL_CAUSE_BRANCH].low, 1100, 1e-9);
  CHECK_NEAR(t->groups[STALL_GROUP_SPECULATION].low, 1100, 1e-9);
  CHECK_EQUAL(stall_cause_named(t), STALL_CAUSE_BRANCH);
  t = branch(&uneven, 990); // 10 wrong ones: 0.25 cycles at most
  CHECK_NEAR(t->causes[STALL_CAUSE_BRANCH].high, 25, 1e-9);
  CHECK_NEAR(t->unexplained, 1075, 1e-9);
  CHECK_EQUAL(stall_cause_named(t), STALL_CAUSE_NONE);
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

// Where the buffer is full, what enters with the store waits; to one address it never is.
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

// 16 additions of 8 sums: 3 cycles by the width, 3.6 by the ports. No chain: two additions an
// iteration.
static void test_cheap(void) {
  struct made m = {0};
  begin(&m, 3.6, 3.6, 3, 0);
  for (unsigned i = 0; i < 16; i++)
    add(&m, UINT64_C(256) << i % 8, UINT64_C(256) << i % 8, 1);
  close_loop(&m, 1);
  const struct stall_tally *t = look(&m);
  CHECK_NEAR(t->unexplained, 16 * 0.6 / 3.6, 1e-9);
  CHECK_EQUAL(stall_cause_named(t), STALL_CAUSE_NONE);
}

static void test_large_code(void) {
  struct made m = {0};
  begin(&m, 20, 1, 1, STALL_NO_LOOP);
  add(&m, A, A, 200);
  add(&m, A, A, 0);
  m.in.l1i_bytes = 32768;
  m.in.hot_code_bytes = 32768;
  CHECK_NEAR(look(&m)->causes[STALL_CAUSE_I_CACHE].high, 0, 1e-9);
  m.in.hot_code_bytes = 100000;
  CHECK_NEAR(look(&m)->causes[STALL_CAUSE_I_CACHE].high, 190, 1e-9);
  CHECK_NEAR(m.tallies[0].groups[STALL_GROUP_FRONT_END].high, 190, 1e-9);
  // That there is much code shows no miss.
  CHECK_NEAR(m.tallies[0].causes[STALL_CAUSE_I_CACHE].low, 0, 1e-9);
  CHECK_NEAR(m.tallies[0].groups[STALL_GROUP_FRONT_END].low, 0, 1e-9);
}

// A floating-point addition of 20 cycles in place, 1 by itself: nothing else can be it.
static const struct stall_tally *add_floats(struct made *m, enum stall_evidence denormals) {
  *m = (struct made){.in.denormals = denormals};
  begin(m, 20, 1, 1, 0);
  add(m, A, I, 200)->unit = STALL_UNIT_FLOAT;
  close_loop(m, 1);
  return look(m);
}

static void test_denormals(void) {
  struct made m;
  const struct stall_tally *t = add_floats(&m, STALL_EVIDENCE_NONE);
  CHECK_NEAR(t->causes[STALL_CAUSE_DENORMALS].low, 0, 1e-9);
  CHECK_NEAR(t->causes[STALL_CAUSE_DENORMALS].high, 190, 1e-9);
  CHECK_NEAR(t->groups[STALL_GROUP_CORE].low, 0, 1e-9);
  CHECK_NEAR(t->unexplained, 0, 1e-9);
  CHECK_EQUAL(stall_cause_named(t), STALL_CAUSE_NONE);
  t = add_floats(&m, STALL_EVIDENCE_RULED_OUT);
  CHECK_NEAR(t->causes[STALL_CAUSE_DENORMALS].high, 0, 1e-9);
  CHECK_NEAR(t->unexplained, 190, 1e-9);
  t = add_floats(&m, STALL_EVIDENCE_MET);
  CHECK_NEAR(t->causes[STALL_CAUSE_DENORMALS].low, 190, 1e-9);
  CHECK_NEAR(t->groups[STALL_GROUP_CORE].low, 190, 1e-9);
  CHECK_EQUAL(stall_cause_named(t), STALL_CAUSE_DENORMALS);
}

static void test_unknown(void) {
  struct made m = {0};
  begin(&m, NAN, NAN, 1, 0);
  add(&m, A, A, 7);
  CHECK_NEAR(look(&m)->uncounted, 7, 1e-9);
  struct made mixed = {0}; // not measured by itself: the divide may be it, and the rest of it
  begin(&mixed, 50, NAN, 1, 0);
  add(&mixed, A, I, 500)->unit = STALL_UNIT_DIVIDE;
  close_loop(&mixed, 1);
  const struct stall_tally *t = look(&mixed);
  CHECK_NEAR(t->mixed_stall, 490, 1e-9);
  CHECK_NEAR(t->causes[STALL_CAUSE_DIVIDER].low, 490, 1e-9);
  struct made gain = {0}; // 1.2 cycles in place, 1.5 by itself, 1 by the limit
  begin(&gain, 1.2, 1.5, 1, 0);
  add(&gain, A, A, 12);
  close_loop(&gain, 1);
  t = look(&gain);
  CHECK_NEAR(t->execution, 10, 1e-9);
  CHECK_NEAR(t->static_stall, 5, 1e-9);
  CHECK_NEAR(t->gain, 3, 1e-9);
  struct made other = {0}; // by itself so much longer that it is other code: not measured
  begin(&other, 1.2, 497, 1, 0);
  add(&other, A, A, 12);
  close_loop(&other, 1);
  t = look(&other);
  CHECK_NEAR(t->mixed_stall, 2, 1e-9);
  CHECK_NEAR(t->static_stall, 0, 1e-9);
  CHECK_NEAR(t->gain, 0, 1e-9);
}

/// 1.42 cycles in place for 0.33 by itself beside 0.09 for 1.00: the loop waits for 0.18 cycles,
/// not for 1.09.
static void test_netted(void) {
  struct made m = {0};
  struct stall_tally sum = {0};
  begin(&m, 1.42, 0.33, 0.33, STALL_NO_LOOP);
  touch(add(&m, A, P | I, 142), P | I, 0, false);
  begin(&m, 0.09, 1.00, 0.09, STALL_NO_LOOP);
  add(&m, FLAGS, A, 9);
  look(&m);
  stall_tally_add(&sum, &m.tallies[0]);
  stall_tally_add(&sum, &m.tallies[1]);
  CHECK(sum.causes[STALL_CAUSE_D_CACHE].high > 100);
  stall_tally_net(&sum);
  CHECK_NEAR(sum.dynamic_stall, 18, 1e-6);
  CHECK_NEAR(sum.gain, 0, 1e-6);
  CHECK_NEAR(sum.causes[STALL_CAUSE_D_CACHE].high, 18, 1e-6);
  CHECK_NEAR(sum.execution + sum.static_stall + sum.dynamic_stall + sum.mixed_stall - sum.gain,
             sum.time, 1e-6);
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

/// A list: the load of the next element is in one block, the time lands in the other one. What the
/// first block takes by itself, a chain of 4 cycles, is what the second one waits for in place.
static void test_chain_of_path(void) {
  struct made m = {0};
  struct stall_tally sum = {0};
  begin(&m, 4.5, 0.5, 0.5, 0);
  touch(add(&m, FLAGS, A, 450), A, 8, false);
  m.code[0].reads |= A;
  begin(&m, 0.5, 4, 0.5, 0);
  touch(add(&m, A, A, 40), A, 0, false);
  add(&m, 0, A | FLAGS, 10)->branches = true;
  lead(&m, 0, 1, 1000, true);
  lead(&m, 1, 0, 1000, false);
  look(&m);
  stall_tally_add(&sum, &m.tallies[0]);
  stall_tally_add(&sum, &m.tallies[1]);
  CHECK(sum.causes[STALL_CAUSE_CHAIN].high < 100);
  double before = sum.causes[STALL_CAUSE_D_CACHE].high;
  stall_tally_net(&sum);
  CHECK(before > 300);
  CHECK(sum.causes[STALL_CAUSE_D_CACHE].high < 100);
  CHECK(sum.causes[STALL_CAUSE_CHAIN].low > 300);
  CHECK_EQUAL(stall_cause_named(&sum), STALL_CAUSE_CHAIN);
  CHECK(sum.unexplained < 100);
  CHECK_NEAR(sum.execution + sum.static_stall + sum.dynamic_stall + sum.mixed_stall - sum.gain,
             sum.time, 1e-6);
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

static void check_sums(const struct stall_tally *t) {
  double low = 0, high = 0, group_high = 0;
  double stall = t->static_stall + t->dynamic_stall + t->mixed_stall;
  for (unsigned r = 0; r < STALL_CAUSES; r++) {
    CHECK(t->causes[r].low >= -1e-9 && t->causes[r].low <= t->causes[r].high + 1e-9);
    CHECK(t->causes[r].high <= t->time * (1 + 1e-9)); // no part is more than all
    low += t->causes[r].low;
    high += t->causes[r].high;
  }
  for (unsigned g = 0; g < STALL_GROUPS; g++)
    group_high += t->groups[g].high;
  CHECK_NEAR(t->execution + stall - t->gain + t->uncounted, t->time, 1e-6 * t->time);
  CHECK(low + t->unexplained <= stall * (1 + 1e-9) + 1e-9);
  CHECK(high + t->unexplained >= stall * (1 - 1e-9) - 1e-9);
  CHECK(group_high <= high * (1 + 1e-9) + 1e-9);
}

// Whatever the code: the parts add up to the time, and the ranges hold what is to be explained.
static void test_adds_up(void) {
  uint64_t state = 42;
  for (unsigned trial = 0; trial < 3000; trial++) {
    struct made m = {0};
    struct stall_tally sum = {0};
    m.in.hot_code_bytes = unit_random(&state) % 100000;
    m.in.l1i_bytes = 32768;
    m.in.denormals = (enum stall_evidence)(unit_random(&state) % 3);
    for (unsigned b = 0; b < 4; b++) {
      double limit = 1 + 3 * unit_uniform(&state);
      bool unknown = unit_random(&state) % 8 == 0, alone = unit_random(&state) % 4 == 0;
      begin(&m, unknown ? NAN : limit * (0.8 + 9 * unit_uniform(&state)),
            alone ? NAN : limit * (1 + 3 * unit_uniform(&state)), limit,
            unit_random(&state) % 3 ? 0 : STALL_NO_LOOP);
      m.blocks[b].executions = unknown ? NAN : (double)(unit_random(&state) % 1000 + 1);
      for (unsigned i = 0; i < 8; i++) {
        struct stall_instruction *made =
            add(&m, UINT64_C(1) << unit_random(&state) % 6, unit_random(&state) % 64,
                unit_random(&state) % 3 ? 0 : 100 * unit_uniform(&state));
        made->unit = unit_random(&state) % 8;
        made->step = unit_random(&state) % 4 ? 0 : 8;
        if (unit_random(&state) % 2)
          touch(made, unit_random(&state) % 8, (int64_t)(unit_random(&state) % 64),
                unit_random(&state) % 2);
        made->branches = i == 7 && unit_random(&state) % 2;
        made->sets_condition = unit_random(&state) % 2;
      }
      lead(&m, b, unit_random(&state) % 4, (double)(unit_random(&state) % 1000), false);
      lead(&m, b, (b + 1) % 4, unit_random(&state) % 5 ? 100 : NAN, true);
    }
    const struct stall_tally *t = look(&m);
    for (unsigned b = 0; b < 4; b++) {
      check_sums(&t[b]);
      stall_tally_add(&sum, &t[b]);
    }
    check_sums(&sum);
  }
}

static void test_rank(void) {
  struct stall_tally t = {.time = 100};
  enum stall_cause ranked[STALL_CAUSES];
  t.causes[STALL_CAUSE_D_CACHE] = t.causes[STALL_CAUSE_D_TLB] = (struct stall_range){0, 30};
  t.causes[STALL_CAUSE_BRANCH] = (struct stall_range){25, 25};
  CHECK_EQUAL(stall_cause_rank(&t, ranked), 3);
  CHECK_EQUAL(ranked[0], STALL_CAUSE_BRANCH);
  CHECK_EQUAL(ranked[1], STALL_CAUSE_D_CACHE);
  CHECK_EQUAL(ranked[2], STALL_CAUSE_D_TLB);
  t.time = 200;
  CHECK_EQUAL(stall_cause_named(&t), STALL_CAUSE_NONE);
  CHECK_TEXT(stall_cause_name(STALL_CAUSE_NONE), "none");
  CHECK_EQUAL(stall_cause_letter(STALL_CAUSE_D_TLB), 'D');
  CHECK_TEXT(stall_group_name(stall_group_of(STALL_CAUSE_D_TLB)), "memory");
}

int main(void) {
  RUN(test_divide);
  RUN(test_divide_without_chain);
  RUN(test_multiply);
  RUN(test_scan);
  RUN(test_scan_by_lines);
  RUN(test_ruled_out);
  RUN(test_page_touched);
  RUN(test_branch);
  RUN(test_stores);
  RUN(test_counts);
  RUN(test_exposed);
  RUN(test_stores_together);
  RUN(test_forwarding);
  RUN(test_cheap);
  RUN(test_large_code);
  RUN(test_denormals);
  RUN(test_unknown);
  RUN(test_synchronised);
  RUN(test_netted);
  RUN(test_chain_of_path);
  RUN(test_apart_by_pages);
  RUN(test_adds_up);
  RUN(test_rank);
  return unit_status();
}
