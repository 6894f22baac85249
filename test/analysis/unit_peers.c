// unit_peers.c - windows in which all loops are slow: found, told from a loop's own, and judged.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/unit.h"
#include "tools/analysis/loop/loop.h"

#include <math.h>
#include <string.h>

#define LOOPS 6
#define SAMPLES 1000
#define PAIR 40
/// A unit of `when` is 65.5 us at 1 GHz: each loop has a sample every 0.8 ms.
#define UNITS 12

/// What happens to the loops, each in turn once a round.
struct program {
  double window_share; ///< of rounds, in stretches of 20, in which loops are slow ...
  double window_ratio; ///< ... by this factor ...
  size_t window_loops; ///< ... that many of them
  double own_share;    ///< of executions of each loop, at random, that are slow ...
  double own_ratio;    ///< ... by this factor
  size_t loops;
};

static struct profile_sample raw[LOOPS][SAMPLES];
static struct profile_loop loops[LOOPS];
static struct profile profile;

static void make(const struct program *program) {
  uint64_t state = 7;
  profile = (struct profile){.env = {.timer_hz = 1000000000,
                                     .step_ticks = 1,
                                     .pair_ticks = PAIR * 256,
                                     .thread_ticks = 1000000000},
                             .loops = loops,
                             .loop_count = program->loops};
  for (size_t l = 0; l < program->loops; l++) {
    loops[l] = (struct profile_loop){.id = (l + 1) << 20 | (l + 1),
                                     .function = "f",
                                     .depth = 1,
                                     .executions = 10 * SAMPLES,
                                     .samples = SAMPLES,
                                     .weight = 10 * SAMPLES,
                                     .work_class = RETICLE_WORK_CLASS_C,
                                     .raw = raw[l],
                                     .raw_count = SAMPLES};
    bool is_in_window = false;
    for (size_t i = 0; i < SAMPLES; i++) {
      uint64_t stretch = i / 20; // the same for all loops
      is_in_window = unit_random(&stretch) % 1000 < (uint64_t)(1000 * program->window_share);
      double ns = 300.0 * (double)(l + 1) * (1 + 0.002 * unit_normal(&state));
      ns *= is_in_window && l < program->window_loops ? program->window_ratio : 1;
      ns *= unit_uniform(&state) < program->own_share ? program->own_ratio : 1;
      raw[l][i] = (struct profile_sample){.duration_ticks = (uint64_t)(ns + PAIR),
                                          .work = RETICLE_WORK_UNKNOWN,
                                          .when = (uint32_t)(i * UNITS + 2 * l),
                                          .weight = 10};
    }
  }
}

/// Share of the first loop's samples in shared windows, and its verdict.
static double run(const struct program *program, struct loop_stats *out) {
  make(program);
  struct timing_floor floor;
  struct control control;
  floor_from_env(&profile.env, &floor);
  control_init(&profile, &control);
  const struct peer *peer = peers_find(&control.peers, &loops[0]);
  CHECK(peer != NULL);
  size_t shared = 0;
  for (size_t i = 0; i < SAMPLES; i++)
    shared += peer->is_shared[i];
  *out = loop_analyse(&loops[0], &profile.env, &floor, &control);
  control_release(&control);
  return (double)shared / SAMPLES;
}

static void test_windows(void) {
  struct loop_stats stats;
  struct program all = {.window_share = 0.3, .window_ratio = 1.5, .window_loops = 6, .loops = 6};
  double shared = run(&all, &stats);
  CHECK(shared > 0.2 && shared < 0.4);
  CHECK_EQUAL(stats.verdict, LOOP_INCONCLUSIVE);
  CHECK(strstr(stats.reason, "the other loops"));
  struct program one = all; // the first loop's own phase
  one.window_loops = 1;
  CHECK(run(&one, &stats) < 0.02);
  CHECK(!strstr(stats.reason, "the other loops"));
  struct program far = all; // no machine makes that
  far.window_ratio = 4;
  CHECK(run(&far, &stats) < 0.02);
  struct program pair = all; // a single other loop tells nothing
  pair.loops = 2;
  CHECK_EQUAL(run(&pair, &stats), 0);
}

static void test_own(void) {
  struct loop_stats stats;
  struct program own = {.own_share = 0.12, .own_ratio = 1.4, .loops = 6};
  CHECK(run(&own, &stats) < 0.1); // by chance
  CHECK_EQUAL(stats.verdict, LOOP_UNSTEADY);
  struct program both = own;
  both.window_share = 0.3;
  both.window_ratio = 1.5;
  both.window_loops = 6;
  CHECK(run(&both, &stats) > 0.2);
  CHECK_EQUAL(stats.verdict, LOOP_UNSTEADY);
  CHECK(fabs(stats.slow_by_ns.value - 120) < 5);
  CHECK(fabs(stats.slow_share.value - 0.12) < 0.05);
}

/// Loops around others don't vote: that both are slow is one fact.
static void test_nested(void) {
  struct program program = {
      .window_share = 0.3, .window_ratio = 1.5, .window_loops = 6, .loops = 3};
  struct control control;
  make(&program);
  loops[2].depth = 2;
  loops[2].flags = (uint64_t)2 << RETICLE_LOOP_OUTER_SHIFT;
  control_init(&profile, &control);
  CHECK(control.peers.loops[0].is_voter && !control.peers.loops[1].is_voter &&
        control.peers.loops[2].is_voter);
  CHECK(!control.peers.loops[0].is_shared[0]); // one voter alone
  for (size_t i = 0; i < SAMPLES; i++)
    CHECK(!control.peers.loops[0].is_shared[i]);
  control_release(&control);
  // One whose samples hold samples of another, in whatever function that is.
  make(&program);
  for (size_t i = 0; i < SAMPLES; i++)
    raw[0][i].duration_ticks = UINT64_C(65536) * 9;
  control_init(&profile, &control);
  CHECK(!control.peers.loops[0].is_voter && control.peers.loops[1].is_voter);
  control_release(&control);
}

int main(void) {
  RUN(test_windows);
  RUN(test_own);
  RUN(test_nested);
  return unit_status();
}
