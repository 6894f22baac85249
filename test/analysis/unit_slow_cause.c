// unit_slow_cause.c - lost time is attributed to what the kernel told of each execution.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/unit.h"
#include "tools/analysis/loop/slow_cause.h"

#include <math.h>
#include <string.h>

enum { COUNT = 80, USUAL_NS = 1000000 };

static const struct slow_known known = {.usual_ns = USUAL_NS, .fault_most_ns = INFINITY};
static const struct slow_known cheap_faults = {.usual_ns = USUAL_NS, .fault_most_ns = 1000};
static const struct slow_known nothing_known = {.fault_most_ns = INFINITY};

struct made {
  struct profile_fact facts[COUNT];
  const struct profile_fact *pointers[COUNT];
  struct slow_causes causes;
};

// Usual ones, with a little noise, all of them on a processor.
static void begin(struct made *made) {
  for (unsigned i = 0; i < COUNT; i++) {
    uint64_t ns = USUAL_NS + 1000 * (i * 7 % 11);
    made->facts[i] = (struct profile_fact){.at_ns = i,
                                           .duration_ns = ns,
                                           .work = 100,
                                           .stands = 1000,
                                           .cpu_ns = ns,
                                           .minor_faults = 2};
    made->pointers[i] = &made->facts[i];
  }
}

// Every fifth one: how much longer, of that on the processor, and the facts that go with it.
static struct profile_fact *slow(struct made *made, unsigned i, uint64_t longer, uint64_t cpu) {
  struct profile_fact *f = &made->facts[5 * i];
  f->duration_ns += longer;
  f->cpu_ns += cpu;
  return f;
}

static void find(struct made *made) {
  slow_causes_of(made->pointers, COUNT, &known, &made->causes);
  double sum = 0;
  for (int k = 0; !made->causes.gap && k < SLOW_CAUSES; k++) {
    const struct quantity *share = &made->causes.share[k];
    sum += share->value;
    CHECK(share->status == QUANTITY_OK && share->low <= share->value &&
          share->value <= share->high);
  }
  if (!made->causes.gap)
    CHECK_NEAR(sum, 1, 1e-9);
}

static void check_first(const struct made *made, enum slow_cause cause) {
  CHECK(!made->causes.gap);
  CHECK(made->causes.has_first);
  CHECK_TEXT(slow_cause_name(made->causes.order[0]), slow_cause_name(cause));
  CHECK(made->causes.share[cause].value > 0.9);
}

static void test_each(void) {
  struct made made;
  begin(&made);
  for (unsigned i = 0; i < 16; i++) // more trips, as much longer
    slow(&made, i, 10000 * i, 10000 * i)->work += i;
  find(&made);
  check_first(&made, SLOW_ITERATIONS);
  begin(&made);
  for (unsigned i = 0; i < 16; i++)
    slow(&made, i, 500 * 50 * i, 500 * 50 * i)->minor_faults += 50 * i;
  find(&made);
  check_first(&made, SLOW_PAGE_FAULTS);
  begin(&made);
  for (unsigned i = 0; i < 16; i++)
    slow(&made, i, 400000, 0)->runnable_ns = 399000;
  find(&made);
  check_first(&made, SLOW_WAITS_FOR_CPU);
  begin(&made);
  for (unsigned i = 0; i < 16; i++)
    slow(&made, i, 400000, 0)->waits = 1;
  find(&made);
  check_first(&made, SLOW_BLOCKED);
  begin(&made);
  for (unsigned i = 0; i < 16; i++)
    slow(&made, i, 400000, 0);
  find(&made);
  check_first(&made, SLOW_GAP);
  begin(&made);
  for (unsigned i = 0; i < 16; i++)
    slow(&made, i, 300000, 300000)->flags = RETICLE_SAMPLE_MIGRATED;
  find(&made);
  check_first(&made, SLOW_MIGRATION);
  begin(&made);
  for (unsigned i = 0; i < 16; i++) // waited for pages from a disk
    slow(&made, i, 400000, 0)->major_faults = slow(&made, i, 0, 0)->waits = 3;
  find(&made);
  check_first(&made, SLOW_PAGE_FAULTS);
}

// Half of the slow ones for one reason, half for another one of the same length.
static void test_mixed(void) {
  struct made made;
  begin(&made);
  for (unsigned i = 0; i < 16; i++)
    if (i % 2)
      slow(&made, i, 200000, 0)->runnable_ns = 200000;
    else
      slow(&made, i, 600000, 600000)->minor_faults += 1000;
  find(&made);
  CHECK_NEAR(made.causes.share[SLOW_PAGE_FAULTS].value, 0.75, 0.02);
  CHECK_NEAR(made.causes.share[SLOW_WAITS_FOR_CPU].value, 0.25, 0.02);
  CHECK_EQUAL(made.causes.order[0], SLOW_PAGE_FAULTS);
  CHECK_EQUAL(made.causes.order[SLOW_UNEXPLAINED], SLOW_UNEXPLAINED);
  // The same, where what they waited isn't known: switched out and never waited is preempted.
  for (unsigned i = 0; i < COUNT; i++)
    made.facts[i].runnable_ns = UINT64_MAX;
  for (unsigned i = 1; i < 16; i += 2)
    made.facts[5 * i].preemptions = 1;
  find(&made);
  CHECK_NEAR(made.causes.share[SLOW_WAITS_FOR_CPU].value, 0.25, 0.02);
  CHECK(made.causes.no_runnable);
}

// A cause that costs now much and now little has all of it; what others took longer stays
// unexplained.
static void test_uneven(void) {
  struct made made;
  begin(&made);
  for (unsigned i = 0; i < 16; i++) {
    uint64_t longer = 100000 + 1000000 * (i % 3);
    struct profile_fact *f = slow(&made, i, longer, longer);
    if (i < 12)
      f->flags = RETICLE_SAMPLE_MIGRATED;
  }
  find(&made);
  // 12 take 13.2 ms longer, 4 take 3.4 (i = 12 to 15: 0.1, 1.1, 2.1 and 0.1 ms).
  CHECK_NEAR(made.causes.share[SLOW_MIGRATION].value, 13.2 / 16.6, 0.02);
  CHECK_NEAR(made.causes.share[SLOW_UNEXPLAINED].value, 3.4 / 16.6, 0.02);
}

static void test_nothing(void) {
  struct made made;
  begin(&made);
  find(&made);
  CHECK(made.causes.gap != NULL && !made.causes.has_first); // nothing was lost
  begin(&made);
  for (unsigned i = 0; i < 16; i++) // longer, and no fact goes with it
    slow(&made, i, 300000, 300000);
  find(&made);
  CHECK(!made.causes.gap && !made.causes.has_first);
  CHECK_NEAR(made.causes.share[SLOW_UNEXPLAINED].value, 1, 0.01);
  slow_causes_of(made.pointers, 5, &known, &made.causes);
  CHECK(made.causes.gap != NULL);
  slow_causes_of(made.pointers, 0, &nothing_known, &made.causes);
  CHECK(made.causes.gap != NULL && made.causes.slowest_count == 0);
}

// Of the slow executions that all samples show, next to none had the kernel asked.
static void test_not_asked(void) {
  struct made made;
  begin(&made);
  for (unsigned i = 0; i < 16; i++)
    slow(&made, i, 100000, 100000);
  const struct slow_known of_all = {
      .usual_ns = USUAL_NS, .lost_ns = 60000, .fault_most_ns = INFINITY};
  slow_causes_of(made.pointers, COUNT, &of_all, &made.causes);
  CHECK(made.causes.gap && strstr(made.causes.gap, "wasn't asked"));
  const struct slow_known as_these = {
      .usual_ns = USUAL_NS, .lost_ns = 20000, .fault_most_ns = INFINITY};
  slow_causes_of(made.pointers, COUNT, &as_these, &made.causes);
  CHECK(!made.causes.gap);
}

// One usual execution is kept for many, and by chance for more than there were.
static void test_stands_for_too_many(void) {
  struct made made;
  begin(&made);
  for (unsigned i = 0; i < 16; i++)
    slow(&made, i, 100000, 100000);
  made.facts[COUNT - 1].stands = UINT64_C(3000) * COUNT;
  struct slow_known as_these = {.usual_ns = USUAL_NS, .lost_ns = 20000, .fault_most_ns = INFINITY};
  slow_causes_of(made.pointers, COUNT, &as_these, &made.causes);
  CHECK(made.causes.gap != NULL);
  as_these.executions = COUNT;
  slow_causes_of(made.pointers, COUNT, &as_these, &made.causes);
  CHECK(!made.causes.gap);
}

// Where half of the executions are slow, the one in the middle is no usual one.
static void test_usual(void) {
  struct loop_stats stats = {.p25_ns = quantity_of(2, 2, 2), .p50_ns = quantity_of(6, 2, 6)};
  stats.slow_share = quantity_none(QUANTITY_TOO_FEW, "");
  CHECK_NEAR(slow_usual_ns(&stats), 6, 1e-9);
  stats.slow_share = quantity_of(0.3, 0.2, 0.4);
  CHECK_NEAR(slow_usual_ns(&stats), 6, 1e-9);
  stats.slow_share = quantity_of(0.5, 0.45, 0.55);
  CHECK_NEAR(slow_usual_ns(&stats), 2, 1e-9);
  stats.p25_ns = stats.slow_share = quantity_none(QUANTITY_TOO_FEW, "");
  stats.p50_ns = stats.p25_ns;
  CHECK_NEAR(slow_usual_ns(&stats), 0, 1e-9);
}

// What is kept beside the choice is shown, and stands for nothing; a file may hold anything.
static void test_slowest(void) {
  struct made made;
  begin(&made);
  for (unsigned i = 0; i < 16; i++)
    slow(&made, i, 300000, 300000)->work += 30;
  made.facts[3].duration_ns = 90000000;
  made.facts[3].stands = 0;
  find(&made);
  check_first(&made, SLOW_ITERATIONS);
  CHECK_EQUAL(made.causes.slowest_count, SLOW_SHOWN);
  CHECK(made.causes.slowest[0] == &made.facts[3]);
  CHECK(made.causes.slowest[1]->duration_ns >= made.causes.slowest[2]->duration_ns);
  for (unsigned i = 0; i < COUNT; i++)
    made.facts[i] = (struct profile_fact){.duration_ns = i % 2 ? UINT64_MAX : 0,
                                          .stands = UINT64_MAX,
                                          .work = UINT64_MAX - 1,
                                          .cpu_ns = UINT64_MAX,
                                          .minor_faults = UINT32_MAX * (i % 3)};
  slow_causes_of(made.pointers, COUNT, &nothing_known, &made.causes);
}

// Long executions touch more pages, too: faults take no more than they can.
static void test_faults_at_most(void) {
  struct made made;
  begin(&made);
  for (unsigned i = 0; i < 16; i++)
    slow(&made, i, 100000 * i, 100000 * i)->minor_faults += i;
  find(&made);
  check_first(&made, SLOW_PAGE_FAULTS);
  slow_causes_of(made.pointers, COUNT, &cheap_faults, &made.causes);
  CHECK_NEAR(made.causes.share[SLOW_PAGE_FAULTS].value, 0.01, 0.002);
  CHECK(made.causes.share[SLOW_UNEXPLAINED].value > 0.9 && !made.causes.has_first);
  for (unsigned i = 0; i < 16; i++) // what they leave may go with iterations
    made.facts[5 * i].work += i;
  slow_causes_of(made.pointers, COUNT, &cheap_faults, &made.causes);
  check_first(&made, SLOW_ITERATIONS);
}

// Work that the program told; executions without are as the usual one.
static void test_tags(void) {
  struct made made;
  begin(&made);
  for (unsigned i = 0; i < COUNT; i++)
    made.facts[i].flags |= RETICLE_SAMPLE_TAGGED;
  for (unsigned i = 0; i < 16; i++)
    slow(&made, i, 10000 * i, 10000 * i)->work += i;
  made.facts[1].work = RETICLE_WORK_UNKNOWN;
  made.facts[1].flags = 0;
  find(&made);
  check_first(&made, SLOW_TAG);
}

// Slow ones while the clock is at four fifths.
static void test_clock(void) {
  struct control_clock clock[COUNT];
  struct made made;
  begin(&made);
  for (unsigned i = 0; i < COUNT; i++) {
    bool is_slow = i % 16 >= 9; // several chains around it tell the same
    clock[i] = (struct control_clock){.when = 10 * i, .ratio = is_slow ? 1.25 : 1};
    made.facts[i].when = 10 * i;
    if (i % 16 == 12)
      made.facts[i].cpu_ns = made.facts[i].duration_ns = 5 * made.facts[i].duration_ns / 4;
  }
  struct control control = {.clock = clock, .clock_count = COUNT};
  const struct slow_known with_clock = {
      .usual_ns = USUAL_NS, .fault_most_ns = INFINITY, .control = &control};
  slow_causes_of(made.pointers, COUNT, &with_clock, &made.causes);
  check_first(&made, SLOW_CLOCK);
  slow_causes_of(made.pointers, COUNT, &known, &made.causes);
  CHECK(made.causes.share[SLOW_CLOCK].value == 0 && !made.causes.has_first);
}

int main(void) {
  RUN(test_clock);
  RUN(test_faults_at_most);
  RUN(test_tags);
  RUN(test_each);
  RUN(test_mixed);
  RUN(test_uneven);
  RUN(test_nothing);
  RUN(test_not_asked);
  RUN(test_usual);
  RUN(test_stands_for_too_many);
  RUN(test_slowest);
  return unit_status();
}
