// unit_loop_own.c - an outer loop without its inner one; of one that isn't known nothing is.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/model/loop/loop_own.h"

#include "test/unit.h"

#include <math.h>

static struct profile_loop records[] = {
    {.id = 0x70001, .function = "f"},
    {.id = 0x70002, .function = "f", .flags = 1u << RETICLE_LOOP_OUTER_SHIFT},
    {.id = 0x70003, .function = "g", .flags = 1u << RETICLE_LOOP_OUTER_SHIFT}};
static struct measured_loop loops[] = {
    {.loop = &records[0]}, {.loop = &records[1]}, {.loop = &records[2]}};

static double own(double outer, double inner, uint64_t loop) {
  const struct measurement m = {.loops = loops, .loop_count = 3};
  for (size_t i = 0; i < 3; i++)
    loops[i].cpu_share = quantity_of(0.1, 0.1, 0.1);
  loops[0].cpu_share = quantity_of(outer, outer, outer);
  loops[1].cpu_share = inner == inner ? quantity_of(inner, inner, inner)
                                      : quantity_none(QUANTITY_TOO_NOISY, "samples differ");
  return loop_own_share(&m, loop);
}

static void test_inner_is_taken_off(void) {
  CHECK_NEAR(own(0.9, 0.7, 0x70001), 0.2, 1e-12);
  CHECK_NEAR(own(0.9, 0.7, 0x70002), 0.7, 1e-12);
  CHECK_NEAR(own(0.5, 0.7, 0x70001), 0, 1e-12);
}

static void test_unknown(void) {
  CHECK(isnan(own(0.9, NAN, 0x70002)));
  CHECK(isnan(own(0.9, NAN, 0x70001)));
  CHECK(isnan(own(0.9, 0.7, 0x70009)));
}

/// Copies in several loops, merged: the loop around them has an unknown part of their time.
static void test_copies(void) {
  records[2] = (struct profile_loop){
      .id = 0x70003, .function = "f", .depth = 2, .flags = RETICLE_LOOP_OUTERS};
  CHECK(isnan(own(0.9, 0.7, 0x70001)));
  CHECK_NEAR(own(0.9, 0.7, 0x70003), 0.1, 1e-12);
  records[2].function = "g";
  CHECK_NEAR(own(0.9, 0.7, 0x70001), 0.2, 1e-12);
}

static void test_outer(void) {
  const struct measurement m = {.loops = loops, .loop_count = 3};
  CHECK_EQUAL(loop_own_outer(&m, 0x70002), 0x70001);
  CHECK_EQUAL(loop_own_outer(&m, 0x70001), 0);
  CHECK_EQUAL(loop_own_outer(&m, 0x70009), 0);
}

int main(void) {
  RUN(test_inner_is_taken_off);
  RUN(test_unknown);
  RUN(test_copies);
  RUN(test_outer);
  return unit_status();
}
