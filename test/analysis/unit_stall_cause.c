// unit_stall_cause.c - stall causes of a block, worked out by hand; and that all adds up.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/analysis/stall_made.h"
#include "test/unit.h"

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
  RUN(test_branch);
  RUN(test_cheap);
  RUN(test_large_code);
  RUN(test_denormals);
  RUN(test_unknown);
  RUN(test_netted);
  RUN(test_chain_of_path);
  RUN(test_adds_up);
  RUN(test_rank);
  return unit_status();
}
