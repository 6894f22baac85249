// unit_topdown_visit.c - visits of one thread: nested, rotation of groups, full ring, wiped memory.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/feature/topdown/pmu_fake.h"
#include "runtime/probe/topdown.h"
#include "test/unit.h"

struct rrt_probe_control rrt_probe;

static struct rrt_pmu_fake_script script;
static struct rrt_pmu_fake fakes[3];
static struct rrt_topdown topdown;

static void make_counters(uint32_t groups, uint32_t counters) {
  static const uint64_t codes[] = {1, 2, 3, 4, 5, 6};
  const char *wrong = "", *text = "event 1 10\nevent 2 2\nevent 3 3\nevent 4 4\nevent 5 5\n";
  memset(&topdown, 0, sizeof(topdown));
  CHECK_EQUAL(rrt_pmu_fake_parse(text, &script, &wrong), 0);
  for (uint32_t g = 0; g < groups; g++)
    CHECK_EQUAL(rrt_pmu_fake_open(&script, codes, counters, 0, &fakes[g], &topdown.groups[g]), 0);
  topdown.group_count = groups;
  topdown.registers = RRT_PMU_COUNTERS_MOST;
  topdown.random = 12345;
  rrt_probe.topdown_turn_ticks = 100;
}

static void make(uint32_t groups) { make_counters(groups, 1); }

static const struct rrt_topdown_record *record(uint32_t i) {
  return &topdown.ring[i % RRT_TOPDOWN_RING];
}

static void visit(uint32_t index) {
  uint32_t place = rrt_topdown_take(&topdown);
  rrt_topdown_begin(&topdown, place, 1, 1);
  rrt_topdown_end(&topdown, place, index);
  rrt_topdown_give(&topdown, place);
}

/// What an inner visit counts is the outer one's, too.
static void test_nested(void) {
  make(1);
  uint32_t outer = rrt_topdown_take(&topdown);
  rrt_topdown_begin(&topdown, outer, 1, 1);
  visit(2);
  visit(2);
  rrt_topdown_end(&topdown, outer, 1);
  rrt_topdown_give(&topdown, outer);
  CHECK_EQUAL(topdown.ring_head, 3);
  CHECK_EQUAL(record(0)->index, 2);
  CHECK_EQUAL(record(0)->counts[0], 10);
  CHECK_EQUAL(record(2)->index, 1);
  CHECK_EQUAL(record(2)->status, RRT_PMU_READ);
  CHECK_EQUAL(record(2)->counts[0], 30);
  CHECK_EQUAL(topdown.taken, 0);
}

static void turn(uint64_t now) {
  topdown.group = rrt_topdown_choose(&topdown);
  topdown.turn++;
  topdown.due_ticks = now + rrt_probe.topdown_turn_ticks;
}

/// A group has its turn between visits; one that goes on is waited for, and then given up.
static void test_turns(void) {
  make(2);
  CHECK(rrt_topdown_is_due(&topdown, 0));
  topdown.due_ticks = 100;
  CHECK(!rrt_topdown_is_due(&topdown, 99));
  uint32_t outer = rrt_topdown_take(&topdown);
  rrt_topdown_begin(&topdown, outer, 1, 1);
  CHECK(!rrt_topdown_is_due(&topdown, 100));
  CHECK(!rrt_topdown_is_due(&topdown, 499));
  CHECK(rrt_topdown_is_due(&topdown, 500));
  turn(500);
  CHECK_EQUAL(topdown.group, 1); // always another one
  CHECK(!rrt_topdown_is_due(&topdown, 599));
  CHECK(rrt_topdown_is_due(&topdown, 600)); // the one given up no longer counts
  visit(2);
  rrt_topdown_end(&topdown, outer, 1);
  rrt_topdown_give(&topdown, outer);
  CHECK_EQUAL(record(0)->status, RRT_PMU_READ);
  CHECK_EQUAL(record(0)->group, 1);
  CHECK_EQUAL(record(1)->status, RRT_PMU_SWITCHED);
  CHECK_EQUAL(record(1)->group, 0);
  make(1); // nothing to change to
  CHECK(!rrt_topdown_is_due(&topdown, 1000000));
}

/// Each other group comes, about as often.
static void test_choice(void) {
  int times[3] = {0};
  make(3);
  for (int i = 0; i < 3000; i++) {
    uint32_t before = topdown.group;
    turn(0);
    CHECK(topdown.group != before && topdown.group < 3);
    times[topdown.group]++;
  }
  for (int g = 0; g < 3; g++)
    CHECK(times[g] > 850 && times[g] < 1150);
}

/// Short visits read a part each, all parts as often, none a counter beyond its part. A loop's
/// first visit reads the whole group, and so do the next fifteen behind a long one.
static void test_parts(void) {
  int times[6] = {0};
  make_counters(1, 6);
  topdown.registers = 2;
  for (int i = 0; i < 5000; i++) {
    uint32_t place = rrt_topdown_take(&topdown);
    rrt_topdown_begin(&topdown, place, 1, 1);
    rrt_topdown_end(&topdown, place, 1);
    rrt_topdown_give(&topdown, place);
    const struct rrt_topdown_record *r = record(topdown.ring_head - 1);
    CHECK_EQUAL(r->status, RRT_PMU_READ);
    CHECK(r->part >= 1 && r->part <= 5);
    CHECK_EQUAL(r->counts[0], 10);
    CHECK_EQUAL(r->counts[1], r->part < 5 ? r->part + 1u : 0);
    times[r->part]++;
    topdown.ring_tail = topdown.ring_head;
  }
  for (int part = 1; part <= 5; part++)
    CHECK(times[part] > 850 && times[part] < 1150);
  static const struct {
    uint64_t visits, duration;
    bool whole;
  } cases[] = {{0, 0, true}, {1, 2, true}, {15, 100, true}, {1, 1, false}, {16, 100, false}};
  for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
    uint32_t place = rrt_topdown_take(&topdown);
    rrt_topdown_begin(&topdown, place, cases[i].visits, cases[i].duration);
    rrt_topdown_end(&topdown, place, 1);
    rrt_topdown_give(&topdown, place);
    CHECK_EQUAL(record(topdown.ring_head - 1)->part == 0, cases[i].whole);
    CHECK_EQUAL(record(topdown.ring_head - 1)->counts[4] == 5, cases[i].whole);
  }
}

/// The registers of PERF_METRICS begin anew at each turn, also where there is no other group; not
/// within a visit.
static void test_metrics_turns(void) {
  make(1);
  topdown.groups[0].fields = 4;
  topdown.due_ticks = 100;
  CHECK(!rrt_topdown_is_due(&topdown, 99));
  CHECK(rrt_topdown_is_due(&topdown, 100));
  CHECK_EQUAL(rrt_topdown_choose(&topdown), 0);
  uint32_t place = rrt_topdown_take(&topdown);
  topdown.visits[place - 1].turn = topdown.turn;
  CHECK(!rrt_topdown_is_due(&topdown, 1000000));
  topdown.coarse = 8; // visits inside it go to waste
  CHECK(!rrt_topdown_is_due(&topdown, 499));
  CHECK(rrt_topdown_is_due(&topdown, 500));
}

static void test_full(void) {
  make(1);
  for (int i = 0; i < RRT_TOPDOWN_RING; i++) {
    CHECK_EQUAL(rrt_topdown_is_full(&topdown), i >= RRT_TOPDOWN_RING / 4 * 3);
    visit(1);
  }
  visit(1);
  CHECK_EQUAL(topdown.ring_head, RRT_TOPDOWN_RING);
  CHECK_EQUAL(topdown.lost, 1);
  topdown.ring_tail = topdown.ring_head;
  visit(1);
  CHECK_EQUAL(topdown.ring_head, RRT_TOPDOWN_RING + 1);
}

/// There are as many places as samples can be open; then a visit goes without.
static void test_places(void) {
  make(1);
  for (uint32_t i = 0; i < RRT_OPEN_MAX; i++)
    CHECK_EQUAL(rrt_topdown_take(&topdown), i + 1);
  CHECK_EQUAL(rrt_topdown_take(&topdown), 0);
  rrt_topdown_give(&topdown, 0);
  rrt_topdown_give(&topdown, 5);
  CHECK_EQUAL(rrt_topdown_take(&topdown), 5);
}

/// A forked child finds zeros: no page of its parent's is looked at.
static void test_wiped(void) {
  make(1);
  uint32_t place = rrt_topdown_take(&topdown);
  rrt_topdown_begin(&topdown, place, 1, 1);
  memset(&topdown, 0, sizeof(topdown));
  rrt_topdown_end(&topdown, place, 1);
  CHECK_EQUAL(topdown.ring_head, 0);
  CHECK_EQUAL(rrt_topdown_take(&topdown), 0);
}

int main(void) {
  RUN(test_nested);
  RUN(test_turns);
  RUN(test_choice);
  RUN(test_parts);
  RUN(test_metrics_turns);
  RUN(test_full);
  RUN(test_places);
  RUN(test_wiped);
  return unit_status();
}
