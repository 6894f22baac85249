// unit_rank_cell.c - levels of a loop in one rank, worked out by hand.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/analysis/rank/rank_cell.h"

#include "test/analysis/made_loop.h"

static struct made_loop made;
static struct profile_fact facts[64];

static struct rank_cell cell_of(size_t fact_count) {
  return rank_cell_of(&made.loop, &made.env, facts, fact_count);
}

/// 200 executions of 10 us with 100 iterations: 100 ns each. All were timed: no error in the total.
static void test_timed(void) {
  made_init(&made, 1);
  for (int i = 0; i < 200; i++)
    made_add(&made, 10000 + MADE_PAIR, 100, 1);
  struct rank_cell cell = cell_of(0);
  CHECK_EQUAL(cell.executions, 200);
  CHECK_NEAR(cell.total_ns, 2e6, 1);
  CHECK_NEAR(cell.total_error, 0, 0);
  CHECK_NEAR(cell.work, 20000, 1e-6);
  CHECK_NEAR(exp(cell.timed.log), 100, 1e-6);
  CHECK_NEAR(cell.timed.error, 0, 1e-9);
  CHECK(isnan(cell.asked.log) && isnan(cell.waited.log));
}

/// The time of an iteration, whatever their number: half of the executions have ten times as many.
static void test_same_work(void) {
  made_init(&made, 1);
  for (int i = 0; i < 200; i++)
    made_add(&made, (i % 2 ? 10000 : 100000) + MADE_PAIR, i % 2 ? 100 : 1000, 3);
  struct rank_cell cell = cell_of(0);
  CHECK_NEAR(exp(cell.timed.log), 100, 1e-6);
  CHECK_NEAR(cell.work, 3 * 100 * 1100, 1e-6);
  // A third was timed, half 10 and half 100 us: 45 over 55, by the root of 200.
  CHECK_NEAR(cell.total_error, 0.0579, 0.0001);
}

/// A run whose second half is twice as slow: the error says that parts differ.
static void test_error(void) {
  made_init(&made, 1);
  for (int i = 0; i < 160; i++)
    made_add(&made, (i < 80 ? 10000 : 20000) + MADE_PAIR, 100, 1);
  // Eight parts, 0 and log 2 in turn of four each: deviation 0.3706, over sqrt(8).
  CHECK_NEAR(cell_of(0).timed.error, 0.131, 0.001);
}

/// Unknown iterations, tags, and few samples give no level.
static void test_unknown(void) {
  made_init(&made, 1);
  for (int i = 0; i < 40; i++)
    made_add(&made, 10000, i ? 100 : RETICLE_WORK_UNKNOWN, 1);
  struct rank_cell cell = cell_of(0);
  CHECK(isnan(cell.timed.log) && isnan(cell.work) && isfinite(cell.total_ns));
  made.raw[0].work = 100;
  made.raw[5].flags = RETICLE_SAMPLE_TAGGED;
  CHECK(isnan(cell_of(0).timed.log));
  made_init(&made, 1);
  for (int i = 0; i < RANK_CELL_LEAST - 1; i++)
    made_add(&made, 10000, 100, 1);
  CHECK(isnan(cell_of(0).timed.log) && isfinite(cell_of(0).work));
  made_init(&made, 1);
  for (int i = 0; i < 40; i++) // three steps of the timer
    made_add(&made, 3 * MADE_STEP + MADE_PAIR, 1, 1);
  CHECK(isnan(cell_of(0).timed.log));
  made_init(&made, 1);
  made.loop.executions = 5; // none was timed
  CHECK(isnan(cell_of(0).total_ns) && cell_of(0).executions == 5);
}

/// CPU time and waiting by what each execution stands for; the slowest, which stand for none, are
/// left out.
static void test_asked(void) {
  made_init(&made, 1);
  made_add(&made, 10000, 100, 1);
  for (size_t i = 0; i < 32; i++)
    facts[i] = (struct profile_fact){.at_ns = 1000 - i,
                                     .duration_ns = 400000,
                                     .work = i % 2 ? 1000 : 3000,
                                     .stands = i % 2 ? 3000 : 1000,
                                     .cpu_ns = i % 2 ? 100000 : 300000,
                                     .runnable_ns = i % 2 ? 100000 : 300000};
  facts[32] = (struct profile_fact){.work = 1, .stands = 0, .cpu_ns = 1000000000};
  facts[33] = (struct profile_fact){.work = 1, .stands = 1000, .cpu_ns = UINT64_MAX};
  struct rank_cell cell = cell_of(34);
  CHECK_NEAR(exp(cell.asked.log), 100, 1e-6);
  CHECK_NEAR(cell.asked.error, 0, 1e-9);
  CHECK_NEAR(exp(cell.waited.log), 2, 1e-6);
  CHECK_NEAR(exp(rank_waited_of(facts, 34).log), 2, 1e-6);
  made.loop.flags = RETICLE_LOOP_HAS_CALLS; // it may wait for other ranks
  cell = cell_of(34);
  CHECK(isnan(cell.asked.log) && isnan(cell.waited.log) && isfinite(cell.total_ns));
  made.loop.flags = 0;
  for (size_t i = 0; i < 34; i++)
    facts[i].runnable_ns = UINT64_MAX; // the kernel keeps no such times
  cell = cell_of(32);
  CHECK(isfinite(cell.asked.log) && isnan(cell.waited.log));
  CHECK(isnan(cell_of(RANK_CELL_LEAST - 1).asked.log));
}

static void test_cycle(void) {
  struct profile_chain chain[40];
  made_init(&made, 1);
  struct profile profile = {.env = made.env, .chain = chain, .chain_count = 40};
  for (size_t i = 0; i < 40; i++)
    chain[i] = (struct profile_chain){.duration_ticks = i % 2 ? MADE_PAIR + 500 : 1000000,
                                      .adds = i % 2 ? 1000 : 10};
  CHECK_NEAR(rank_cycle_ns(&profile), 0.5, 1e-9);
  profile.chain_count = 30;
  CHECK(isnan(rank_cycle_ns(&profile)));
  profile.chain_count = 0;
  CHECK(isnan(rank_cycle_ns(&profile)));
}

int main(void) {
  RUN(test_timed);
  RUN(test_same_work);
  RUN(test_error);
  RUN(test_unknown);
  RUN(test_asked);
  RUN(test_cycle);
  return unit_status();
}
