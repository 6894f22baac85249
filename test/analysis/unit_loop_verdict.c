// unit_loop_verdict.c - verdicts on made-up loops: what is found, and what must not be.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/analysis/made_loop.h"
#include "tools/analysis/loop/loop_rank.h"

static struct made_loop made;

/// Durations a machine gives a loop that does always the same: 1 % of jitter, rare interrupts.
static double machine(struct made_loop *loop, double ns) {
  double result = ns * (1 + 0.01 * unit_normal(&loop->state));
  if (unit_uniform(&loop->state) < 0.001 + ns * 1e-6)
    result += 1000 + 20000 * unit_uniform(&loop->state);
  return result;
}

static void test_constant(void) {
  static const double durations[] = {100, 200, 400, 1000, 2000, 5000, 20000};
  for (size_t d = 0; d < sizeof durations / sizeof *durations; d++)
    for (uint64_t seed = 1; seed <= 20; seed++) {
      made_init(&made, seed);
      for (int i = 0; i < MADE_SAMPLES; i++)
        made_add_ns(&made, machine(&made, durations[d]));
      struct loop_stats s = made_analyse(&made);
      CHECK_EQUAL(s.verdict, LOOP_STEADY);
      CHECK_EQUAL(s.shape, LOOP_SHAPE_PLAIN);
      CHECK(s.slow_share.value < 0.03);
    }
}

static void test_slow_mode(void) {
  for (uint64_t seed = 1; seed <= 50; seed++) {
    made_init(&made, seed);
    for (int i = 0; i < MADE_SAMPLES; i++) {
      bool is_slow = unit_uniform(&made.state) < 0.1;
      made_add_ns(&made, machine(&made, 2000 + 200 * is_slow));
    }
    struct loop_stats s = made_analyse(&made);
    CHECK_EQUAL(s.verdict, LOOP_UNSTEADY);
    CHECK_EQUAL(s.shape, LOOP_SHAPE_BIMODAL);
    CHECK_NEAR(s.slow_share.value, 0.1, 0.03);
    // The jitter's own tail beyond the window adds up to 2 %.
    CHECK(s.slow_share.low < 0.12 && s.slow_share.high > 0.1);
    // 10 % of 20,000 executions, 200 ns each.
    CHECK_NEAR(s.lost_ns.value, 2000 * 200, 2000 * 200 * 0.3);
  }
}

static void test_slow_mode_periodic(void) {
  made_init(&made, 8);
  for (int i = 0; i < MADE_SAMPLES; i++)
    made_add_ns(&made, machine(&made, 2000 + 200 * (i % 10 == 3)));
  CHECK_EQUAL(made_analyse(&made).verdict, LOOP_UNSTEADY);
}

static void test_slow_mode_threads(void) {
  made_init(&made, 9);
  for (int i = 0; i < MADE_SAMPLES; i++) {
    made_add_ns(&made, machine(&made, 500 + 500 * (unit_uniform(&made.state) < 0.2)));
    made.raw[i].thread = (uint32_t)i % 16;
  }
  CHECK_EQUAL(made_analyse(&made).verdict, LOOP_UNSTEADY);
}

static void test_rare_mode(void) {
  for (uint64_t seed = 1; seed <= 20; seed++) {
    made_init(&made, seed);
    for (int i = 0; i < MADE_SAMPLES; i++) {
      bool is_slow = unit_uniform(&made.state) < 0.04;
      made_add_ns(&made, machine(&made, 2000 + 8000 * is_slow));
    }
    struct loop_stats s = made_analyse(&made);
    CHECK_EQUAL(s.verdict, LOOP_UNSTEADY);
    CHECK_CONTAINS(s.reason, "rare");
    CHECK_NEAR(s.lost_ns.value, 800 * 8000, 800 * 8000 * 0.4);
  }
}

static void test_tail(void) {
  // 7 % somewhat slower, without a second peak: as on a busy machine.
  made_init(&made, 30);
  for (int i = 0; i < MADE_SAMPLES; i++) {
    bool is_slow = unit_uniform(&made.state) < 0.07;
    made_add_ns(&made, 160 * (1 + is_slow * 0.5 * unit_uniform(&made.state)));
  }
  CHECK(made_analyse(&made).verdict != LOOP_UNSTEADY);
}

static void test_fast_mode(void) {
  // Mostly slow: the usual duration is the fast one all the same.
  made_init(&made, 10);
  for (int i = 0; i < MADE_SAMPLES; i++)
    made_add_ns(&made, machine(&made, 2000 + 1000 * (unit_uniform(&made.state) < 0.6)));
  struct loop_stats s = made_analyse(&made);
  CHECK_EQUAL(s.verdict, LOOP_UNSTEADY);
  CHECK_EQUAL(s.shape, LOOP_SHAPE_BIMODAL);
  CHECK_NEAR(s.slow_share.value, 0.6, 0.05);
}

static void test_neighbour(void) {
  // A neighbour slows everything by 1.4 for stretches: half of the run, a tenth, and many times.
  static const int periods[] = {2000, 400, 100};
  for (size_t p = 0; p < 3; p++)
    for (uint64_t seed = 1; seed <= 20; seed++) {
      made_init(&made, seed);
      for (int i = 0; i < MADE_SAMPLES; i++) {
        bool is_busy = i % periods[p] >= periods[p] / 2;
        made_add_ns(&made, machine(&made, is_busy ? 2800 : 2000));
      }
      struct loop_stats s = made_analyse(&made);
      CHECK_EQUAL(s.verdict, LOOP_STEADY);
      CHECK_EQUAL(s.shape, LOOP_SHAPE_SHIFTING);
      CHECK_CONTAINS(s.reason, "steady at any time");
    }
}

static void test_bursts(void) {
  // Short bursts of a few samples: not the loop's for sure, not the machine's for sure.
  made_init(&made, 12);
  bool is_slow = false;
  for (int i = 0; i < MADE_SAMPLES; i++) {
    is_slow = unit_uniform(&made.state) < (is_slow ? 0.75 : 0.05);
    made_add_ns(&made, machine(&made, is_slow ? 2400 : 2000));
  }
  CHECK_EQUAL(made_analyse(&made).verdict, LOOP_INCONCLUSIVE);
}

static void test_small_difference(void) {
  made_init(&made, 13);
  for (int i = 0; i < MADE_SAMPLES; i++)
    made_add_ns(&made, 300 + 25 * (unit_uniform(&made.state) < 0.3));
  struct loop_stats s = made_analyse(&made);
  CHECK_EQUAL(s.verdict, LOOP_INCONCLUSIVE);
  CHECK_CONTAINS(s.reason, "three steps");
}

static void test_drift(void) {
  made_init(&made, 14);
  for (int i = 0; i < MADE_SAMPLES; i++)
    made_add_ns(&made, machine(&made, 1000 + 3000.0 * i / MADE_SAMPLES));
  struct loop_stats s = made_analyse(&made);
  CHECK_EQUAL(s.shape, LOOP_SHAPE_DRIFTING);
  CHECK_EQUAL(s.verdict, LOOP_UNSTEADY);
  made_init(&made, 15); // a machine may do this much
  for (int i = 0; i < MADE_SAMPLES; i++)
    made_add_ns(&made, machine(&made, 1000 + 400.0 * i / MADE_SAMPLES));
  s = made_analyse(&made);
  CHECK_EQUAL(s.shape, LOOP_SHAPE_DRIFTING);
  CHECK_EQUAL(s.verdict, LOOP_INCONCLUSIVE);
}

static void test_phases(void) {
  // Ten times slower for a third of the run: no machine does that.
  made_init(&made, 16);
  for (int i = 0; i < MADE_SAMPLES; i++)
    made_add_ns(&made, machine(&made, i > 1000 && i < 1700 ? 20000 : 2000));
  struct loop_stats s = made_analyse(&made);
  CHECK_EQUAL(s.verdict, LOOP_UNSTEADY);
  CHECK_EQUAL(s.shape, LOOP_SHAPE_SHIFTING);
}

static void test_interrupts(void) {
  // 8 % of runs of 1 ms hit by delays from 0.1 to 10 ms: preemption could do that.
  made_init(&made, 17);
  for (int i = 0; i < MADE_SAMPLES; i++) {
    bool is_hit = unit_uniform(&made.state) < 0.1;
    made_add_ns(&made, 1e6 + is_hit * 1e5 * pow(100, unit_uniform(&made.state)));
  }
  struct loop_stats s = made_analyse(&made);
  CHECK_EQUAL(s.verdict, LOOP_INCONCLUSIVE);
  CHECK_CONTAINS(s.reason, "interrupts");
}

static void test_few(void) {
  made_init(&made, 18);
  for (int i = 0; i < 99; i++)
    made_add_ns(&made, 1000 + 1000 * (i % 2));
  CHECK_EQUAL(made_analyse(&made).verdict, LOOP_TOO_FEW);
  made_add_ns(&made, 1000);
  CHECK_EQUAL(made_analyse(&made).verdict, LOOP_UNSTEADY);
  made_init(&made, 19);
  made.loop.executions = 0;
  CHECK_TEXT(made_analyse(&made).reason, "never executed");
}

static void test_not_significant(void) {
  // Four blocks with 0, 2, 5 and 10 slow ones of 25: enough in the middle, but from 0 to 40 %.
  static const int slow[] = {0, 2, 5, 10};
  made_init(&made, 21);
  for (int i = 0; i < 100; i++)
    made_add_ns(&made, i % 25 * 7 % 25 < slow[i / 25] ? 1500 : 1000);
  struct loop_stats s = made_analyse(&made);
  CHECK_EQUAL(s.verdict, LOOP_INCONCLUSIVE);
  CHECK_CONTAINS(s.reason, "may be chance");
}

static void test_spark(void) {
  made_init(&made, 20);
  for (int i = 0; i < 1000; i++)
    made_add(&made, 1040 + (uint64_t)i, 1, 2); // 1000 to 1999
  struct loop_stats s = made_analyse(&made);
  double sum = 0;
  for (int i = 0; i < LOOP_SPARK_COLUMNS; i++)
    sum += s.spark[i];
  CHECK_NEAR(sum, 2000, 1e-9); // nobody is left out
  CHECK_NEAR(s.spark_low_ns, 1000, 0);
  CHECK_NEAR(s.spark_high_ns, 1989, 1e-9); // p99
  CHECK_NEAR(s.spark[0], 198, 2);
  CHECK_NEAR(s.spark[9], 218, 4); // its own and what is beyond p99
}

static void test_rank(void) {
  struct quantity none = quantity_none(QUANTITY_TOO_FEW, "");
  struct loop_stats stats[5] = {{.lost_ns = none, .total_ns = quantity_of(9, 9, 9)},
                                {.lost_ns = quantity_of(1, 1, 1), .total_ns = none},
                                {.lost_ns = quantity_of(5, 5, 5), .total_ns = none},
                                {.lost_ns = none, .total_ns = none},
                                {.lost_ns = quantity_of(1, 1, 1), .total_ns = none}};
  size_t order[5];
  loop_rank(stats, 5, order);
  CHECK(order[0] == 2 && order[1] == 1 && order[2] == 4 && order[3] == 0 && order[4] == 3);
  loop_rank(stats, 0, order);
}

static void test_names(void) {
  CHECK_TEXT(loop_verdict_name(LOOP_STEADY), "steady");
  CHECK_TEXT(loop_verdict_name(LOOP_UNSTEADY), "unsteady");
  CHECK_TEXT(loop_verdict_name(LOOP_INCONCLUSIVE), "inconclusive");
  CHECK_TEXT(loop_verdict_name(LOOP_BELOW_FLOOR), "below_floor");
  CHECK_TEXT(loop_verdict_name(LOOP_TOO_FEW), "too_few");
  CHECK_TEXT(loop_shape_name(LOOP_SHAPE_DRIFTING), "drifting");
}

int main(void) {
  RUN(test_constant);
  RUN(test_slow_mode);
  RUN(test_slow_mode_periodic);
  RUN(test_slow_mode_threads);
  RUN(test_rare_mode);
  RUN(test_tail);
  RUN(test_fast_mode);
  RUN(test_neighbour);
  RUN(test_bursts);
  RUN(test_small_difference);
  RUN(test_drift);
  RUN(test_phases);
  RUN(test_interrupts);
  RUN(test_few);
  RUN(test_not_significant);
  RUN(test_spark);
  RUN(test_rank);
  RUN(test_names);
  return unit_status();
}
