// unit_loop_tail.c - slow executions that the machine can't have made: more work, or far too many.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/analysis/made_loop.h"

static struct made_loop made;
static struct profile_chain chains[4000];

/// Chains that the machine leaves alone but for a delay of `us` in each of `every`.
static void make_chains(size_t count, size_t every, double us) {
  struct profile profile = {.env = made.env, .chain = chains, .chain_count = count};
  for (size_t i = 0; i < count; i++) {
    double ns = i % 2 ? 2000 : 8000, late = 0;
    if (every && i % every == every / 2)
      late = 1000 * us * (0.5 + unit_uniform(&made.state));
    uint64_t when = i * made.loop.raw_count * 10 / count;
    chains[i] = (struct profile_chain){.duration_ticks = made_ticks(&made, ns + late),
                                       .adds = i % 2 ? 7200 : 28800,
                                       .when = (uint32_t)when};
  }
  control_init(&profile, &made.control);
}

static void add(double ns, uint64_t work) { made_add(&made, made_ticks(&made, ns), work, 1); }

/// One in `every` of `count` runs takes `factor` times as long, of as many trips.
static struct loop_stats run_slow(int count, int every, double ns, double factor, int with_chains) {
  made_init(&made, 5);
  for (int i = 0; i < count; i++)
    add(ns * (i % every ? 1 : factor) + 10 * unit_uniform(&made.state), 7);
  if (with_chains == 1)
    make_chains((size_t)count, 0, 0);
  if (with_chains == 2)
    make_chains(100, 99, 30);
  struct loop_stats s = made_analyse(&made);
  control_release(&made.control);
  return s;
}

// Every tenth execution faults pages in: 16 us and 170 us, 300 executions; without chains, with
// many, and with a hundred, one of which was delayed: it doesn't say how often that comes.
static void test_faults(void) {
  for (int with_chains = 0; with_chains < 3; with_chains++) {
    struct loop_stats s = run_slow(300, 10, 16000, 170.0 / 16, with_chains);
    CHECK_EQUAL(s.verdict, LOOP_UNSTEADY);
    CHECK(s.amplitude.value > 9);
    CHECK_NEAR(s.slow_share.value, 0.1, 0.02);
    CHECK_NEAR(s.lost_ns.value, 30 * 154000.0, 30 * 20000.0);
    CHECK(!quantity_is_wide(s.lost_ns));
    CHECK_NEAR(s.system_noise_ns.value, 0, 0);
  }
}

static void test_sizes(void) {
  static const struct {
    int count, every;
    double ns, factor;
  } planted[] = {{2000, 50, 5000, 20}, {2000, 10, 1000, 20}, {2000, 3, 20000, 10},
                 {600, 10, 20000, 5},  {1000, 10, 50000, 8}, {300, 3, 100000, 20}};
  for (size_t i = 0; i < sizeof planted / sizeof *planted; i++) {
    struct loop_stats s =
        run_slow(planted[i].count, planted[i].every, planted[i].ns, planted[i].factor, 1);
    CHECK_EQUAL(s.verdict, LOOP_UNSTEADY);
    CHECK_NEAR(s.slow_share.value, 1.0 / planted[i].every, 0.3 / planted[i].every);
  }
}

// As often, but as delays come: preemptions of a loop of 500 us; a machine whose chains are hit as
// often; a stretch of the run alone.
static void test_machine(void) {
  CHECK(run_slow(300, 10, 500000, 20, 1).verdict != LOOP_UNSTEADY);
  made_init(&made, 6);
  for (int i = 0; i < 1000; i++)
    add(10000 + 100000 * (i % 20 == 3) * (0.5 + unit_uniform(&made.state)), 7);
  make_chains(1000, 20, 100);
  CHECK(made_analyse(&made).verdict != LOOP_UNSTEADY);
  control_release(&made.control);
  made_init(&made, 7);
  for (int i = 0; i < 1000; i++)
    add(10000 + 20000 * (i >= 400 && i < 500), 7);
  make_chains(1000, 0, 0);
  CHECK(made_analyse(&made).verdict != LOOP_UNSTEADY);
  control_release(&made.control);
}

// Twelve of 300 iterate three times as often: no control is asked.
static struct loop_stats run_work(int slow_trips, double slow_factor, int with_chains) {
  made_init(&made, 8);
  made.loop.work_class = RETICLE_WORK_CLASS_F;
  for (int i = 0; i < 300; i++) {
    bool is_slow = i % 25 == 7;
    add(2000 * (is_slow ? slow_factor : 1) + 10 * unit_uniform(&made.state),
        is_slow ? (uint64_t)slow_trips : 100);
  }
  if (with_chains)
    make_chains(300, 25, 5);
  struct loop_stats s = made_analyse(&made);
  control_release(&made.control);
  return s;
}

static void test_work(void) {
  for (int with_chains = 0; with_chains < 2; with_chains++) {
    struct loop_stats s = run_work(300, 3, with_chains);
    CHECK_EQUAL(s.verdict, LOOP_UNSTEADY);
    CHECK_CONTAINS(s.reason, "more work");
    CHECK_NEAR(s.slow_share.value, 0.04, 1e-9);
    CHECK_NEAR(s.slow_by_ns.value, 4000, 100);
    CHECK_NEAR(s.lost_ns.value, 12 * 4000.0, 12 * 150.0);
  }
  // Preempted for milliseconds now and then, which is nearly all of the variance.
  made_init(&made, 9);
  made.loop.work_class = RETICLE_WORK_CLASS_F;
  for (int i = 0; i < 300; i++)
    add(i % 25 == 7 ? 6000 : i % 10 == 3 ? 4e6 : 2000, i % 25 == 7 ? 300 : 100);
  make_chains(300, 10, 4000);
  struct loop_stats s = made_analyse(&made);
  control_release(&made.control);
  CHECK_EQUAL(s.verdict, LOOP_UNSTEADY);
  CHECK_CONTAINS(s.reason, "more work");
  CHECK_NEAR(s.slow_share.value, 0.04, 1e-9);
  CHECK_NEAR(s.slow_by_ns.value, 4000, 100);
  CHECK_NEAR(s.lost_ns.value, 12 * 4000.0, 12 * 150.0); // not what was preempted: 120 ms
  // Most of the slow ones are slow for another reason, and the machine's chains are not.
  made_init(&made, 10);
  made.loop.work_class = RETICLE_WORK_CLASS_F;
  for (int i = 0; i < 300; i++)
    add(i % 50 == 7 ? 48000 : i % 8 == 3 ? 170000 : 16000, i % 50 == 7 ? 300 : 100);
  s = made_analyse(&made);
  CHECK_EQUAL(s.verdict, LOOP_UNSTEADY);
  CHECK(!strstr(s.reason, "more work"));
  CHECK_NEAR(s.lost_ns.value, 37 * 154000.0 + 6 * 32000, 37 * 20000.0);
  // Three times as long with a tenth more trips: the trips don't say so.
  CHECK(!strstr(run_work(110, 3, 0).reason, "more work"));
}

// What a card says of slow executions and of lost time is of the same ones.
static void test_agree(void) {
  static const double factors[] = {1.1, 1.5, 3, 10, 40};
  for (uint64_t seed = 1; seed <= 200; seed++) {
    made_init(&made, seed);
    double ns = 1000 * pow(1000, unit_uniform(&made.state));
    double factor = factors[unit_random(&made.state) % 5], share = unit_uniform(&made.state);
    for (int i = 0; i < 400; i++)
      made_add_ns(&made, ns * (unit_uniform(&made.state) < share ? factor : 1) *
                             (1 + 0.1 * unit_uniform(&made.state)));
    made.env.thread_ticks = UINT64_C(1) << 50;
    if (seed % 3)
      make_chains(400, seed % 2 ? 30 : 0, 20);
    struct loop_stats s = made_analyse(&made);
    control_release(&made.control);
    if (s.slow_share.status != QUANTITY_OK || s.lost_ns.status != QUANTITY_OK)
      continue;
    double each = s.slow_by_ns.status == QUANTITY_OK ? s.slow_by_ns.value : 0;
    double told = s.slow_share.value * each * (double)s.executions;
    CHECK(s.lost_ns.value >= 0.3 * told);
    // Lost time is that of slow executions: at most what the slowest one took longer, each.
    double most = s.slow_share.value * (double)s.executions * s.max_ns.value;
    CHECK(s.lost_ns.value <= 1.1 * most + 1);
  }
}

int main(void) {
  RUN(test_faults);
  RUN(test_sizes);
  RUN(test_machine);
  RUN(test_work);
  RUN(test_agree);
  return unit_status();
}
