// unit_visit_cost.c - what the program takes for a visit, where its loops' times aren't known.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/model/replay/visit_cost.h"

#include "test/unit.h"

#include <math.h>

// Two places with 10 and 1 visits of the run for each one noted, in two windows; two runs.
static struct visit_place places[] = {{.function = "scan", .visits = 4},
                                      {.function = "find", .visits = 2}};
static struct visit all[] = {{.place = 0}, {.place = 0}, {.place = 1},
                             {.place = 0}, {.place = 0}, {.place = 1}};
static struct visit_window windows[] = {{.visits = all, .count = 3},
                                        {.visits = all + 3, .count = 3}};
static const struct visits visits = {
    .places = places, .place_count = 2, .windows = windows, .window_count = 2};
static const double weights[] = {10, 1};
static const struct measurement m = {.input.profile = {.merged_count = 2}};

static void test_code(void) {
  double ns[2], instructions[2];
  struct visit_cost_input in = {&m, &visits, weights, 1000, 420};
  CHECK_NEAR(visit_cost_runs(&m), 2, 0);
  CHECK_NEAR(visit_cost_find(&in, ns, instructions), 0.42, 1e-9);
  for (size_t w = 0; w < 2; w++) {
    CHECK_NEAR(ns[w], 420 / 21.0, 1e-9); // 42 visits of two runs
    CHECK(isnan(instructions[w]));
  }
}

/// Windows whose visits stand for nothing take no time.
static void test_nothing(void) {
  static const double none[] = {0, 1};
  double ns[2], instructions[2];
  struct visit_cost_input in = {&m, &visits, none, 1000, 420};
  all[2].place = 0;
  visit_cost_find(&in, ns, instructions);
  CHECK_NEAR(ns[0], 0, 0);
  CHECK(ns[1] > 0);
  all[2].place = 1;
}

/// A loop's own time is its visits', and those of the loops inside it: 0.2 of the time outside of
/// the inner loop over 20 + 10 visits, 0.3 inside over 20.
static void test_nest(void) {
  static struct profile_loop records[] = {
      {.id = 0x70001, .function = "f"},
      {.id = 0x70002, .function = "f", .flags = 1u << RETICLE_LOOP_OUTER_SHIFT}};
  static struct measured_loop loops[] = {{.loop = &records[0]}, {.loop = &records[1]}};
  loops[0].cpu_share = quantity_of(0.5, 0.5, 0.5);
  loops[1].cpu_share = quantity_of(0.3, 0.3, 0.3);
  const struct measurement nested = {
      .input.profile = {.merged_count = 1}, .loops = loops, .loop_count = 2};
  struct visit_place in_loops[] = {{.function = "f", .visits = 4, .loop = 0x70002},
                                   {.function = "f", .visits = 2, .loop = 0x70001}};
  static const double fives[] = {5, 5};
  struct visit of_one[] = {{.place = 0}, {.place = 1}};
  struct visit_window one_each[] = {{.visits = of_one, .count = 1},
                                    {.visits = of_one + 1, .count = 1}};
  const struct visits v = {
      .places = in_loops, .place_count = 2, .windows = one_each, .window_count = 2};
  double ns[2], instructions[2];
  struct visit_cost_input in = {&nested, &v, fives, 1000, 1000};
  visit_cost_find(&in, ns, instructions);
  CHECK_NEAR(ns[0], 300 / 20.0 + 200 / 30.0, 1e-9);
  CHECK_NEAR(ns[1], 200 / 30.0, 1e-9);
  loops[1].cpu_share = quantity_none(QUANTITY_TOO_NOISY, "samples differ");
  visit_cost_find(&in, ns, instructions);
  CHECK_NEAR(ns[0], 1000 / 30.0, 1e-9); // as all code, on average
}

int main(void) {
  RUN(test_code);
  RUN(test_nothing);
  RUN(test_nest);
  return unit_status();
}
