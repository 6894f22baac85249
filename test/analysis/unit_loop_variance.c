// unit_loop_variance.c - work or processor: shares of made-up variance.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/analysis/made_loop.h"

static struct made_loop made;

static void init(uint64_t seed) {
  made_init(&made, seed);
  made.loop.work_class = RETICLE_WORK_CLASS_F;
  made.loop.flags = RETICLE_LOOP_HAS_TRIP_COUNT;
}

static void test_by_hand(void) {
  // Works 10 and 20, means 1000 and 2000, within each +-100: total variance 500^2 + 100^2, within
  // 100^2 (times 400 / 399 and 400 / 398 for the degrees of freedom).
  init(1);
  made.env.step_ticks = 1; // no quantisation to speak of
  for (int i = 0; i < 400; i++) {
    int work = i / 2 % 2 ? 20 : 10;
    made_add(&made, (uint64_t)(40 + 100 * work + (i % 2 ? 100 : -100)), (uint64_t)work, 1);
  }
  struct loop_stats s = made_analyse(&made);
  double total = 260000 * 400.0 / 399 - 1.0 / 6, within = 10000 * 400.0 / 398 - 1.0 / 6;
  CHECK_EQUAL(s.variance_processor.status, QUANTITY_OK);
  CHECK_NEAR(s.variance_processor.value, within / total, 1e-9);
  CHECK_NEAR(s.variance_work.value + s.variance_processor.value, 1, 1e-12);
  CHECK_NEAR(s.variance_work.low + s.variance_processor.high, 1, 1e-12);
}

static void test_all_work(void) {
  init(2);
  for (int i = 0; i < 2000; i++) {
    uint64_t work = 10 + unit_random(&made.state) % 1000; // more than 16 distinct: powers of two
    made_add(&made, made_ticks(&made, 100 + 2.5 * (double)work), work, 10);
  }
  struct loop_stats s = made_analyse(&made);
  CHECK_EQUAL(s.variance_work.status, QUANTITY_OK);
  CHECK(s.variance_work.value > 0.99 && s.variance_work.low > 0.97);
  CHECK_EQUAL(s.verdict, LOOP_UNSTEADY); // the verdict concerns the time
  CHECK_CONTAINS(s.reason, "more work");
}

static void test_all_processor(void) {
  // The same trips over 16 KB and 4 MB in turn.
  init(3);
  for (int i = 0; i < 2000; i++)
    made_add(&made, made_ticks(&made, i % 2 ? 1000 : 3000 + 100 * unit_normal(&made.state)), 512,
             10);
  struct loop_stats s = made_analyse(&made);
  CHECK_EQUAL(s.variance_processor.status, QUANTITY_OK);
  CHECK(s.variance_processor.value > 0.99);
  CHECK_EQUAL(s.verdict, LOOP_UNSTEADY);
  CHECK_EQUAL(s.shape, LOOP_SHAPE_BIMODAL);
}

static void test_quantisation(void) {
  // Constant time, seen through steps of 10: nothing of it is the processor's.
  init(4);
  for (int i = 0; i < 2000; i++)
    made_add(&made, made_ticks(&made, 1005), 100, 1);
  struct loop_stats s = made_analyse(&made);
  CHECK_EQUAL(s.variance_processor.status, QUANTITY_BELOW_FLOOR);
  CHECK_EQUAL(s.variance_work.status, QUANTITY_BELOW_FLOOR);
  // Two trip counts 30 ns apart: without taking the step out, 7 % would go to the processor.
  init(4);
  for (int i = 0; i < 2000; i++)
    made_add(&made, made_ticks(&made, 1002.5 + 30 * (i / 3 % 2)), 100 + (uint64_t)(i / 3 % 2), 1);
  s = made_analyse(&made);
  CHECK_EQUAL(s.variance_work.status, QUANTITY_OK);
  CHECK(s.variance_work.value > 0.97);
}

static void test_classes(void) {
  init(5);
  for (int i = 0; i < 200; i++)
    made_add(&made, 1040 + 100 * (uint64_t)(i % 5), 7, 1);
  made.loop.work_class = RETICLE_WORK_CLASS_C;
  CHECK_CONTAINS(made_analyse(&made).variance_processor.reason, "work not controlled: calls");
  made.loop.work_class = RETICLE_WORK_CLASS_F;
  for (int i = 0; i < 30; i++)
    made.raw[i].work = RETICLE_WORK_UNKNOWN; // 15 %
  CHECK_CONTAINS(made_analyse(&made).variance_work.reason, "trip count is not known");
  made.loop.work_class = RETICLE_WORK_CLASS_P;
  made.loop.flags = 0;
  struct loop_stats s = made_analyse(&made);
  CHECK_EQUAL(s.variance_work.status, QUANTITY_UNSUPPORTED);
  CHECK_EQUAL(s.variance_processor.status, QUANTITY_UNSUPPORTED);
  CHECK_CONTAINS(s.variance_work.reason,
                 "no trip count is read; try -fplugin-arg-reticle-trip_counts=1");
}

static void test_paths(void) {
  // One path and an exit that depends on data: as class F.
  init(8);
  for (int i = 0; i < 400; i++) {
    int work = i / 2 % 2 ? 20 : 10;
    made_add(&made, (uint64_t)(40 + 100 * work + (i % 2 ? 300 : -300)), (uint64_t)work, 1);
  }
  struct loop_stats fixed = made_analyse(&made);
  made.loop.work_class = RETICLE_WORK_CLASS_P;
  made.loop.flags |= RETICLE_LOOP_ONE_PATH;
  struct loop_stats s = made_analyse(&made);
  CHECK_EQUAL(s.variance_processor.status, QUANTITY_OK);
  CHECK_NEAR(s.variance_work.value, fixed.variance_work.value, 0);
  CHECK_NEAR(s.variance_work.high, fixed.variance_work.high, 0);
  // Several paths: work explains at least as much, and what is left has no one name.
  made.loop.flags &= ~(uint32_t)RETICLE_LOOP_ONE_PATH;
  s = made_analyse(&made);
  CHECK_EQUAL(s.variance_work.status, QUANTITY_OK);
  CHECK_NEAR(s.variance_work.value, fixed.variance_work.value, 0);
  CHECK_NEAR(s.variance_work.low, fixed.variance_work.low, 0);
  CHECK_NEAR(s.variance_work.high, 1, 0);
  CHECK_CONTAINS(s.variance_work.reason, "at least");
  CHECK_EQUAL(s.variance_processor.status, QUANTITY_UNSUPPORTED);
  CHECK_CONTAINS(s.variance_processor.reason, "several paths");
}

static void test_few(void) {
  init(6);
  for (int i = 0; i < 29; i++)
    made_add(&made, 1040 + 100 * (uint64_t)(i % 5), 7, 1);
  CHECK_EQUAL(made_analyse(&made).variance_work.status, QUANTITY_TOO_FEW);
  // Every sample its own work, up to 16 of them: nothing is left to judge by.
  init(6);
  for (int i = 0; i < 32; i++)
    made_add(&made, 1040 + 100 * (uint64_t)i, 1000 + (uint64_t)i / 2 - (i > 29 ? 1 : 0), 1);
  CHECK_EQUAL(made_analyse(&made).variance_work.status, QUANTITY_OK); // half is left
}

static void test_too_noisy(void) {
  // Work explains all in one half of the run, nothing in the other; few samples in bursts.
  init(7);
  for (int i = 0; i < 60; i++) {
    double ns = i / 6 == 3 ? 9000 * (i % 2) + 1000 : 1000 + 10 * (i % 2);
    made_add(&made, 40 + (uint64_t)ns, i / 6 == 4 ? 900 : 100, 1);
    if (i / 6 == 4)
      made.raw[i].duration_ticks = 9040;
  }
  struct loop_stats s = made_analyse(&made);
  CHECK_EQUAL(s.variance_work.status, QUANTITY_TOO_NOISY);
}

int main(void) {
  RUN(test_by_hand);
  RUN(test_all_work);
  RUN(test_all_processor);
  RUN(test_quantisation);
  RUN(test_classes);
  RUN(test_paths);
  RUN(test_few);
  RUN(test_too_noisy);
  return unit_status();
}
