// unit_bound_cost.c - what memory costs a loop, from times of its copies
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/unit.h"
#include "tools/analysis/bound/bound_cost.h"

enum { LOOP = 5 };

static struct profile_boundtime rows[512];
static struct profile_bound bound;
static struct profile profile;

static void begin(uint32_t reason) {
  bound = (struct profile_bound){.id = LOOP, .reason = reason};
  profile = (struct profile){
      .bounds = &bound, .bound_count = 1, .boundtimes = rows, .env = {.timer_hz = 1000000000}};
}

/// One child: the first run took `cold`, two more `warm`; 0: it didn't run again.
static void add(uint32_t entry, uint32_t form, uint64_t cold, uint64_t warm) {
  for (uint32_t run = 0; run < (warm ? 3 : 1); run++)
    rows[profile.boundtime_count++] = (struct profile_boundtime){
        .id = LOOP, .entry = entry, .form = form, .run = run, .ticks = run ? warm : cold};
}

static void add_entry(uint32_t entry, uint64_t as_is, uint64_t replayed, uint64_t first) {
  add(entry, RETICLE_BOUND_AS_IS, as_is * 3 / 2, as_is);
  add(entry, RETICLE_BOUND_REPLAYED, replayed * 3 / 2, replayed);
  add(entry, RETICLE_BOUND_FIRST, first * 3 / 2, first);
}

// The copy is compared with itself; the interval has the loop as it is, too.
static void test_memory(void) {
  begin(RETICLE_BOUND_DONE);
  add_entry(0, 100000, 110000, 10000);
  add_entry(1, 100000, 120000, 12000);
  add_entry(2, 100000, 100000, 11000);
  struct bound_cost cost = bound_cost_of(&profile, LOOP, 100000);
  CHECK(!cost.reason);
  CHECK_EQUAL(cost.entries, 3);
  CHECK_NEAR(cost.memory.value, 0.9, 1e-9);
  // Of so few, 4.3 standard errors of the mean of 1 - 10/110, 0.9 and 0.89.
  CHECK_NEAR(cost.memory.low, 0.9 - 0.0237, 0.0001);
  CHECK_NEAR(cost.memory.high, 0.9 + 0.0237, 0.0001);
  CHECK_NEAR(cost.as_is_ns.value, 100000, 1e-6);
  CHECK_EQUAL(cost.loads.status, QUANTITY_TOO_FEW);
}

// One execution tells nothing of others, but that they can't wait for more than there is.
static void test_one(void) {
  begin(RETICLE_BOUND_DONE);
  add_entry(0, 100000, 100000, 30000);
  struct bound_cost cost = bound_cost_of(&profile, LOOP, 100000);
  CHECK_NEAR(cost.memory.value, 0.7, 1e-9);
  CHECK_NEAR(cost.memory.low, 0, 0);
  CHECK_NEAR(cost.memory.high, 0.8, 1e-9); // the first one took 150000
  for (uint32_t i = 1; i < 6; i++)
    add_entry(i, 100000, 100000, 30000);
  CHECK_NEAR(bound_cost_of(&profile, LOOP, 100000).memory.low, 0.7, 1e-9);
}

// One that was disturbed changes nothing; of many entries the interval is that of their median.
static void test_disturbed(void) {
  begin(RETICLE_BOUND_DONE);
  for (uint32_t i = 0; i < 16; i++)
    add_entry(i, 100000, 100000, i == 3 ? 95000 : 10000 + 100 * i);
  struct bound_cost cost = bound_cost_of(&profile, LOOP, NAN);
  CHECK_NEAR(cost.memory.value, 0.8925, 0.001);
  CHECK_NEAR(cost.memory.low, 0.888, 0.002);
}

// Branches that are known early in the copy: what goes with memory is a part of the loop's own
// time. Without such branches a faster copy is chance.
static void test_branches(void) {
  begin(RETICLE_BOUND_DONE);
  for (uint32_t i = 0; i < 6; i++)
    add_entry(i, 100000, 50000, 40000);
  CHECK_NEAR(bound_cost_of(&profile, LOOP, NAN).memory.value, 0.2, 1e-9);
  for (size_t i = 0; i < profile.boundtime_count; i++)
    rows[i].flags = RETICLE_BOUND_DECIDES;
  struct bound_cost cost = bound_cost_of(&profile, LOOP, 100000);
  CHECK_NEAR(cost.memory.value, 0.1, 1e-9);
  CHECK_NEAR(cost.memory.low, 0.1, 1e-9);
  CHECK_NEAR(cost.memory.high, 0.2, 1e-9);
}

// A long execution is most of the loop's time.
static void test_varied(void) {
  begin(RETICLE_BOUND_DONE);
  add_entry(0, 900000, 900000, 90000);
  for (uint32_t i = 1; i < 4; i++)
    add_entry(i, 33333, 33333, 33333);
  struct bound_cost cost = bound_cost_of(&profile, LOOP, NAN);
  CHECK_NEAR(cost.memory.value, 0.9, 1e-9);
  CHECK_NEAR(cost.memory.low, 0, 0); // it is one alone
}

// Caches as the program leaves them are between those of a child that ran before and those behind a
// fork: how long an execution takes in the program tells where.
static void test_place(void) {
  begin(RETICLE_BOUND_DONE);
  add(0, RETICLE_BOUND_AS_IS, 400000, 100000);
  add(0, RETICLE_BOUND_REPLAYED, 400000, 100000);
  add(0, RETICLE_BOUND_FIRST, 60000, 50000);
  CHECK_NEAR(bound_cost_of(&profile, LOOP, 200000).memory.value, 0.75, 1e-9);
  CHECK_NEAR(bound_cost_of(&profile, LOOP, 90000).memory.value, 0.5, 1e-9);
  CHECK_NEAR(bound_cost_of(&profile, LOOP, 900000).memory.value, 0.875, 1e-9);
  CHECK(bound_cost_of(&profile, LOOP, 1300000).reason);
  CHECK(bound_cost_of(&profile, LOOP, 30000).reason);
  struct bound_cost unknown = bound_cost_of(&profile, LOOP, NAN);
  CHECK_NEAR(unknown.memory.value, 0.5, 1e-9);
  CHECK_NEAR(unknown.memory.high, 0.875, 1e-9);
}

// A processor that learns the branches from run to run, beginning anew in each child: what a run
// takes more in the program than a late one isn't memory, as a copy without misses takes it, too.
static void test_learned(void) {
  static const uint32_t forms[] = {RETICLE_BOUND_AS_IS, RETICLE_BOUND_REPLAYED,
                                   RETICLE_BOUND_FIRST};
  static const uint64_t ticks[] = {210000, 175000, 120000, 85000, 65000, 56000, 53000, 52000};
  begin(RETICLE_BOUND_DONE);
  for (uint32_t entry = 0; entry < 6; entry++)
    for (uint32_t form = 0; form < 3; form++)
      for (uint32_t run = 0; run < 8; run++)
        rows[profile.boundtime_count++] =
            (struct profile_boundtime){.id = LOOP,
                                       .entry = entry,
                                       .form = forms[form],
                                       .run = run,
                                       .ticks = ticks[run],
                                       .flags = RETICLE_BOUND_DECIDES};
  struct bound_cost cost = bound_cost_of(&profile, LOOP, 175000);
  CHECK(cost.memory.value < 0.2); // its second run isn't as slow as the program's
  CHECK_NEAR(cost.memory.low, 0, 0);
  CHECK(cost.memory.high < 0.2);
}

// A loop of 16 KB of random bytes that is learned within a few runs, and whose copies aren't
// (LLVM 22, AMD Zen 3): what the loop takes longer in the program is no memory either.
static void test_learned_alone(void) {
  static const uint64_t as_is[] = {90000, 82000, 62000, 49000, 39000, 32000, 28000, 26000};
  static const uint64_t copy[] = {102000, 86000, 81000, 79000, 78000, 77000, 76000, 76000};
  begin(RETICLE_BOUND_DONE);
  for (uint32_t entry = 0; entry < 8; entry++)
    for (uint32_t form = RETICLE_BOUND_AS_IS; form <= RETICLE_BOUND_FIRST; form++)
      for (uint32_t run = 0; run < 8; run++)
        rows[profile.boundtime_count++] = (struct profile_boundtime){
            .id = LOOP,
            .entry = entry,
            .form = form,
            .run = run,
            .ticks = form == RETICLE_BOUND_AS_IS ? as_is[run] : copy[run],
            .flags = RETICLE_BOUND_DECIDES};
  struct bound_cost cost = bound_cost_of(&profile, LOOP, 86500);
  CHECK_NEAR(cost.memory.value, 0, 0.01);
  CHECK_NEAR(cost.memory.low, 0, 0);
  CHECK(cost.memory.high < 0.2);
}

// A copy that takes longer costs nothing, and not less.
static void test_none(void) {
  begin(RETICLE_BOUND_DONE);
  add_entry(0, 100000, 104000, 110000);
  struct bound_cost cost = bound_cost_of(&profile, LOOP, NAN);
  CHECK_NEAR(cost.memory.value, 0, 0);
  CHECK_NEAR(cost.memory.low, 0, 0);
  CHECK_NEAR(cost.memory.high, 1 - 110. / 150, 1e-9);
}

// Divisions of other values take longer: nothing is told of memory.
static void test_values(void) {
  begin(RETICLE_BOUND_DONE);
  for (uint32_t i = 0; i < 6; i++)
    add_entry(i, 38000, 40000, 120000);
  CHECK_TEXT(bound_cost_of(&profile, LOOP, 38000).reason,
             "its work depends on values, which are others in a moved copy");
}

// What ran once a child is compared by its moved copy; behind the fork it took longer.
static void test_changes(void) {
  begin(RETICLE_BOUND_DONE);
  add(0, RETICLE_BOUND_AS_IS, 100000, 0);
  add(0, RETICLE_BOUND_REPLAYED, 90000, 80000);
  add(0, RETICLE_BOUND_FIRST, 45000, 40000);
  struct bound_cost cost = bound_cost_of(&profile, LOOP, NAN);
  CHECK(cost.is_changing);
  CHECK_NEAR(cost.memory.value, 0.5, 1e-9);
  CHECK_NEAR(cost.memory.high, 0.6, 1e-9);
  CHECK_NEAR(bound_cost_of(&profile, LOOP, 90000).memory.value, 1 - 4. / 9, 1e-9);
}

// Store forwarding: loads alone gain more than all together. It may be memory, and isn't told to
// be.
static void test_forwarding(void) {
  begin(RETICLE_BOUND_DONE);
  add_entry(0, 100000, 100000, 99000);
  add(0, RETICLE_BOUND_LOADS, 40000, 30000);
  struct bound_cost cost = bound_cost_of(&profile, LOOP, 100000);
  CHECK_NEAR(cost.memory.value, 0.01, 1e-9);
  CHECK_NEAR(cost.memory.high, 0.7, 1e-9);
  CHECK_NEAR(cost.loads.value, 0.7, 1e-9);
}

static void test_reasons(void) {
  begin(RETICLE_BOUND_CALLS);
  CHECK_TEXT(bound_cost_of(&profile, LOOP, NAN).reason, "it calls functions");
  begin(RETICLE_BOUND_DONE);
  CHECK_TEXT(bound_cost_of(&profile, LOOP, NAN).reason, "no copy of it came to its end");
  begin(RETICLE_BOUND_DONE);
  rows[profile.boundtime_count++] = (struct profile_boundtime){
      .id = LOOP, .form = RETICLE_BOUND_FORMS + 7, .entry = 1u << 31, .ticks = 7};
  CHECK(bound_cost_of(&profile, LOOP, NAN).reason); // a hostile file
  for (uint32_t reason = 1; reason <= RETICLE_BOUND_FAULTS; reason++)
    CHECK(bound_reason(reason));
}

int main(void) {
  RUN(test_memory);
  RUN(test_one);
  RUN(test_disturbed);
  RUN(test_branches);
  RUN(test_varied);
  RUN(test_place);
  RUN(test_learned);
  RUN(test_learned_alone);
  RUN(test_none);
  RUN(test_values);
  RUN(test_changes);
  RUN(test_forwarding);
  RUN(test_reasons);
  return unit_status();
}
