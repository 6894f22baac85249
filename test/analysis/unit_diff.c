// unit_diff.c - whole comparisons of made-up runs: matching, verdicts, order.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/analysis/made_loop.h"
#include "tools/analysis/compare/diff.h"
#include "tools/analysis/stats/trips.h"
#include "tools/profile/merge/merge.h"

#include <stdlib.h>
#include <string.h>

#define LOOPS 6
#define RUNS 5
/// Enough for pairs, of which the outermost are trimmed.
#define RUNS_MOST 12

/// A run with loops at lines 10, 20 ...: ns[i] each, 0 for not entered.
struct made_run {
  struct made_loop made[LOOPS];
  struct profile_loop loops[LOOPS];
  struct profile profile;
};

static struct made_run runs[2 * RUNS_MOST];

static void make(struct made_run *run, uint64_t seed, const double *ns, double jitter,
                 int samples) {
  for (size_t l = 0; l < LOOPS; l++) {
    struct made_loop *made = &run->made[l];
    made_init(made, seed * 100 + l + 1);
    double level = ns[l] * (1 + 0.001 * unit_normal(&made->state));
    for (int i = 0; i < samples && ns[l] > 0; i++)
      made_add_ns(made, level * (1 + jitter * unit_normal(&made->state)));
    run->loops[l] = made->loop;
    run->loops[l].id = 100 + l;
    run->loops[l].line = 10 * (uint32_t)(l + 1);
    run->loops[l].file = "/src/f.c";
    run->loops[l].function = run->loops[l].inlined_from = l < 3 ? "f" : "g";
  }
  run->profile = (struct profile){
      .env = run->made[0].env, .loops = run->loops, .loop_count = LOOPS, .merged_count = 1};
  const char **texts[] = {&run->profile.env.executable, &run->profile.env.arguments,
                          &run->profile.env.host,       &run->profile.env.cpu_model,
                          &run->profile.env.hypervisor, &run->profile.env.clock_source,
                          &run->profile.env.timer,      &run->profile.env.runtime_version};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
    *texts[i] = "";
}

/// "_Z1fil" is f.
static char *name_of(const char *linkage) {
  return strncmp(linkage, "_Z1", 3) == 0 ? strndup(linkage + 3, 1) : strdup(linkage);
}

/// Compares the first `count` runs with as many after them, taken in turn.
static void compare(size_t count, struct profile merged[2], struct diff *out) {
  const struct profile *profiles[2 * RUNS_MOST];
  double start[2 * RUNS_MOST];
  for (size_t i = 0; i < 2 * count; i++) {
    profiles[i] = &runs[i].profile;
    start[i] = (double)(i < count ? 2 * i + 1 : 2 * (i - count) + 2);
  }
  for (size_t s = 0; s < 2; s++)
    CHECK_EQUAL(profile_merge(profiles + s * count, count, &merged[s], NULL), 0);
  struct diff_runs a = {profiles, count, &merged[0], &runs[0].made[0].floor, NULL};
  struct diff_runs b = {profiles + count, count, &merged[1], &runs[0].made[0].floor, NULL};
  diff_compare(&a, &b, start, 1, name_of, out);
}

static void release(struct profile merged[2], struct diff *diff) {
  diff_release(diff);
  profile_release(&merged[0]);
  profile_release(&merged[1]);
}

static const struct diff_loop *find(const struct diff *diff, uint32_t line) {
  for (size_t i = 0; i < diff->count; i++)
    if ((diff->loops[i].a.loop && diff->loops[i].a.loop->line == line) ||
        (diff->loops[i].b.loop && diff->loops[i].b.loop->line == line))
      return &diff->loops[i];
  UNIT_FAIL("no loop of line %u", line);
  exit(1);
}

static const double plain[LOOPS] = {2000, 5000, 20000, 1000, 8000, 400};

static void test_equal(void) {
  for (uint64_t seed = 0; seed < 10; seed++) {
    struct profile merged[2];
    struct diff diff;
    for (size_t i = 0; i < 2; i++)
      make(&runs[i], 20 * seed + i + 1, plain, 0.01, 500);
    compare(1, merged, &diff);
    CHECK_EQUAL(diff.tested, LOOPS);
    CHECK_EQUAL(diff.verdicts[DIFF_SLOWER] + diff.verdicts[DIFF_FASTER], 0);
    CHECK_EQUAL(diff.common, LOOPS);
    release(merged, &diff);
  }
}

static void test_planted(void) {
  const double slow[LOOPS] = {2000, 5500, 20000, 1000, 7200, 400}; // +10 %, -10 %
  for (size_t count = 1; count <= RUNS; count += 4) {
    struct profile merged[2];
    struct diff diff;
    for (size_t i = 0; i < 2 * count; i++)
      make(&runs[i], 40 + i, i < count ? plain : slow, 0.002, 300);
    compare(count, merged, &diff);
    CHECK_EQUAL(diff.verdicts[DIFF_SLOWER], 1);
    CHECK_EQUAL(diff.verdicts[DIFF_FASTER], 1);
    CHECK_EQUAL(diff.loops[0].verdict, DIFF_SLOWER); // comes first
    CHECK_EQUAL(diff.loops[0].b.loop->line, 20);
    CHECK_EQUAL(diff.loops[1].b.loop->line, 50);
    CHECK_NEAR(exp(diff.loops[0].median.change), 1.1, 0.01);
    CHECK_NEAR(exp(diff.loops[1].mean.change), 0.9, 0.01);
    // 3000 executions a run, 500 ns each.
    CHECK_NEAR(diff.loops[0].total_change_ns.value, 1.5e6, 2e5);
    CHECK_EQUAL(find(&diff, 10)->verdict, DIFF_SAME);
    CHECK_EQUAL(find(&diff, 10)->mean.from_runs, count > 1);
    release(merged, &diff);
  }
}

static void test_mean_alone(void) {
  // A tenth of the executions takes twice as long: one run a side doesn't decide that.
  struct profile merged[2];
  struct diff diff;
  for (size_t count = 1; count <= RUNS; count += 4) {
    for (size_t i = 0; i < 2 * count; i++) {
      make(&runs[i], 60 + i, plain, 0.002, 0);
      for (size_t l = 0; l < LOOPS; l++) {
        for (int k = 0; k < 400; k++)
          made_add_ns(&runs[i].made[l], plain[l] * (i >= count && l == 0 && k % 8 == 3 ? 3 : 1));
        uint64_t id = runs[i].loops[l].id;
        uint32_t line = runs[i].loops[l].line;
        const char *file = runs[i].loops[l].file, *function = runs[i].loops[l].function;
        runs[i].loops[l] = runs[i].made[l].loop;
        runs[i].loops[l].id = id;
        runs[i].loops[l].line = line;
        runs[i].loops[l].file = file;
        runs[i].loops[l].function = runs[i].loops[l].inlined_from = function;
      }
    }
    compare(count, merged, &diff);
    CHECK_EQUAL(find(&diff, 10)->verdict, count == 1 ? DIFF_INCONCLUSIVE : DIFF_SLOWER);
    CHECK_NEAR(exp(find(&diff, 10)->mean.change), 1.25, 0.03);
    CHECK_NEAR(exp(find(&diff, 10)->median.change), 1, 0.01);
    release(merged, &diff);
  }
}

static void test_one_side(void) {
  const double other[LOOPS] = {2000, 0, 20000, 1000, 8000, 400};
  struct profile merged[2];
  struct diff diff;
  make(&runs[0], 81, plain, 0.002, 200);
  make(&runs[1], 82, other, 0.002, 200);
  runs[1].loops[0].line += 1; // its id changes with it, and so does its neighbour's
  runs[1].loops[0].id = 777;
  runs[0].loops[5].id = 778; // a path of another build
  runs[0].loops[5].file = "../src/f.c";
  compare(1, merged, &diff);
  CHECK_EQUAL(find(&diff, 20)->verdict, DIFF_ONLY_A);
  // f has two loops left over in A, one in B: not to be told which is which.
  CHECK_EQUAL(find(&diff, 11)->verdict, DIFF_ONLY_B);
  CHECK(find(&diff, 60)->is_moved);
  CHECK_EQUAL(find(&diff, 60)->verdict, DIFF_SAME);
  CHECK_EQUAL(diff.common, 4);
  CHECK_EQUAL(diff.count, 7);
  release(merged, &diff);
}

// A function with a parameter more, and with a loop more than before: executions tell which it is.
static void test_rewritten(void) {
  const double shorter[LOOPS] = {1000, 0, 20000, 1000, 8000, 400};
  const uint64_t executions[] = {200, 300, 400};
  struct profile merged[2];
  struct diff diff;
  for (size_t r = 0; r < 2; r++) {
    make(&runs[r], 95 + r, r ? plain : shorter, 0.002, 200);
    for (size_t l = 0; l < 3; l++) {
      struct profile_loop *loop = &runs[r].loops[l];
      loop->id = 1000 * (r + 1) + l;
      loop->line += 5 * (uint32_t)r;
      loop->function = loop->inlined_from = r ? "_Z1fil" : "_Z1fi";
      loop->executions = loop->executions ? executions[l] : 0;
    }
  }
  compare(1, merged, &diff);
  CHECK_EQUAL(diff.count, 6);
  CHECK_EQUAL(diff.common, 5);
  CHECK_EQUAL(find(&diff, 25)->verdict, DIFF_ONLY_B);
  for (size_t i = 0; i < diff.count; i++)
    if (diff.loops[i].is_moved)
      CHECK_EQUAL(diff.loops[i].a.loop->executions, diff.loops[i].b.loop->executions);
  release(merged, &diff);
}

// A loop and a region, in one function that moved: each goes with its own kind.
static void test_kinds(void) {
  struct profile merged[2];
  struct diff diff;
  for (size_t r = 0; r < 2; r++) {
    make(&runs[r], 91 + r, plain, 0.002, 200);
    size_t region = 3 + r; // of the two loops of g at this line, in any order
    for (size_t l = 3; l < 5; l++) {
      runs[r].loops[l].id = 1000 * (r + 1) + l;
      runs[r].loops[l].line = 70 + (uint32_t)r;
      if (l == region)
        runs[r].loops[l].flags |= RETICLE_LOOP_REGION;
    }
  }
  compare(1, merged, &diff);
  size_t pairs = 0;
  for (size_t i = 0; i < diff.count; i++)
    if (diff.loops[i].is_moved) {
      CHECK_EQUAL(diff.loops[i].a.loop->flags & RETICLE_LOOP_REGION,
                  diff.loops[i].b.loop->flags & RETICLE_LOOP_REGION);
      pairs++;
    }
  CHECK_EQUAL(pairs, 2);
  release(merged, &diff);
}

static void test_too_little(void) {
  struct profile merged[2];
  struct diff diff;
  const double shorts[LOOPS] = {15, 5000, 20000, 1000, 8000, 400};
  for (size_t i = 0; i < 2; i++)
    make(&runs[i], 90 + i, shorts, 0.002, 20);
  for (size_t i = 0; i < 2; i++) // 20 of 20 executions: known, but how much they move is not
    for (size_t l = 1; l < 3; l++)
      runs[i].loops[l].executions = runs[i].loops[l].samples;
  compare(1, merged, &diff);
  CHECK_EQUAL(diff.tested, 0);
  CHECK_CONTAINS(find(&diff, 30)->reason, "3 runs a side");
  CHECK_CONTAINS(find(&diff, 40)->reason, "under 30 of its executions");
  release(merged, &diff);
  for (size_t i = 0; i < 2; i++)
    make(&runs[i], 90 + i, shorts, 0.002, 100);
  compare(1, merged, &diff);
  CHECK_EQUAL(find(&diff, 10)->verdict, DIFF_BELOW_FLOOR);
  release(merged, &diff);
}

static void test_machine(void) {
  // All loops 1.3 times slower: with one run a side it may be a neighbour, with runs in turn not.
  double slow[LOOPS];
  for (size_t l = 0; l < LOOPS; l++)
    slow[l] = 1.3 * plain[l];
  for (size_t count = 1; count <= RUNS; count += 4) {
    struct profile merged[2];
    struct diff diff;
    for (size_t i = 0; i < 2 * count; i++)
      make(&runs[i], 110 + i, i < count ? plain : slow, 0.002, 300);
    compare(count, merged, &diff);
    CHECK_EQUAL(diff.is_shifted, count == 1);
    CHECK_EQUAL(diff.verdicts[count == 1 ? DIFF_INCONCLUSIVE : DIFF_SLOWER], LOOPS);
    release(merged, &diff);
  }
}

static void test_crowded(void) {
  // B got 40 % of a processor: 1.3 times slower may come of that, 6 times not.
  const double slow[LOOPS] = {2600, 30000, 20000, 1000, 8000, 400};
  for (size_t count = 1; count <= RUNS; count += 4) {
    struct profile merged[2];
    struct diff diff;
    for (size_t i = 0; i < 2 * count; i++) {
      make(&runs[i], 130 + i, i < count ? plain : slow, 0.002, 300);
      runs[i].profile.env.elapsed_ticks = 1000000000;
      runs[i].profile.env.cpu_ns = i < count ? 990000000 : 400000000;
    }
    compare(count, merged, &diff);
    CHECK_EQUAL(diff.is_crowded, count == 1);
    CHECK_EQUAL(find(&diff, 10)->verdict, count == 1 ? DIFF_INCONCLUSIVE : DIFF_SLOWER);
    CHECK_EQUAL(find(&diff, 20)->verdict, DIFF_SLOWER);
    CHECK_EQUAL(find(&diff, 30)->verdict, DIFF_SAME);
    release(merged, &diff);
  }
}

static void test_preempted(void) {
  // B got a sixth of a processor: each execution of 4 ms was preempted; 20 times slower is too
  // much.
  const double before[LOOPS] = {4e6, 5000, 20000, 1000, 4e6, 400};
  const double after[LOOPS] = {24e6, 30000, 20000, 1000, 80e6, 400};
  struct profile merged[2];
  struct diff diff;
  for (size_t i = 0; i < 2; i++) {
    make(&runs[i], 150 + i, i ? after : before, 0.002, 300);
    runs[i].profile.env.elapsed_ticks = 1000000000;
    runs[i].profile.env.cpu_ns = i ? 160000000 : 950000000;
  }
  compare(1, merged, &diff);
  CHECK(diff.is_crowded);
  CHECK_EQUAL(find(&diff, 10)->verdict, DIFF_INCONCLUSIVE);
  CHECK_EQUAL(find(&diff, 20)->verdict, DIFF_SLOWER);
  CHECK_EQUAL(find(&diff, 50)->verdict, DIFF_SLOWER);
  release(merged, &diff);
}

static void test_trips(void) {
  struct trip_counts a = {.known_samples = 100, .lowest = 64, .median = 64, .highest = 64};
  struct trip_counts b = {.known_samples = 8, .lowest = 77, .median = 77, .highest = 77};
  CHECK(trips_differ(&a, &b) && trips_differ(&b, &a) && !trips_differ(&a, &a));
  b.lowest = 60; // 64 occurs on this side
  CHECK(!trips_differ(&a, &b) && !trips_differ(&b, &a));
  b = (struct trip_counts){.known_samples = 7, .lowest = 77, .median = 77, .highest = 77};
  CHECK(!trips_differ(&a, &b));
}

static void test_runs_needed(void) {
  struct diff_design design = {.tests = 2, .turns_a = 1, .turns_b = 1};
  struct diff_outcome o = {.is_known = true, .spread = 0.005};
  CHECK_EQUAL(diff_runs_needed(&o, &design, 0.1, 50), DIFF_RUNS);
  o.spread = 0.05;
  size_t few = diff_runs_needed(&o, &design, 0.2, 50),
         many = diff_runs_needed(&o, &design, 0.1, 50);
  CHECK(few > DIFF_RUNS && many > few);
  o.spread = 1;
  CHECK_EQUAL(diff_runs_needed(&o, &design, 0.1, 50), 0);
  o.is_known = false;
  CHECK_EQUAL(diff_runs_needed(&o, &design, 0.1, 50), 0);
}

/// A run that a neighbour disturbed, loops of two durations, runs of which some took few samples.
static void make_uneven(struct made_run *run, uint64_t seed, uint64_t *state) {
  double ns[LOOPS];
  for (size_t l = 0; l < LOOPS; l++)
    ns[l] = plain[l] * (1 + unit_uniform(state)) * (unit_uniform(state) < 0.2 ? 4 : 1);
  make(run, seed, ns, 0.3 * unit_uniform(state), 100 + (int)(400 * unit_uniform(state)));
}

/// The ratio is of the two values that stand beside it, and the total of these, too.
static void check_one_base(const struct diff_loop *loop) {
  const struct quantity levels[] = {loop->a.mean_ns, loop->b.mean_ns, loop->a.p50_ns,
                                    loop->b.p50_ns};
  if (!loop->mean.is_known)
    return;
  for (size_t i = 0; i < 4; i++) {
    CHECK_EQUAL(levels[i].status, QUANTITY_OK);
    CHECK(levels[i].low <= levels[i].value && levels[i].value <= levels[i].high);
  }
  CHECK_NEAR(log(levels[1].value / levels[0].value), loop->mean.change, 1e-9);
  CHECK_NEAR(log(levels[3].value / levels[2].value), loop->median.change, 1e-9);
  CHECK_NEAR(loop->a.total_ns.value, loop->a.executions * levels[0].value, 1);
  CHECK_NEAR(loop->b.total_ns.value, loop->b.executions * levels[1].value, 1);
  CHECK_NEAR(loop->total_change_ns.value, loop->b.total_ns.value - loop->a.total_ns.value, 1);
}

static void test_one_base(void) {
  static const size_t counts[] = {1, 2, 3, RUNS, RUNS_MOST};
  uint64_t state = 4711;
  size_t known = 0;
  for (size_t set = 0; set < 40; set++) {
    size_t count = counts[set % (sizeof counts / sizeof *counts)];
    struct profile merged[2];
    struct diff diff;
    for (size_t i = 0; i < 2 * count; i++)
      make_uneven(&runs[i], 100 * set + i + 1, &state);
    compare(count, merged, &diff);
    for (size_t i = 0; i < diff.count; i++) {
      check_one_base(&diff.loops[i]);
      known += diff.loops[i].mean.is_known;
    }
    release(merged, &diff);
  }
  CHECK(known > 100);
}

/// Of the samples of both runs together most of B's are of its quick run, all of A's alike: the
/// median of all was shorter in B than in A, beside a ratio that said longer.
static void test_uneven_runs(void) {
  const double level[4][LOOPS] = {{5000}, {5000}, {20000}, {4000}};
  struct profile merged[2];
  struct diff diff;
  for (size_t i = 0; i < 4; i++)
    make(&runs[i], 300 + i, level[i], 0.01, i == 3 ? 1500 : 300);
  compare(2, merged, &diff);
  const struct diff_loop *loop = find(&diff, 10);
  CHECK(loop->b.stats.p50_ns.value < loop->a.stats.p50_ns.value);
  CHECK(loop->median.change > 0);
  CHECK(loop->b.p50_ns.value > loop->a.p50_ns.value);
  check_one_base(loop);
  release(merged, &diff);
}

int main(void) {
  RUN(test_equal);
  RUN(test_planted);
  RUN(test_one_base);
  RUN(test_uneven_runs);
  RUN(test_mean_alone);
  RUN(test_one_side);
  RUN(test_rewritten);
  RUN(test_kinds);
  RUN(test_too_little);
  RUN(test_machine);
  RUN(test_crowded);
  RUN(test_preempted);
  RUN(test_trips);
  RUN(test_runs_needed);
  return unit_status();
}
