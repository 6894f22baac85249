// unit_loop_total.c - what all executions of a loop take: by hand, bounded, and with delays.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/analysis/made_loop.h"

static struct made_loop made;

static void test_total(void) {
  made_init(&made, 1);
  for (int i = 0; i < 100; i++)
    made_add(&made, 1040, 7, 1); // all executions timed, each 1000 ns
  struct loop_stats s = made_analyse(&made);
  CHECK_NEAR(s.total_ns.value, 100000, 1e-6);
  CHECK_NEAR(s.mean_ns.value, 1000, 1e-9);
  CHECK_NEAR(s.share.value, 1e-4, 1e-12);
  CHECK_NEAR(s.total_ns.high - s.total_ns.value, 250, 1e-6); // a quarter step of 100 executions
  CHECK_EQUAL(s.executions, 100);
  // The same samples for a million executions.
  made.loop.executions = 1000000;
  s = made_analyse(&made);
  CHECK_NEAR(s.total_ns.value, 1e9, 1e-3);
  CHECK_NEAR(s.share.value, 1, 1e-9);
  made.env.thread_ticks = 4000000000; // four threads
  CHECK_NEAR(made_analyse(&made).share.value, 0.25, 1e-9);
  made.env.thread_ticks = 0;
  CHECK_EQUAL(made_analyse(&made).share.status, QUANTITY_UNSUPPORTED);
}

static void test_total_weighted(void) {
  // 90 executions of 1 us stand behind one sample each of ten, 900 of 3 us behind the other ten.
  made_init(&made, 1);
  for (int i = 0; i < 10; i++)
    made_add(&made, 1040, 7, 9);
  for (int i = 0; i < 10; i++)
    made_add(&made, 3040, 7, 90);
  struct loop_stats s = made_analyse(&made);
  CHECK_NEAR(s.total_ns.value, 90e3 + 2700e3, 1e-3);
  CHECK(s.total_ns.low < s.total_ns.value && s.total_ns.high > s.total_ns.value);
  CHECK_NEAR(s.p50_ns.value, 3000, 0); // by weight
}

static void test_total_complete(void) {
  // All executions were timed: however they vary, the pair's cost is all that is not known.
  made_init(&made, 1);
  for (int i = 0; i < 1000; i++)
    made_add(&made, 1040 + 1000 * (uint64_t)(i % 4), 7, 1);
  struct loop_stats s = made_analyse(&made);
  CHECK_NEAR(s.mean_ns.value, 2500, 1e-9);
  CHECK_NEAR(s.mean_ns.high, 2502.5, 1e-9);
  made.loop.executions = 100000; // now 99 % are guessed
  s = made_analyse(&made);
  CHECK_NEAR(s.mean_ns.high, 2502.5 + 1.96 * sqrt(1.25e6 / 1000 * 0.99), 0.01);
}

static void test_total_short(void) {
  // Of executions of 100 ns, timed alone, the time among others is known as an upper bound.
  made_init(&made, 1);
  for (int i = 0; i < 1000; i++)
    made_add(&made, 140, 7, 1);
  CHECK(!made_analyse(&made).is_most); // all were timed: they took what they took
  made.loop.executions = 1000000;
  struct loop_stats s = made_analyse(&made);
  CHECK(s.is_most && *s.total_ns.reason);
  CHECK_NEAR(s.mean_ns.value, 100, 1e-9);
  CHECK_NEAR(s.total_ns.high, 102.5e6, 1e4); // a quarter step
  CHECK(s.total_ns.low <= 1000 * 100);       // those that were timed
  CHECK_NEAR(s.total_ns.value, (s.total_ns.low + s.total_ns.high) / 2, 1);
  CHECK_NEAR(s.share.high, 0.1025, 1e-4);
}

static void test_total_not_short(void) {
  made_init(&made, 1);
  for (int i = 0; i < 1000; i++)
    made_add(&made, 1040, 7, 1);
  made.loop.executions = 100000;
  struct loop_stats s = made_analyse(&made);
  CHECK(!s.is_most);
  CHECK_NEAR(s.total_ns.value, 1e8, 1);
  CHECK_NEAR(s.total_ns.low, 1e8 - 130 * 99000.0 - 250000, 1e3);
}

static void test_total_holds_delays(void) {
  // All were timed: the total is their sum, whatever looks like interrupts, as of a loop around it.
  made_init(&made, 1);
  for (int i = 0; i < 1000; i++)
    made_add(&made, i % 500 ? 1040 : 21040, 7, 1);
  struct loop_stats s = made_analyse(&made);
  CHECK_NEAR(s.system_noise_ns.value, 40000, 1e-6);
  CHECK_NEAR(s.total_ns.value, 1040000, 1e-3);
  CHECK_NEAR(s.total_ns.high, 1040000, 2.51 * 1000);
}

static void test_total_of_dropped_samples(void) {
  // All were timed, but not all raw samples were kept: the record's sum has the others.
  made_init(&made, 1);
  for (int i = 0; i < 1000; i++)
    made_add(&made, i % 500 ? 1040 : 1001040, 7, 1); // both delays are in those that were kept
  made.loop.samples += 500;
  made.loop.weight += 500;
  made.loop.executions += 500;
  made.loop.sum_ticks += 500 * 1040;
  made.loop.weighted_ticks += 500 * 1040;
  struct loop_stats s = made_analyse(&made);
  CHECK_NEAR(s.total_ns.value, 1500000 + 2000000, 1e-3); // was 1.5 times the delays
  CHECK_NEAR(s.total_ns.high - s.total_ns.value, 2.5 * 1500, 1e-3);
  CHECK(s.system_noise_ns.value <= 2000000 + 2.5 * 1500 && s.system_noise_ns.value >= 1990000);
  // One that was not timed changes little.
  made.loop.executions++;
  CHECK(made_analyse(&made).total_ns.high < 3600000);
  made.loop.executions--;
  // As many again that were not timed take as long, delays included.
  made.loop.executions += 1500;
  s = made_analyse(&made);
  CHECK_NEAR(s.total_ns.value, 3500000 + 1500 * (1000 + 1000 * 2000000.0 / 1000000), 1);
}

static void test_total_bounded(void) {
  // No more than the thread lived; nothing where that is far less than the samples say.
  made_init(&made, 1);
  for (int i = 0; i < 40; i++)
    made_add(&made, i % 2 ? 100040 : 300040, 7, 20);
  made.env.thread_ticks = 165000000;
  struct loop_stats s = made_analyse(&made);
  CHECK_NEAR(s.total_ns.value, 160e6, 1);
  CHECK_NEAR(s.total_ns.high, 165e6, 1);
  made.env.thread_ticks = 10000000;
  s = made_analyse(&made);
  CHECK_EQUAL(s.total_ns.status, QUANTITY_TOO_NOISY);
  CHECK_EQUAL(s.share.status, QUANTITY_TOO_NOISY);
  CHECK_EQUAL(s.mean_ns.status, QUANTITY_TOO_NOISY);
  CHECK_EQUAL(s.lost_ns.status, QUANTITY_TOO_NOISY);
}

static void test_total_noisy(void) {
  // Two of twenty took a thousand times as long: too few to say what a million executions take.
  made_init(&made, 1);
  for (int i = 0; i < 20; i++)
    made_add(&made, i % 10 ? 1040 : 1000040, 7, 50000);
  CHECK_EQUAL(made_analyse(&made).total_ns.status, QUANTITY_TOO_NOISY);
}

int main(void) {
  RUN(test_total);
  RUN(test_total_weighted);
  RUN(test_total_complete);
  RUN(test_total_short);
  RUN(test_total_not_short);
  RUN(test_total_holds_delays);
  RUN(test_total_of_dropped_samples);
  RUN(test_total_bounded);
  RUN(test_total_noisy);
  return unit_status();
}
