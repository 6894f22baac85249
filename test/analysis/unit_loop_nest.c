// unit_loop_nest.c - shares of nested loops are never inverted: by hand, and random nests.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/analysis/made_loop.h"
#include "tools/analysis/loop/loop_nest.h"

#include <string.h>

enum { LOOPS = 12, SAMPLES = 200, MOST = 5000 };

struct nest {
  struct profile_loop loops[LOOPS];
  struct loop_stats stats[LOOPS];
  struct profile_env env;
  size_t count;
};

static size_t add(struct nest *nest, size_t outer, double total, double error) {
  size_t i = nest->count++;
  bool is_inner = outer < i;
  nest->loops[i] = (struct profile_loop){
      .id = 0x1111000000000000 + 7919 * (i + 1),
      .function = "f",
      .depth = is_inner ? nest->loops[outer].depth + 1 : 1,
      .flags =
          is_inner ? (uint32_t)(nest->loops[outer].id & 0xffff) << RETICLE_LOOP_OUTER_SHIFT : 0,
      .executions = 1};
  nest->stats[i] = (struct loop_stats){.executions = 1};
  nest->stats[i].total_ns = quantity_of(total, total - error, total + error);
  nest->stats[i].share = quantity_scaled(nest->stats[i].total_ns, 1e-9);
  return i;
}

static void begin(struct nest *nest) {
  *nest = (struct nest){.env = {.timer_hz = 1000000000, .thread_ticks = 1000000000}};
}

static void agree(struct nest *nest) {
  loop_nest(nest->loops, nest->count, &nest->env, nest->stats);
}

static void test_by_hand(void) {
  // Both as precise: half way. The sum of two inner ones counts.
  struct nest n;
  begin(&n);
  size_t outer = add(&n, SIZE_MAX, 1e6, 1e5), inner = add(&n, outer, 1.1e6, 1e5);
  agree(&n);
  CHECK_NEAR(n.stats[outer].total_ns.value, 1.05e6, 1);
  CHECK_NEAR(n.stats[inner].total_ns.value, 1.05e6, 1);
  CHECK_NEAR(n.stats[inner].share.value, 1.05e-3, 1e-9);
  CHECK(n.stats[outer].total_ns.high - 1.05e6 < 1e5);
  CHECK_TEXT(n.stats[outer].total_ns.reason, "");
  begin(&n);
  outer = add(&n, SIZE_MAX, 1e6, 10); // known to 10 ns: the inner ones give way
  inner = add(&n, outer, 0.7e6, 1e5);
  size_t second = add(&n, outer, 0.35e6, 1e5);
  agree(&n);
  CHECK_NEAR(n.stats[outer].total_ns.value, 1e6, 100);
  CHECK_NEAR(n.stats[inner].total_ns.value, 1e6 * 2 / 3, 100);
  CHECK_NEAR(n.stats[second].total_ns.value, 1e6 / 3, 100);
  // What isn't inverted stays as it is.
  begin(&n);
  outer = add(&n, SIZE_MAX, 1e6, 1e5);
  inner = add(&n, outer, 0.9e6, 1e5);
  agree(&n);
  CHECK_NEAR(n.stats[outer].total_ns.value, 1e6, 0);
  CHECK_NEAR(n.stats[inner].total_ns.value, 0.9e6, 0);
}

static void test_contradiction(void) {
  // No chance: the intervals hold both, and it is said.
  struct nest n;
  begin(&n);
  size_t outer = add(&n, SIZE_MAX, 1e6, 1e4), inner = add(&n, outer, 3e6, 1e5);
  agree(&n);
  CHECK(n.stats[inner].total_ns.value <= n.stats[outer].total_ns.value);
  CHECK(n.stats[outer].total_ns.low < 1e6 && n.stats[outer].total_ns.high >= 3e6);
  CHECK(n.stats[inner].total_ns.low <= 1.1e6 && n.stats[inner].total_ns.high >= 3e6);
  CHECK_CONTAINS(n.stats[outer].total_ns.reason, "say more");
  CHECK_CONTAINS(n.stats[inner].total_ns.reason, "say less");
}

// An outer loop of which little is known takes no less than the least that those inside take, and
// these no more than the most that it takes.
static void test_intervals(void) {
  struct nest n;
  begin(&n);
  size_t outer = add(&n, SIZE_MAX, 5e6, 4e6), inner = add(&n, outer, 3e6, 1e5),
         second = add(&n, outer, 1e6, 1e5), innermost = add(&n, second, 0.9e6, 0.3e6);
  agree(&n);
  CHECK_NEAR(n.stats[outer].total_ns.value, 5e6, 0);
  CHECK_NEAR(n.stats[outer].total_ns.low, 3.8e6, 1);
  CHECK_NEAR(n.stats[outer].total_ns.high, 9e6, 1);
  CHECK_NEAR(n.stats[inner].total_ns.low, 2.9e6, 1);
  CHECK_NEAR(n.stats[innermost].total_ns.high, 1.1e6, 1);
  CHECK_NEAR(n.stats[outer].share.low, 3.8e-3, 1e-9);
  CHECK_NEAR(n.stats[innermost].share.high, 1.1e-3, 1e-9);
}

static void test_upper_bounds(void) {
  // Two short loops take at most 2 us each of the 1 us around them: that isn't raised, and they
  // share what it has.
  struct nest n;
  begin(&n);
  size_t outer = add(&n, SIZE_MAX, 1e6, 1e4), first = add(&n, outer, 1e6, 1e6),
         second = add(&n, outer, 1e6, 1e6);
  n.stats[first].is_most = n.stats[second].is_most = true;
  agree(&n);
  CHECK_NEAR(n.stats[outer].total_ns.value, 1e6, 0);
  for (size_t i = first; i <= second; i++) {
    CHECK_NEAR(n.stats[i].total_ns.value, 0.5e6, 1);
    CHECK_NEAR(n.stats[i].total_ns.low, 0, 1);
    CHECK_NEAR(n.stats[i].total_ns.high, 1.01e6, 1);
  }
  // What is sure raises it.
  begin(&n);
  outer = add(&n, SIZE_MAX, 1e6, 1e5), first = add(&n, outer, 2.1e6, 0.9e6);
  n.stats[first].is_most = true;
  agree(&n);
  CHECK(n.stats[outer].total_ns.value > 1e6 && n.stats[outer].total_ns.value <= 1.2e6);
  CHECK(n.stats[first].total_ns.value <= n.stats[outer].total_ns.value);
}

static void test_unknown(void) {
  // It ran once and was left by exit(): at least what is inside. One that was never entered stays.
  struct nest n;
  begin(&n);
  size_t outer = add(&n, SIZE_MAX, 1, 0), inner = add(&n, outer, 0.9e9, 1e7);
  n.stats[outer].total_ns = n.stats[outer].share = quantity_none(QUANTITY_TOO_FEW, "none");
  agree(&n);
  CHECK_NEAR(n.stats[outer].share.value, 0.9, 1e-9);
  CHECK_NEAR(n.stats[outer].share.low, 0.89, 1e-9);
  CHECK_NEAR(n.stats[outer].share.high, 1, 1e-9);
  CHECK_CONTAINS(n.stats[outer].total_ns.reason, "at least");
  begin(&n);
  outer = add(&n, SIZE_MAX, 1, 0), inner = add(&n, outer, 0.9e9, 1e7);
  n.stats[outer].total_ns = n.stats[outer].share = quantity_none(QUANTITY_TOO_FEW, "none");
  n.loops[outer].executions = 0;
  agree(&n);
  CHECK_EQUAL(n.stats[outer].share.status, QUANTITY_TOO_FEW);
  CHECK_NEAR(n.stats[inner].share.value, 0.9, 1e-9);
  // An inner loop that recursion puts into another one is not counted twice.
  begin(&n);
  outer = add(&n, SIZE_MAX, 1e6, 10);
  add(&n, outer, 0.9e6, 10);
  add(&n, outer, 0.8e6, 10);
  n.stats[outer].is_recursive = true;
  agree(&n);
  CHECK_NEAR(n.stats[outer].total_ns.value, 1e6, 0);
  // Another function's, or one that no object file names.
  begin(&n);
  outer = add(&n, SIZE_MAX, 1e6, 10), inner = add(&n, outer, 2e6, 10);
  n.loops[inner].function = "g";
  agree(&n);
  CHECK_NEAR(n.stats[outer].total_ns.value, 1e6, 0);
}

/// A nest that runs: each loop's executions contain those of its inner ones, and 10 % or one in a
/// thousand of the innermost take a hundred times as long; each loop times a few at random.
struct running {
  struct nest nest;
  struct profile_sample raw[LOOPS][SAMPLES];
  size_t outer[LOOPS];
  unsigned iterations[LOOPS];
  double slow_share[LOOPS], own_ns[LOOPS];
  uint64_t state, executions;
};

static double run_loop(struct running *r, size_t i) {
  struct profile_loop *loop = &r->nest.loops[i];
  double ns = r->own_ns[i] * (unit_uniform(&r->state) < r->slow_share[i] ? 100 : 1);
  r->executions++;
  for (size_t k = i + 1; k < r->nest.count; k++)
    for (unsigned iteration = 0;
         r->outer[k] == i && iteration < r->iterations[k] && r->executions < MOST; iteration++)
      ns += run_loop(r, k);
  loop->executions++;
  // The first ones, then a tenth; the last one stands for those since the one before.
  bool is_timed = loop->executions < 3 || unit_uniform(&r->state) < 0.1;
  if (is_timed && loop->raw_count < SAMPLES) {
    uint64_t weight = loop->executions - loop->weight;
    r->raw[i][loop->raw_count++] =
        (struct profile_sample){.duration_ticks = (uint64_t)ns + MADE_PAIR,
                                .work = RETICLE_WORK_UNKNOWN,
                                .when = (uint32_t)loop->executions,
                                .weight = (uint32_t)weight};
    loop->samples++;
    loop->weight += weight;
    loop->weighted_ticks += ((uint64_t)ns + MADE_PAIR) * weight;
    loop->max_ticks = (uint64_t)fmax((double)loop->max_ticks, ns);
  }
  return ns;
}

static void check_not_inverted(const struct running *r) {
  double inside[LOOPS] = {0};
  for (size_t i = 0; i < r->nest.count; i++) {
    const struct quantity *share = &r->nest.stats[i].share;
    if (share->status == QUANTITY_OK && r->outer[i] < LOOPS)
      inside[r->outer[i]] += share->value;
  }
  for (size_t i = 0; i < r->nest.count; i++) {
    const struct quantity *share = &r->nest.stats[i].share;
    CHECK(share->status == QUANTITY_OK || inside[i] == 0);
    if (share->status == QUANTITY_OK) {
      CHECK(share->value >= inside[i] * (1 - 1e-9));
      CHECK(share->low <= share->value && share->value <= share->high);
    }
    const struct loop_stats *stats = &r->nest.stats[i];
    if (share->status == QUANTITY_OK && stats->lost_ns.status == QUANTITY_OK)
      CHECK(stats->lost_ns.value <= stats->total_ns.value);
    if (share->status == QUANTITY_OK && r->outer[i] < LOOPS) { // nor are their intervals
      const struct quantity *around = &r->nest.stats[r->outer[i]].share;
      CHECK(share->low <= around->low * (1 + 1e-9));
      CHECK(share->high <= around->high * (1 + 1e-9));
    }
  }
}

static void test_random_nests(void) {
  static struct running r;
  for (uint64_t seed = 1; seed <= 300; seed++) {
    memset(&r, 0, sizeof r);
    r.state = seed;
    begin(&r.nest);
    struct timing_floor floor;
    size_t count = 2 + unit_random(&r.state) % (LOOPS - 2);
    for (size_t i = 0; i < count; i++) {
      r.outer[i] = i ? unit_random(&r.state) % i : SIZE_MAX;
      add(&r.nest, r.outer[i], 1, 0);
      r.iterations[i] = 1 + (unsigned)(unit_random(&r.state) % 12);
      r.own_ns[i] = 50 + 5000 * unit_uniform(&r.state);
      r.slow_share[i] = unit_random(&r.state) % 2 ? 0.1 : 0.001;
      r.nest.loops[i].executions = 0;
      r.nest.loops[i].raw = r.raw[i];
      r.nest.loops[i].work_class = RETICLE_WORK_CLASS_C;
    }
    double ns = 0;
    for (size_t iterations = 1 + unit_random(&r.state) % 60; iterations; iterations--)
      ns += run_loop(&r, 0);
    r.nest.env.step_ticks = MADE_STEP;
    r.nest.env.pair_ticks = MADE_PAIR * 256;
    r.nest.env.thread_ticks = (uint64_t)(ns * 1.1) + 1000;
    floor_from_env(&r.nest.env, &floor);
    for (size_t i = 0; i < count; i++)
      r.nest.stats[i] = loop_analyse(&r.nest.loops[i], &r.nest.env, &floor, NULL);
    agree(&r.nest);
    check_not_inverted(&r);
  }
}

/// Outermost loops and what is outside of them make 1; called ones may lie inside of others.
static void test_outside(void) {
  struct nest n;
  struct quantity outside;
  begin(&n);
  size_t outer = add(&n, SIZE_MAX, 4e8, 0);
  add(&n, outer, 3e8, 0);
  agree(&n);
  outside = loop_nest_outside(n.loops, n.count, n.stats);
  CHECK_NEAR(outside.value, 0.6, 1e-9);
  CHECK_NEAR(outside.high, 0.6, 1e-9);
  add(&n, SIZE_MAX, 2e8, 0);
  agree(&n);
  outside = loop_nest_outside(n.loops, n.count, n.stats);
  CHECK_NEAR(outside.value, 0.4, 1e-9);
  CHECK_NEAR(outside.high, 0.6, 1e-9);
  add(&n, SIZE_MAX, 5e8, 0);
  agree(&n);
  outside = loop_nest_outside(n.loops, n.count, n.stats);
  CHECK_EQUAL(outside.status, QUANTITY_TOO_NOISY);
  begin(&n);
  outside = loop_nest_outside(n.loops, 0, n.stats);
  CHECK(outside.status != QUANTITY_OK);
}

int main(void) {
  RUN(test_by_hand);
  RUN(test_outside);
  RUN(test_contradiction);
  RUN(test_intervals);
  RUN(test_upper_bounds);
  RUN(test_unknown);
  RUN(test_random_nests);
  return unit_status();
}
