// unit_control.c - the control chain: its windows and delays, and verdicts by comparison with it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/analysis/made_loop.h"
#include "tools/analysis/loop/core_rate.h"

#define CHAINS 1200
#define COLD_NS 18

static struct made_loop made;
static struct profile_chain chains[2 * CHAINS];

/// What the machine does to code of that duration at a time (0 to 1): the clock's factor and
/// delays.
struct machine {
  double clock_from;   ///< time from which the clock is slower
  double clock_factor; ///< by that
  double delays_per_s; ///< of 1 to 4 us
  double cold_share;   ///< of samples and cold chains that wait for a cache ...
  double cold_ns;      ///< ... so long
  double spread;       ///< each execution takes longer by up to this part
  double
      slow_share; ///< of executions take longer by a fifth, in two of seven twentieths of the time
};

/// What comes with a sample, whatever its duration.
static double cold_of(struct made_loop *loop, const struct machine *machine) {
  return machine->cold_ns * (unit_uniform(&loop->state) < machine->cold_share);
}

static double machine_ns(struct made_loop *loop, const struct machine *machine, double ns,
                         double time) {
  ns += 1.5 * unit_normal(&loop->state) * sqrt(ns / 1000);
  if (time >= machine->clock_from)
    ns *= machine->clock_factor;
  ns *= 1 + machine->spread * unit_uniform(&loop->state);
  double slow_share = (int)(time * 20) % 7 < 2 ? machine->slow_share : 0;
  ns *= 1 + 0.2 * (unit_uniform(&loop->state) < slow_share);
  if (unit_uniform(&loop->state) < machine->delays_per_s * ns * 1e-9)
    ns += 1000 + 3000 * unit_uniform(&loop->state);
  return ns;
}

/// Of the core whose chains these are.
static double adds_per_ns = 4;

/// 1,200 chains of 0.3, 2 and 10 us, each behind a cold one, beside samples added by made_add.
static void make_control(const struct machine *machine) {
  static const double lengths[] = {300, 2000, 300, 10000};
  struct profile profile = {.env = made.env, .chain = chains, .chain_count = 2 * CHAINS};
  for (int i = 0; i < CHAINS; i++) {
    double time = (double)i / CHAINS, ns = lengths[i % 4];
    chains[i] = (struct profile_chain){.duration_ticks =
                                           made_ticks(&made, machine_ns(&made, machine, ns, time)),
                                       .adds = (uint32_t)(ns * adds_per_ns),
                                       .when = (uint32_t)(time * MADE_SAMPLES * 10)};
    chains[CHAINS + i] = chains[i];
    chains[CHAINS + i].adds = COLD_NS;
    chains[CHAINS + i].flags = RETICLE_SAMPLE_COLD;
    chains[CHAINS + i].duration_ticks = made_ticks(&made, COLD_NS + cold_of(&made, machine));
  }
  control_init(&profile, &made.control);
  CHECK_EQUAL(made.control.length_count, 3); // cold ones stand for no duration
  CHECK_EQUAL(made.control.cold.count, CHAINS);
}

/// enum reticle_timer_flags of the runs.
static uint32_t timer_flags;

/// A loop of which a share takes extra_ns longer. The caller releases made.control.
static struct loop_stats run(uint64_t seed, const struct machine *machine, double ns, double share,
                             double extra_ns) {
  made_init(&made, seed);
  made.env.timer_flags = timer_flags;
  for (int i = 0; i < MADE_SAMPLES; i++) {
    double own = ns + extra_ns * (unit_uniform(&made.state) < share);
    own += cold_of(&made, machine);
    made_add_ns(&made, machine_ns(&made, machine, own, (double)i / MADE_SAMPLES));
  }
  make_control(machine);
  struct loop_stats stats = made_analyse(&made);
  CHECK(stats.has_control);
  return stats;
}

static const struct machine quiet = {.clock_from = 2, .clock_factor = 1};
static const struct machine busy = {.clock_from = 2, .clock_factor = 1, .delays_per_s = 15000};
static const struct machine cold = {
    .clock_from = 2, .clock_factor = 1, .cold_share = 0.15, .cold_ns = 60};

static void test_none(void) {
  struct profile profile = {.env = {.timer_hz = 1000000000}};
  struct control control;
  control_init(&profile, &control);
  CHECK_EQUAL(control.samples, 0);
  CHECK(control_find(&control, 1000) == NULL);
  CHECK(control_find(NULL, 1000) == NULL);
  control_release(&control);
}

static void test_lengths(void) {
  // Chains of 200 and 2,000 ticks, pair 40: 60 and 39 of them, one of these on two CPUs.
  struct profile_chain few[100];
  struct profile profile = {
      .env = {.timer_hz = 1000000000, .pair_ticks = 40 * 256}, .chain = few, .chain_count = 100};
  for (uint32_t i = 0; i < 100; i++)
    few[i] = (struct profile_chain){.duration_ticks = i < 60 ? 240 + i % 4 : 2040,
                                    .adds = i < 60 ? 200 : 2000,
                                    .when = i,
                                    .flags = i == 99 ? RETICLE_SAMPLE_MIGRATED : 0};
  few[10].duration_ticks += 1500;
  struct control control;
  control_init(&profile, &control);
  CHECK_EQUAL(control.samples, 100);
  CHECK_EQUAL(control.migrated, 1);
  CHECK_EQUAL(control.length_count, 2);
  // The longer ones are too few, so a loop of 5 us has the shorter ones: 25 times as long.
  const struct control_length *length = control_find(&control, 5000);
  CHECK(length == &control.lengths[0]);
  CHECK_NEAR(length->usual_ns, 201.5, 0.51);
  CHECK_NEAR(length->window_ns, 3, 1e-9);
  CHECK_NEAR(control_scale(length, 100), 1, 0);
  CHECK_NEAR(control_window(length, 10 * length->usual_ns, 0), 30, 1e-9);
  // What the timer's steps make stays as it is.
  CHECK_NEAR(control_window(length, 10 * length->usual_ns, 1), 21, 1e-9);
  CHECK_NEAR(control_window(length, 10 * length->usual_ns, 5), 3, 1e-9);
  CHECK_NEAR(control_narrowed(length, 10 * length->usual_ns, 1, 21), 3, 1e-9);
  CHECK_NEAR(control_narrowed(length, 10 * length->usual_ns, 5, 3), 3, 1e-9);
  CHECK_NEAR(control_cycle_ns(&control), 201.5 / 200, 0.003);
  double error, seconds = control.time_ns * 1e-9;
  CHECK_NEAR(control_delays_per_s(&control, 1000, INFINITY, &error), 1 / seconds, 1e-6);
  CHECK_NEAR(control_delays_per_s(&control, 1000, 1400, &error), 0, 0);
  CHECK_NEAR(error, 1 / seconds, 1e-6); // 0 seen is not never
  size_t begin, end;
  control_part(length, 0, 59, &begin, &end);
  CHECK(begin == 0 && end == 60);
  control_part(length, 30, 31, &begin, &end);
  CHECK(end - begin == CONTROL_PART && begin < 30 && end > 31);
  control_part(length, 1000, 2000, &begin, &end);
  CHECK(end == 60 && end - begin == CONTROL_PART);
  control_release(&control);
}

// Lengths are in order, whichever comes first: with the longest in front the clock read "vary too
// much" on a program whose first timed loop was a long one (clasp).
static void test_order(void) {
  static const uint32_t adds[] = {30000, 1000, 8000};
  struct profile_chain few[180];
  struct profile profile = {
      .env = {.timer_hz = 1000000000, .pair_ticks = 0}, .chain = few, .chain_count = 180};
  for (uint32_t i = 0; i < 180; i++)
    few[i] = (struct profile_chain){
        .duration_ticks = adds[i % 3] / 4 + i / 3 % 2, .adds = adds[i % 3], .when = i};
  struct control control;
  control_init(&profile, &control);
  CHECK_EQUAL(control.length_count, 3);
  for (size_t i = 1; i < control.length_count; i++)
    CHECK(control.lengths[i].adds > control.lengths[i - 1].adds);
  struct quantity rate = core_rate(&control);
  CHECK_EQUAL(rate.status, QUANTITY_OK);
  CHECK_NEAR(rate.value, 4, 0.01);
  control_release(&control);
}

static void test_constant(void) {
  static const double durations[] = {150, 400, 2000, 20000};
  int unsteady = 0;
  for (size_t d = 0; d < 4; d++)
    for (uint64_t seed = 1; seed <= 25; seed++) {
      unsteady += run(seed, &quiet, durations[d], 0, 0).verdict == LOOP_UNSTEADY;
      control_release(&made.control);
      unsteady += run(seed, &busy, durations[d], 0, 0).verdict == LOOP_UNSTEADY;
      control_release(&made.control);
    }
  CHECK_EQUAL(unsteady, 0);
}

static void test_steady(void) {
  int steady = 0;
  for (uint64_t seed = 1; seed <= 20; seed++) {
    steady += run(seed, &quiet, 200, 0, 0).verdict == LOOP_STEADY;
    control_release(&made.control);
    steady += run(seed, &busy, 2000, 0, 0).verdict == LOOP_STEADY;
    control_release(&made.control);
  }
  CHECK(steady >= 38);
}

/// How often a tenth of the runs, slower by extra_ns, is called steady.
static int called_steady(const struct machine *machine, double ns, double extra_ns) {
  int steady = 0;
  for (uint64_t seed = 1; seed <= 20; seed++) {
    steady += run(seed, machine, ns, 0.1, extra_ns).verdict == LOOP_STEADY;
    control_release(&made.control);
  }
  return steady;
}

static void test_hidden(void) {
  // What the machine does to all runs is as large: it can't be seen, so the loop isn't steady.
  static const struct machine uneven = {.clock_from = 2, .clock_factor = 1, .spread = 0.5};
  static const struct machine slows = {.clock_from = 2, .clock_factor = 1, .slow_share = 0.6};
  CHECK_EQUAL(called_steady(&uneven, 200, 30), 0);
  CHECK_EQUAL(called_steady(&slows, 2000, 400), 0);
  struct loop_stats s = run(1, &uneven, 200, 0, 0);
  control_release(&made.control);
  CHECK_EQUAL(s.verdict, LOOP_INCONCLUSIVE);
  CHECK_CONTAINS(s.reason, "the machine alone makes runs differ");
  s = run(1, &slows, 2000, 0, 0);
  control_release(&made.control);
  CHECK_EQUAL(s.verdict, LOOP_INCONCLUSIVE);
  CHECK_CONTAINS(s.reason, "a tenth would not show");
}

static void test_cold(void) {
  // A sixth of the samples waits for a cache, and of the cold chains: whatever the loop's duration.
  static const double durations[] = {200, 2000};
  for (size_t d = 0; d < 2; d++)
    for (uint64_t seed = 1; seed <= 20; seed++) {
      CHECK(run(seed, &cold, durations[d], 0, 0).verdict != LOOP_UNSTEADY);
      control_release(&made.control);
      struct loop_stats s = run(seed, &cold, durations[d], 0.2, 150);
      control_release(&made.control);
      CHECK_EQUAL(s.verdict, LOOP_UNSTEADY);
      CHECK_NEAR(s.slow_by_ns.value, 150, MADE_STEP);
    }
  // Without the cold chains it would be the loop's.
  run(1, &cold, 200, 0, 0);
  made.control.cold.count = 0;
  CHECK_EQUAL(made_analyse(&made).verdict, LOOP_UNSTEADY);
  control_release(&made.control);
}

static void test_slow_core(void) {
  // What being timed does takes cycles: 30 ns are beyond it on a fast core, and not on a slow one.
  CHECK_EQUAL(run(1, &quiet, 200, 0.1, 30).verdict, LOOP_UNSTEADY);
  control_release(&made.control);
  adds_per_ns = 1;
  CHECK(run(1, &quiet, 200, 0.1, 30).verdict != LOOP_UNSTEADY);
  control_release(&made.control);
  adds_per_ns = 4;
}

/// How often a tenth of the runs of 200 ns, slower by extra_ns, is called unsteady, of 20.
static int called_unsteady(const struct machine *machine, double extra_ns) {
  int unsteady = 0;
  for (uint64_t seed = 1; seed <= 20; seed++) {
    unsteady += run(seed, machine, 200, 0.1, extra_ns).verdict == LOOP_UNSTEADY;
    control_release(&made.control);
  }
  return unsteady;
}

static void test_finer(void) {
  // Bursts show 10 ns on a clock with steps as long, single readings don't; nor do bursts where
  // cold chains differ by more, or where they are of no use.
  CHECK_EQUAL(called_unsteady(&quiet, 10), 0);
  timer_flags = RETICLE_TIMER_BURST;
  CHECK(called_unsteady(&quiet, 10) >= 18);
  CHECK_EQUAL(called_unsteady(&quiet, 0), 0);
  CHECK_EQUAL(called_unsteady(&cold, 10), 0);
  timer_flags |= RETICLE_TIMER_BURST_IDLE;
  CHECK_EQUAL(called_unsteady(&quiet, 10), 0);
  timer_flags = 0;
}

static void test_burst(void) {
  // The loop's own slow runs, and one stretch in which a neighbour made nearly all slow.
  for (uint64_t seed = 1; seed <= 20; seed++) {
    made_init(&made, seed);
    for (int i = 0; i < MADE_SAMPLES; i++) {
      bool is_slow = unit_uniform(&made.state) < (i / 50 == 20 ? 0.9 : 0.05);
      made_add_ns(&made, machine_ns(&made, &quiet, 2000 + 100 * is_slow, 0));
    }
    make_control(&quiet);
    CHECK_EQUAL(made_analyse(&made).verdict, LOOP_UNSTEADY);
    control_release(&made.control);
  }
}

static void test_rare_among(void) {
  // 1 % at 1 us more, beside a denser bump of one burst: the mode is found, not the bump.
  for (uint64_t seed = 1; seed <= 20; seed++) {
    made_init(&made, seed);
    for (int i = 0; i < MADE_SAMPLES; i++) {
      double extra = i / 60 == 15 ? 110 : 1000 * (unit_uniform(&made.state) < 0.015);
      made_add_ns(&made, machine_ns(&made, &quiet, 2000 + extra, 0));
    }
    make_control(&quiet);
    struct loop_stats s = made_analyse(&made);
    control_release(&made.control);
    CHECK_EQUAL(s.verdict, LOOP_UNSTEADY);
    CHECK_NEAR(s.slow_by_ns.value, 1000, MADE_STEP);
    CHECK_NEAR(s.slow_share.value, 0.015, 0.01);
  }
}

static void check_found(const struct machine *machine, double ns, double share, double extra_ns) {
  int found = 0;
  for (uint64_t seed = 1; seed <= 20; seed++) {
    struct loop_stats s = run(seed, machine, ns, share, extra_ns);
    control_release(&made.control);
    if (s.verdict != LOOP_UNSTEADY)
      continue;
    found++;
    CHECK_NEAR(s.slow_by_ns.value, extra_ns, MADE_STEP);
    CHECK_NEAR(s.slow_share.value, share, 0.03);
  }
  CHECK(found >= 19);
}

static void test_found(void) {
  check_found(&quiet, 200, 0.1, 50);
  check_found(&quiet, 400, 0.1, 50);
  check_found(&quiet, 2000, 0.05, 100);
  check_found(&quiet, 20000, 0.05, 1000);
  check_found(&busy, 2000, 0.05, 100);
}

static void test_rare(void) {
  check_found(&quiet, 2000, 0.01, 1000); // beyond the 1 us that is system noise otherwise
}

static void test_clock(void) {
  // The clock is slower for half of the run: the chains too. Without them 1.4 may be the machine.
  struct machine slower = {.clock_from = 0.5, .clock_factor = 1.4};
  struct loop_stats s = run(3, &slower, 2000, 0, 0);
  control_release(&made.control);
  CHECK_EQUAL(s.verdict, LOOP_STEADY);
  CHECK_EQUAL(s.shape, LOOP_SHAPE_SHIFTING);
  CHECK_CONTAINS(s.reason, "the control too");
}

static void test_half_slow(void) {
  // Between two clocks and back, many times: a mode for the loop, and for the chains.
  for (uint64_t seed = 1; seed <= 20; seed++) {
    made_init(&made, seed);
    struct profile profile = {.env = made.env, .chain = chains, .chain_count = CHAINS};
    for (int i = 0; i < MADE_SAMPLES; i++)
      made_add_ns(&made, machine_ns(&made, &quiet, i / 13 % 8 ? 2000 : 2260, 0));
    for (int i = 0; i < CHAINS; i++)
      chains[i] =
          (struct profile_chain){.duration_ticks = made_ticks(
                                     &made, machine_ns(&made, &quiet, i / 8 % 8 ? 1800 : 2034, 0)),
                                 .adds = 7200,
                                 .when = (uint32_t)i * 10 * MADE_SAMPLES / CHAINS};
    control_init(&profile, &made.control);
    CHECK(made_analyse(&made).verdict != LOOP_UNSTEADY);
    control_release(&made.control);
  }
}

int main(void) {
  RUN(test_none);
  RUN(test_lengths);
  RUN(test_order);
  RUN(test_constant);
  RUN(test_steady);
  RUN(test_hidden);
  RUN(test_cold);
  RUN(test_slow_core);
  RUN(test_finer);
  RUN(test_burst);
  RUN(test_rare_among);
  RUN(test_found);
  RUN(test_rare);
  RUN(test_clock);
  RUN(test_half_slow);
  return unit_status();
}
