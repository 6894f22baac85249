// unit_loop_told.c - what text and page say of a loop's share, amplitude and lost time.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/unit.h"
#include "tools/model/loop/loop_told.h"

static struct measured_loop loop_of(enum loop_verdict verdict) {
  return (struct measured_loop){.share = quantity_of(0.26, 0.24, 0.28),
                                .stats = {.verdict = verdict,
                                          .reason = "why",
                                          .amplitude = quantity_of(1.5, 1.4, 1.6),
                                          .lost_ns = quantity_of(2.25e9, 2e9, 2.5e9)}};
}

static void test_share(void) {
  struct measured_loop loop = loop_of(LOOP_UNSTEADY);
  CHECK_TEXT(loop_told_share(&loop).words, "26 %");
  loop.stats.is_least = true; // what the loops inside took
  CHECK_TEXT(loop_told_share(&loop).words, ">26 %");
  loop.stats.is_least = false;
  loop.share = quantity_of(1, 0.19, 1); // the page said 100 %
  CHECK_TEXT(loop_told_share(&loop).words, ">19 %");
  CHECK_NEAR(loop_told_share(&loop).value, 0.19, 0);
  loop.share = quantity_of(0.26, 0.0004, 1); // and 26 %
  CHECK_TEXT(loop_told_share(&loop).words, "n/a");
  CHECK(isnan(loop_told_share(&loop).value) && *loop_told_share(&loop).reason);
  loop.share = quantity_none(QUANTITY_TOO_FEW, "no execution was timed");
  CHECK_TEXT(loop_told_share(&loop).words, "n/a");
  CHECK_TEXT(loop_told_share(&loop).reason, "no execution was timed");
}

static void test_lost(void) {
  struct measured_loop loop = loop_of(LOOP_UNSTEADY);
  CHECK_TEXT(loop_told_lost(&loop).words, "2.25 s");
  loop.stats.verdict = LOOP_INCONCLUSIVE;
  CHECK_TEXT(loop_told_lost(&loop).words, "2.25 s ?");
  loop.stats.verdict = LOOP_STEADY;
  CHECK_TEXT(loop_told_lost(&loop).words, "steady");
  loop.stats.verdict = LOOP_TOO_FEW;
  CHECK_TEXT(loop_told_lost(&loop).words, "too few samples");
  CHECK_TEXT(loop_told_lost(&loop).reason, "why");
  CHECK(isnan(loop_told_lost(&loop).value) && isnan(loop_told_amplitude(&loop).value));
}

int main(void) {
  RUN(test_share);
  RUN(test_lost);
  return unit_status();
}
