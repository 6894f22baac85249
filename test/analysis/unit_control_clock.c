// unit_control_clock.c - verdicts where the clock wanders: chains, normalised frequency.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/analysis/made_loop.h"
#include "tools/analysis/loop/loop_sample.h"

#define CHAINS 2400

static struct made_loop made;
static struct profile_chain chains[2 * CHAINS];
/// What a cycle takes at each sample, over what it takes in the middle.
static double clock_ratio[MADE_SAMPLES];

/// A walk between 1 - most and 1 + most, by that step from one sample to the next.
static void wander(double step, double most) {
  double ratio = 1;
  for (int i = 0; i < MADE_SAMPLES; i++) {
    ratio += step * unit_normal(&made.state);
    ratio = fmin(1 + most, fmax(1 - most, ratio));
    clock_ratio[i] = ratio;
  }
}

/// So many chains of 0.3, 2 and 10 us, each behind a cold one.
static void make_some_chains(int count) {
  static const double lengths[] = {300, 2000, 300, 10000};
  struct profile profile = {.env = made.env, .chain = chains, .chain_count = 2 * (size_t)count};
  for (int i = 0; i < count; i++) {
    int at = i * MADE_SAMPLES / count;
    double ns = lengths[i % 4];
    chains[i] = (struct profile_chain){.duration_ticks = made_ticks(&made, ns * clock_ratio[at]),
                                       .adds = (uint32_t)(4 * ns),
                                       .when = (uint32_t)(i * (10.0 * MADE_SAMPLES / count))};
    chains[count + i] = chains[i];
    chains[count + i].adds = 64;
    chains[count + i].flags = RETICLE_SAMPLE_COLD;
    chains[count + i].duration_ticks = made_ticks(&made, 16);
  }
  control_init(&profile, &made.control);
}

static void make_chains(void) { make_some_chains(CHAINS); }

/// A loop of which a share takes extra_ns longer. follows: the core's clock, as what waits for
/// memory doesn't. The caller releases made.control.
static void make(uint64_t seed, double ns, double share, double extra_ns, bool follows) {
  made_init(&made, seed);
  wander(0.003, 0.03);
  for (int i = 0; i < MADE_SAMPLES; i++) {
    double own = ns + extra_ns * (unit_uniform(&made.state) < share);
    made_add_ns(&made, own * (follows ? clock_ratio[i] : 1));
  }
  make_chains();
}

static bool is_normalised(void) {
  struct loop_sample sample, normalised;
  loop_sample_init(&made.loop, &made.env, &made.floor, &made.control, &sample);
  loop_sample_normalise(&sample, &normalised);
  bool is = normalised.points != NULL;
  loop_sample_release(&normalised);
  loop_sample_release(&sample);
  return is;
}

static void test_clock_at(void) {
  made_init(&made, 1);
  for (int i = 0; i < MADE_SAMPLES; i++)
    clock_ratio[i] = i < MADE_SAMPLES * 3 / 5 ? 1 : 1.5;
  make_chains();
  CHECK_EQUAL(made.control.clock_count, CHAINS / 2); // 0.3 us are 30 steps
  CHECK_NEAR(control_clock_at(&made.control, 0), 1, 0.02);
  CHECK_NEAR(control_clock_at(&made.control, 4 * MADE_SAMPLES), 1, 0.02);
  CHECK_NEAR(control_clock_at(&made.control, 8 * MADE_SAMPLES), 1.5, 0.02);
  CHECK_NEAR(control_clock_at(&made.control, UINT32_MAX), 1.5, 0.02);
  // Each chain is put right by others than itself, so a delayed one stays late.
  const struct control_length *was = control_find(&made.control, 10000);
  const struct control_length *normalised = control_find(made.control.normalised, 10000);
  CHECK_EQUAL(was->count, normalised->count);
  CHECK_NEAR(normalised->points[normalised->count - 1].ns, normalised->points[0].ns, 300);
  CHECK(was->points[was->count - 1].ns > 1.4 * was->points[0].ns);
  control_release(&made.control);
}

static void test_delayed(void) {
  made_init(&made, 1);
  for (int i = 0; i < MADE_SAMPLES; i++)
    clock_ratio[i] = i == MADE_SAMPLES / 2 ? 3 : 1;
  make_chains();
  CHECK_NEAR(control_clock_at(&made.control, 5 * MADE_SAMPLES), 1, 0.02);
  control_release(&made.control);
}

static void test_follows(void) {
  make(1, 2000, 0, 0, true);
  CHECK(is_normalised());
  control_release(&made.control);
  make(1, 2000, 0, 0, false); // put right by a clock that it doesn't follow it would vary more
  CHECK(!is_normalised());
  control_release(&made.control);
  make(1, 400, 0, 0, true); // 40 steps
  CHECK(!is_normalised());
  control_release(&made.control);
}

static void test_constant(void) {
  for (uint64_t seed = 1; seed <= 40; seed++)
    for (int follows = 0; follows < 2; follows++) {
      make(seed, seed % 2 ? 2000 : 20000, 0, 0, follows);
      CHECK(made_analyse(&made).verdict != LOOP_UNSTEADY);
      control_release(&made.control);
    }
}

static void test_found(void) {
  static const double ns[] = {2000, 20000}, extra[] = {100, 1000}, share[] = {0.05, 0.05};
  for (int k = 0; k < 2; k++) {
    int found = 0;
    for (uint64_t seed = 1; seed <= 20; seed++) {
      make(seed, ns[k], share[k], extra[k], true);
      struct loop_stats s = made_analyse(&made);
      control_release(&made.control);
      if (s.verdict != LOOP_UNSTEADY)
        continue;
      found++;
      CHECK_NEAR(s.slow_by_ns.value, extra[k], extra[k] / 8);
      CHECK_NEAR(s.slow_share.value, share[k], 0.03);
      CHECK_NEAR(s.p50_ns.value, ns[k], 0.03 * ns[k]); // as measured, not normalised
    }
    CHECK(found >= 19);
  }
}

/// Where the clock is another one at each chain, the loop's own samples tell it.
static void test_between_chains(void) {
  int found = 0;
  for (uint64_t seed = 1; seed <= 20; seed++) {
    made_init(&made, seed);
    wander(0.006, 0.04);
    for (int i = 0; i < MADE_SAMPLES; i++)
      made_add_ns(&made, (20000 + 1000 * (unit_uniform(&made.state) < 0.05)) * clock_ratio[i]);
    make_some_chains(1000);
    struct loop_stats s = made_analyse(&made);
    control_release(&made.control);
    found += s.verdict == LOOP_UNSTEADY;
  }
  CHECK(found >= 19);
}

/// A clock that moves by a few steps of the timer is put right, too.
static void test_few_steps(void) {
  int normalised_count = 0;
  for (uint64_t seed = 1; seed <= 20; seed++) {
    made_init(&made, seed);
    wander(0.001, 0.01);
    for (int i = 0; i < MADE_SAMPLES; i++)
      made_add_ns(&made, 2013 * clock_ratio[i]);
    make_chains();
    normalised_count += is_normalised();
    control_release(&made.control);
  }
  CHECK_EQUAL(normalised_count, 20);
}

/// Where stretches of some ten samples are slow, neighbours tell a loop's own slow runs, and a loop
/// of 40 steps isn't put right.
static void test_stretches(void) {
  int found = 0, wrong = 0;
  for (uint64_t seed = 1; seed <= 40; seed++) {
    made_init(&made, seed);
    for (int i = 0; i < MADE_SAMPLES; i++)
      clock_ratio[i] = i > 0 && unit_uniform(&made.state) < 0.97 ? clock_ratio[i - 1]
                       : unit_uniform(&made.state) < 0.85        ? 1
                                                                 : 1.1;
    for (int i = 0; i < MADE_SAMPLES; i++) {
      bool is_slow = seed % 2 && unit_uniform(&made.state) < 0.1;
      made_add_ns(&made, (400 + 50 * is_slow) * clock_ratio[i]);
    }
    make_chains();
    struct loop_stats s = made_analyse(&made);
    control_release(&made.control);
    if (seed % 2)
      found += s.verdict == LOOP_UNSTEADY;
    else
      wrong += s.verdict == LOOP_UNSTEADY;
  }
  CHECK(found >= 18); // by blocks alone 11
  CHECK_EQUAL(wrong, 0);
}

/// Two steps more in a loop of 70 steps may be half a step of the chain of 30.
static void test_hidden_steps(void) {
  static const double extra[] = {25, 50};
  for (int k = 0; k < 2; k++) {
    made_init(&made, 1);
    wander(0, 0);
    for (int i = 0; i < MADE_SAMPLES; i++)
      made_add_ns(&made, 700 + extra[k] * (unit_uniform(&made.state) < 0.1));
    make_chains();
    struct loop_stats s = made_analyse(&made);
    control_release(&made.control);
    CHECK(s.window_ns > 25);
    CHECK_EQUAL(s.verdict, k == 0 ? LOOP_STEADY : LOOP_UNSTEADY); // within the window that it names
  }
}

/// What the loop's own samples say of the clock takes no phase away that the chains don't have.
static void test_phases(void) {
  static const double factors[] = {1.3, 3};
  for (int k = 0; k < 2; k++) {
    made_init(&made, 1);
    wander(0.003, 0.03);
    for (int i = 0; i < MADE_SAMPLES; i++)
      made_add_ns(&made, 20000 * clock_ratio[i] * (i % 100 < 20 ? factors[k] : 1));
    make_chains();
    struct loop_stats s = made_analyse(&made);
    control_release(&made.control);
    CHECK_EQUAL(s.verdict, k == 0 ? LOOP_STEADY : LOOP_UNSTEADY);
    CHECK(s.shape != LOOP_SHAPE_PLAIN);
  }
}

int main(void) {
  RUN(test_clock_at);
  RUN(test_delayed);
  RUN(test_follows);
  RUN(test_constant);
  RUN(test_found);
  RUN(test_between_chains);
  RUN(test_few_steps);
  RUN(test_stretches);
  RUN(test_hidden_steps);
  RUN(test_phases);
  return unit_status();
}
