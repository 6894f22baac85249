// unit_bound_stall.c - what memory was measured to cost, laid on stall causes
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/unit.h"
#include "tools/analysis/bound/bound_stall.h"

static struct stall_tally of(struct stall_range memory, struct stall_range core) {
  struct stall_tally tally = {.time = 100};
  tally.groups[STALL_GROUP_MEMORY] = tally.causes[STALL_CAUSE_D_CACHE] =
      tally.causes[STALL_CAUSE_D_TLB] = memory;
  tally.groups[STALL_GROUP_CORE] = tally.causes[STALL_CAUSE_CHAIN] = core;
  return tally;
}

// The rest of the loop may have all of it, or none.
static void test_part(void) {
  const struct quantity memory = quantity_of(0.8, 0.7, 0.9);
  struct quantity all = bound_stall_of(memory, 200, 200);
  CHECK_NEAR(all.value, 160, 1e-9);
  CHECK_NEAR(all.low, 140, 1e-9);
  CHECK_NEAR(all.high, 180, 1e-9);
  struct quantity part = bound_stall_of(memory, 200, 150);
  CHECK_NEAR(part.value, 120, 1e-9);
  CHECK_NEAR(part.low, 90, 1e-9); // 140, of which the other 50 may have been
  CHECK_NEAR(part.high, 150, 1e-9);
  struct quantity small = bound_stall_of(memory, 200, 20);
  CHECK_NEAR(small.low, 0, 1e-9);
  CHECK_NEAR(small.high, 20, 1e-9);
  CHECK(bound_stall_of(memory, 200, 0).status != QUANTITY_OK);
  CHECK(bound_stall_of(quantity_none(QUANTITY_TOO_FEW, ""), 200, 100).status != QUANTITY_OK);
  // Samples that say more of the part than of the whole.
  CHECK_NEAR(bound_stall_of(memory, 100, 120).high, 90, 1e-9);
}

// Much: what isn't memory has the rest at most, and something of memory is known to have been
// there.
static void test_much(void) {
  struct stall_tally tally = of((struct stall_range){0, 83}, (struct stall_range){0, 60});
  bound_stall_narrow(quantity_of(80, 75, 90), &tally);
  CHECK_NEAR(tally.groups[STALL_GROUP_MEMORY].low, 75, 1e-9);
  CHECK_NEAR(tally.groups[STALL_GROUP_MEMORY].high, 83, 1e-9);
  CHECK_NEAR(tally.groups[STALL_GROUP_CORE].high, 25, 1e-9);
  CHECK_NEAR(tally.causes[STALL_CAUSE_CHAIN].high, 25, 1e-9);
  CHECK_NEAR(tally.causes[STALL_CAUSE_D_CACHE].low, 0, 1e-9); // or the TLB
}

// Next to nothing: it is ruled out, whatever seemed likely.
static void test_little(void) {
  struct stall_tally tally = of((struct stall_range){40, 90}, (struct stall_range){0, 60});
  bound_stall_narrow(quantity_of(1, 0, 4), &tally);
  CHECK_NEAR(tally.groups[STALL_GROUP_MEMORY].high, 4, 1e-9);
  CHECK_NEAR(tally.groups[STALL_GROUP_MEMORY].low, 1, 1e-9);
  CHECK_NEAR(tally.causes[STALL_CAUSE_D_CACHE].high, 4, 1e-9);
  CHECK_NEAR(tally.groups[STALL_GROUP_CORE].high, 60, 1e-9);
  CHECK_EQUAL(stall_cause_named(&tally), STALL_CAUSE_CHAIN);
}

// Measured as nothing, within a wide interval: what ruling out was sure of isn't sure any more.
static void test_wide(void) {
  struct stall_tally tally = of((struct stall_range){10, 60}, (struct stall_range){0, 20});
  bound_stall_narrow(quantity_of(0, 0, 29), &tally);
  CHECK_NEAR(tally.causes[STALL_CAUSE_D_CACHE].low, 0, 0);
  CHECK_NEAR(tally.causes[STALL_CAUSE_D_CACHE].high, 29, 1e-9);
  CHECK_NEAR(tally.groups[STALL_GROUP_MEMORY].low, 0, 0);
}

// One cause alone is left: it is that. Store forwarding isn't moved away.
static void test_one(void) {
  struct stall_tally tally = of((struct stall_range){0, 90}, (struct stall_range){0, 0});
  tally.causes[STALL_CAUSE_D_TLB].high = 0;
  bound_stall_narrow(quantity_of(80, 75, 85), &tally);
  CHECK_NEAR(tally.causes[STALL_CAUSE_D_CACHE].low, 75, 1e-9);
  tally = of((struct stall_range){0, 90}, (struct stall_range){0, 0});
  tally.causes[STALL_CAUSE_FORWARDING].high = 50;
  bound_stall_narrow(quantity_of(1, 0, 4), &tally);
  CHECK_NEAR(tally.causes[STALL_CAUSE_FORWARDING].high, 50, 1e-9);
  CHECK_NEAR(tally.groups[STALL_GROUP_MEMORY].high, 54, 1e-9);
}

// Nothing known changes nothing.
static void test_unknown(void) {
  struct stall_tally tally = of((struct stall_range){40, 90}, (struct stall_range){0, 60});
  bound_stall_narrow(quantity_none(QUANTITY_UNSUPPORTED, ""), &tally);
  CHECK_NEAR(tally.groups[STALL_GROUP_MEMORY].high, 90, 1e-9);
  CHECK_NEAR(tally.groups[STALL_GROUP_MEMORY].low, 40, 1e-9);
}

int main(void) {
  RUN(test_part);
  RUN(test_much);
  RUN(test_little);
  RUN(test_wide);
  RUN(test_one);
  RUN(test_unknown);
  return unit_status();
}
