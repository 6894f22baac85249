// check_judge.c - a gate's verdict: what is significant fails, what can't matter passes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/analysis/compare/check_judge.h"

#include "tools/analysis/stats/student.h"

#include <math.h>

const char *check_verdict_name(enum check_verdict verdict) {
  static const char *const names[CHECK_VERDICTS] = {"regression", "improvement", "inconclusive",
                                                    "same"};
  return names[verdict];
}

/// Probability, in all looks together, that one side has all of the slower runs by chance.
#define CHANCE_ERROR 0.01
#define RUNS_MOST 20

size_t check_error_parts(size_t looks, bool is_last) {
  if (looks <= 1)
    return 1;
  return is_last ? 2 : 2 * (looks - 1);
}

size_t check_runs_least(size_t error_parts) {
  double ways = 1; // to choose n of 2 * n runs
  for (size_t n = 1; n < RUNS_MOST; n++) {
    ways *= 2 * (2 * (double)n - 1) / (double)n;
    if (ways * CHANCE_ERROR >= (double)(error_parts ? error_parts : 1))
      return n;
  }
  return RUNS_MOST;
}

static bool may_be_chance(const struct check_budget *budget) {
  return budget->runs < (double)check_runs_least(budget->error_parts);
}

#define CHANCE_REASON "too few runs in turn: by chance one side may have all of the slower ones"

/// The level whose interval is narrower.
static const struct diff_outcome *narrower(const struct diff_loop *loop) {
  return loop->mean.half_width <= loop->median.half_width ? &loop->mean : &loop->median;
}

static const struct diff_outcome *significant(const struct diff_loop *loop) {
  return loop->mean.is_significant ? &loop->mean : &loop->median;
}

/// What the executions take longer at most: a share. With several looks, each of which may end the
/// check, the bound is wider than the interval of one.
static double at_most(const struct diff_outcome *outcome, const struct check_budget *budget) {
  double each = 2 * CHECK_MISS_ERROR / (double)(budget->error_parts ? budget->error_parts : 1);
  double half_width = outcome->half_width;
  if (each < 0.05)
    half_width = fmax(half_width, student_critical(each, outcome->freedom) * outcome->error);
  return expm1(outcome->change + half_width);
}

size_t check_runs_needed(const struct diff_outcome *outcome, double stake, double limit,
                         size_t most) {
  if (!outcome->is_known)
    return 0;
  double at_least = log1p(limit / fmax(stake, 1e-9)), runs = fmax(2, (double)most);
  for (size_t n = 2; n <= runs; n++)
    if (student_critical(CHECK_MISS_ERROR, 2 * (double)n - 2) * outcome->spread *
            sqrt(2 / (double)n) <=
        at_least)
      return n;
  return 0;
}

/// A loop that can fail no gate. share: the larger of both sides
static bool is_little(double share, const struct check_budget *budget) {
  return !budget->is_own && share < CHECK_SHARE_LEAST;
}

static struct check_judgement judge_slower(const struct diff_loop *loop, double share, double stake,
                                           const struct check_budget *budget) {
  const struct diff_outcome *by = significant(loop);
  bool is_within = at_most(by, budget) * (budget->is_own ? 1 : stake) <= budget->limit;
  if (is_little(share, budget))
    return (struct check_judgement){CHECK_SAME, "slower, in less than 1 % of the program's time",
                                    by};
  if (expm1(by->change) <= budget->limit)
    return is_within ? (struct check_judgement){CHECK_SAME, "slower, within its limit", by}
                     : (struct check_judgement){CHECK_INCONCLUSIVE,
                                                "slower, perhaps beyond its limit", by};
  if (may_be_chance(budget))
    return (struct check_judgement){CHECK_INCONCLUSIVE, CHANCE_REASON, by};
  return (struct check_judgement){CHECK_REGRESSION, loop->reason, by};
}

bool check_judge_loop(const struct diff_loop *loop, double share, double stake,
                      const struct check_budget *budget, struct check_judgement *out) {
  if (!loop->mean.is_known)
    return false;
  if (loop->verdict == DIFF_SLOWER) {
    *out = judge_slower(loop, share, stake, budget);
    return true;
  }
  if (loop->verdict == DIFF_FASTER) {
    bool counts = !is_little(share, budget);
    *out = (struct check_judgement){counts ? CHECK_IMPROVEMENT : CHECK_SAME,
                                    counts ? loop->reason
                                           : "faster, in less than 1 % of the program's time",
                                    significant(loop)};
    if (counts && may_be_chance(budget))
      *out = (struct check_judgement){CHECK_INCONCLUSIVE, CHANCE_REASON, out->by};
    return true;
  }
  const struct diff_outcome *by = narrower(loop);
  double part = budget->is_own ? 1 : stake;
  bool is_fine = at_most(by, budget) * part <= budget->limit;
  if (is_fine || !is_little(share, budget))
    *out = (struct check_judgement){is_fine ? CHECK_SAME : CHECK_INCONCLUSIVE,
                                    is_fine ? "no loss beyond the limit" : loop->reason, by};
  else
    *out = (struct check_judgement){CHECK_SAME, "less than 1 % of the program's time", by};
  return true;
}

enum check_verdict check_judge_all(const struct check_rows *rows) {
  const size_t *verdicts = rows->verdicts;
  bool is_open = verdicts[CHECK_INCONCLUSIVE] > 0;
  if (verdicts[CHECK_REGRESSION])
    return CHECK_REGRESSION;
  if (rows->program == CHECK_INCONCLUSIVE || rows->is_own_open || (is_open && rows->has_more))
    return CHECK_INCONCLUSIVE;
  return verdicts[CHECK_IMPROVEMENT] ? CHECK_IMPROVEMENT : CHECK_SAME;
}

struct check_judgement check_judge_program(const struct diff_outcome *outcome,
                                           const struct check_budget *budget) {
  double limit = budget->limit;
  bool is_clear = outcome->is_significant && !may_be_chance(budget);
  if (is_clear && expm1(outcome->change) > limit)
    return (struct check_judgement){CHECK_REGRESSION, "time of the runs", outcome};
  if (is_clear && outcome->change < 0)
    return (struct check_judgement){CHECK_IMPROVEMENT, "time of the runs", outcome};
  bool may_improve = outcome->is_significant && outcome->change < 0 && budget->has_more;
  if (outcome->is_known && !may_improve && at_most(outcome, budget) <= limit)
    return (struct check_judgement){CHECK_SAME, "no loss beyond the limit", outcome};
  return (struct check_judgement){CHECK_INCONCLUSIVE,
                                  !outcome->is_known        ? "too few runs in turn"
                                  : outcome->is_significant ? CHANCE_REASON
                                                            : "the runs' time differs by more",
                                  outcome};
}
