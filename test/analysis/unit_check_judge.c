// unit_check_judge.c - a gate's verdicts: significance, limits, budgets, and what a loop is worth.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/unit.h"
#include "tools/analysis/compare/check_judge.h"

#include <math.h>

static const struct check_budget general = {.limit = 0.02, .runs = 20},
                                 own = {.limit = 0.05, .is_own = true, .runs = 20};

static struct diff_loop loop_of(enum diff_verdict verdict, double change, double half_width) {
  const struct diff_outcome outcome = {.is_known = true,
                                       .change = log1p(change),
                                       .half_width = half_width,
                                       .is_significant =
                                           verdict == DIFF_SLOWER || verdict == DIFF_FASTER};
  return (struct diff_loop){.mean = outcome, .median = outcome, .verdict = verdict, .reason = "r"};
}

static enum check_verdict verdict_at(struct diff_loop loop, double share, double stake,
                                     const struct check_budget *budget) {
  struct check_judgement out;
  CHECK(check_judge_loop(&loop, share, stake, budget, &out));
  return out.verdict;
}

static enum check_verdict verdict_of(struct diff_loop loop, double share,
                                     const struct check_budget *budget) {
  return verdict_at(loop, share, share, budget);
}

static void test_slower(void) {
  struct diff_loop loop = loop_of(DIFF_SLOWER, 0.04, 0.01);
  CHECK_EQUAL(verdict_of(loop, 0.3, &general), CHECK_REGRESSION);
  CHECK_EQUAL(verdict_of(loop, 0.005, &general), CHECK_SAME);   // of a program that it hardly is
  CHECK_EQUAL(verdict_of(loop, 0.3, &own), CHECK_INCONCLUSIVE); // allows 5 %; it may be 5.1 %
  CHECK_EQUAL(verdict_of(loop_of(DIFF_SLOWER, 0.04, 0.005), 0.3, &own), CHECK_SAME);
  loop = loop_of(DIFF_SLOWER, 0.06, 0.01);
  CHECK_EQUAL(verdict_of(loop, 0.001, &own), CHECK_REGRESSION); // which holds whatever its share
}

/// Three runs beside other work against three without.
static void test_chance(void) {
  struct diff_loop loop = loop_of(DIFF_SLOWER, 0.09, 0.02);
  struct check_budget budget = {.limit = 0.02, .error_parts = 1, .runs = 4};
  CHECK_EQUAL(verdict_of(loop, 0.3, &budget), CHECK_INCONCLUSIVE);
  CHECK_EQUAL(check_judge_program(&loop.mean, &budget).verdict, CHECK_INCONCLUSIVE);
  CHECK_EQUAL(verdict_of(loop_of(DIFF_FASTER, -0.09, 0.02), 0.3, &budget), CHECK_INCONCLUSIVE);
  budget.runs = 5;
  CHECK_EQUAL(verdict_of(loop, 0.3, &budget), CHECK_REGRESSION);
  CHECK_EQUAL(check_judge_program(&loop.mean, &budget).verdict, CHECK_REGRESSION);
  // 38 times as fast is no "same": the next look may call it an improvement.
  struct diff_loop faster = loop_of(DIFF_FASTER, -0.97, 0.02);
  budget.runs = 4;
  budget.has_more = true;
  CHECK_EQUAL(check_judge_program(&faster.mean, &budget).verdict, CHECK_INCONCLUSIVE);
  budget.has_more = false;
  CHECK_EQUAL(check_judge_program(&faster.mean, &budget).verdict, CHECK_SAME);
  budget.runs = 5;
  CHECK_EQUAL(check_judge_program(&faster.mean, &budget).verdict, CHECK_IMPROVEMENT);
  budget.error_parts = 3;
  CHECK_EQUAL(verdict_of(loop, 0.3, &budget), CHECK_INCONCLUSIVE);
  CHECK_EQUAL(check_runs_least(0), 5u);
  CHECK_EQUAL(check_runs_least(3), 6u);
  CHECK_EQUAL(check_runs_least(9), 6u);
  CHECK_EQUAL(check_runs_least(10), 7u);
}

/// Half of a program that is 15 times as fast is a thirtieth of what the base took.
static void test_stake(void) {
  struct diff_loop loop = loop_of(DIFF_INCONCLUSIVE, 0.05, 0.2);
  CHECK_EQUAL(verdict_at(loop, 0.5, 0.5, &general), CHECK_INCONCLUSIVE);
  CHECK_EQUAL(verdict_at(loop, 0.5, 0.5 / 15, &general), CHECK_SAME);
  CHECK_EQUAL(verdict_at(loop, 0.5, 0.5 / 15, &own), CHECK_INCONCLUSIVE);
  CHECK_EQUAL(verdict_at(loop_of(DIFF_SLOWER, 0.09, 0.01), 0.5, 0.5 / 15, &general),
              CHECK_REGRESSION); // what is known is said
}

/// 1 % from run to run: 2 * 1.96^2 * (1 / 2)^2 runs, and what few runs cost.
static void test_needed(void) {
  const struct diff_outcome known = {.is_known = true, .spread = 0.01}, unknown = {0};
  CHECK_EQUAL(check_runs_needed(&known, 1, 0.02, 500), 4u);
  CHECK_EQUAL(check_runs_needed(&known, 1, 0.005, 500), 33u);
  CHECK_EQUAL(check_runs_needed(&known, 0.25, 0.005, 500), 4u); // a quarter of the program
  CHECK_EQUAL(check_runs_needed(&known, 1, 0.0001, 500), 0u);
  CHECK_EQUAL(check_runs_needed(&unknown, 1, 0.02, 500), 0u);
}

static void test_unsure(void) {
  struct diff_loop loop = loop_of(DIFF_INCONCLUSIVE, 0.05, 0.2);
  CHECK_EQUAL(verdict_of(loop, 0.5, &general), CHECK_INCONCLUSIVE);
  CHECK_EQUAL(verdict_of(loop, 0.01, &general), CHECK_SAME); // at most 0.3 % of the program
  CHECK_EQUAL(verdict_of(loop, 0.01, &own), CHECK_INCONCLUSIVE);
}

/// What is less than 1 % of the program can fail no gate, so nothing needs to be told of it.
static void test_little(void) {
  const enum diff_verdict all[] = {DIFF_SLOWER, DIFF_FASTER, DIFF_INCONCLUSIVE, DIFF_SAME};
  const double changes[] = {-0.9, -0.01, 0, 0.01, 9};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    for (size_t k = 0; k < sizeof changes / sizeof *changes; k++) {
      struct diff_loop loop = loop_of(all[i], changes[k], 3);
      CHECK_EQUAL(verdict_of(loop, 0.009, &general), CHECK_SAME);
    }
  CHECK_EQUAL(verdict_of(loop_of(DIFF_INCONCLUSIVE, 9, 3), 0.009, &own), CHECK_INCONCLUSIVE);
}

static enum check_verdict all_of(enum check_verdict program, size_t regressions,
                                 size_t improvements, size_t inconclusive) {
  struct check_rows rows = {.verdicts = {regressions, improvements, inconclusive, 3},
                            .program = program};
  rows.verdicts[program]++;
  return check_judge_all(&rows);
}

static void test_all(void) {
  CHECK_EQUAL(all_of(CHECK_SAME, 0, 0, 0), CHECK_SAME);
  CHECK_EQUAL(all_of(CHECK_SAME, 0, 1, 0), CHECK_IMPROVEMENT);
  CHECK_EQUAL(all_of(CHECK_SAME, 0, 0, 1), CHECK_SAME); // its time decides
  CHECK_EQUAL(all_of(CHECK_INCONCLUSIVE, 0, 1, 0), CHECK_INCONCLUSIVE);
  CHECK_EQUAL(all_of(CHECK_SAME, 0, 1, 1), CHECK_IMPROVEMENT);
  // 15 times as fast, and one loop can't be told: was inconclusive, status 4.
  CHECK_EQUAL(all_of(CHECK_IMPROVEMENT, 0, 0, 1), CHECK_IMPROVEMENT);
  for (int program = 0; program < CHECK_VERDICTS; program++)
    CHECK_EQUAL(all_of((enum check_verdict)program, 1, 1, 1), CHECK_REGRESSION);
  struct check_rows rows = {.verdicts = {0, 1, 1, 0}, .program = CHECK_IMPROVEMENT};
  rows.has_more = true; // time that is left may find a loss in it
  CHECK_EQUAL(check_judge_all(&rows), CHECK_INCONCLUSIVE);
  rows.has_more = false;
  rows.is_own_open = true;
  CHECK_EQUAL(check_judge_all(&rows), CHECK_INCONCLUSIVE);
}

// Ten looks, each of which may end the check: together they pass a loss in one of twenty. The last
// one has half of that.
static void test_looks(void) {
  CHECK_EQUAL(check_error_parts(0, true), 1u);
  CHECK_EQUAL(check_error_parts(1, true), 1u);
  for (size_t looks = 2; looks < 20; looks++) {
    double all = (double)(looks - 1) / (double)check_error_parts(looks, false) +
                 1 / (double)check_error_parts(looks, true);
    CHECK(fabs(all - 1) < 1e-9);
  }
  struct diff_loop loop = loop_of(DIFF_INCONCLUSIVE, 0, 0);
  loop.mean.freedom = INFINITY;
  loop.mean.error = 0.01 / 1.96;
  loop.mean.half_width = 0.01;
  loop.median = loop.mean;
  struct check_budget once = {.limit = 0.012, .error_parts = 1, .runs = 20},
                      often = {.limit = 0.012, .error_parts = 10, .runs = 20};
  CHECK_EQUAL(verdict_of(loop, 1, &once), CHECK_SAME);
  CHECK_EQUAL(verdict_of(loop, 1, &often), CHECK_INCONCLUSIVE); // 1.31 % at most
  often.limit = 0.014;
  CHECK_EQUAL(verdict_of(loop, 1, &often), CHECK_SAME);
}

static void test_faster(void) {
  CHECK_EQUAL(verdict_of(loop_of(DIFF_FASTER, -0.2, 0.01), 0.3, &general), CHECK_IMPROVEMENT);
  CHECK_EQUAL(verdict_of(loop_of(DIFF_FASTER, -0.2, 0.01), 0.005, &general), CHECK_SAME);
  CHECK_EQUAL(verdict_of(loop_of(DIFF_FASTER, -0.2, 0.01), 0.005, &own), CHECK_IMPROVEMENT);
}

static void test_unknown(void) {
  const struct diff_loop loop = {.verdict = DIFF_TOO_FEW, .reason = "few"};
  struct check_judgement out;
  CHECK(!check_judge_loop(&loop, 0.5, 0.5, &general, &out));
}

static void test_program(void) {
  const struct check_budget wide = {.limit = 0.06, .runs = 20};
  struct diff_outcome outcome = {0};
  CHECK_EQUAL(check_judge_program(&outcome, &general).verdict, CHECK_INCONCLUSIVE);
  outcome = (struct diff_outcome){.is_known = true, .change = 0.001, .half_width = 0.01};
  CHECK_EQUAL(check_judge_program(&outcome, &general).verdict, CHECK_SAME);
  outcome.half_width = 0.05;
  CHECK_EQUAL(check_judge_program(&outcome, &general).verdict, CHECK_INCONCLUSIVE);
  outcome = (struct diff_outcome){
      .is_known = true, .change = 0.05, .half_width = 0.005, .is_significant = true};
  CHECK_EQUAL(check_judge_program(&outcome, &general).verdict, CHECK_REGRESSION);
  CHECK_EQUAL(check_judge_program(&outcome, &wide).verdict, CHECK_SAME);
  outcome.change = -0.05;
  CHECK_EQUAL(check_judge_program(&outcome, &general).verdict, CHECK_IMPROVEMENT);
}

int main(void) {
  RUN(test_slower);
  RUN(test_chance);
  RUN(test_stake);
  RUN(test_needed);
  RUN(test_unsure);
  RUN(test_little);
  RUN(test_all);
  RUN(test_looks);
  RUN(test_faster);
  RUN(test_unknown);
  RUN(test_program);
  return unit_status();
}
