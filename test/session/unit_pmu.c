// unit_pmu.c - reading groups of counters through the kernel's pages, from a scripted PMU.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/feature/topdown/pmu_fake.h"
#include "runtime/probe/pmu.h"
#include "test/session/pmu_totals.h"
#include "test/unit.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stddef.h>

/// The layout of the page is the kernel's.
static void test_page(void) {
#define SAME(member)                                                                               \
  CHECK_EQUAL(offsetof(struct rrt_pmu_page, member), offsetof(struct perf_event_mmap_page, member))
  SAME(lock);
  SAME(index);
  SAME(offset);
  SAME(time_enabled);
  SAME(time_running);
  SAME(capabilities);
  SAME(pmc_width);
  struct perf_event_mmap_page page = {.cap_user_rdpmc = 1};
  CHECK_EQUAL(page.capabilities, RRT_PMU_CAN_READ);
}

static struct rrt_pmu_fake_script script;
static struct rrt_pmu_fake fake;
static struct rrt_pmu_group group;

static struct rrt_pmu_totals run_part(const char *text, const uint64_t *codes, uint32_t count,
                                      uint32_t fields, struct rrt_pmu_part part, int visits) {
  const char *wrong = "";
  struct rrt_pmu_totals totals = {0};
  uint32_t line = rrt_pmu_fake_parse(text, &script, &wrong);
  if (line)
    UNIT_FAIL("line %u: %s", line, wrong);
  CHECK_EQUAL(rrt_pmu_fake_open(&script, codes, count, fields, &fake, &group), 0);
  for (int i = 0; i < visits; i++) {
    struct rrt_pmu_reading begin, end;
    rrt_pmu_read(&group, part, 0, &begin);
    rrt_pmu_read(&group, part, 1, &end);
    add_visit(&totals, &group, part, &begin, &end);
  }
  return totals;
}

/// Runs visits of a group of events 1 and 2.
static struct rrt_pmu_totals run(const char *text, int visits) {
  static const uint64_t codes[] = {1, 2};
  return run_part(text, codes, 2, 0, (struct rrt_pmu_part){1, 1}, visits);
}

static uint64_t all_dropped(const struct rrt_pmu_totals *totals) {
  uint64_t sum = 0;
  for (int i = 0; i < RRT_PMU_STATUSES; i++)
    sum += totals->dropped[i];
  return sum;
}

static void test_counts(void) {
  struct rrt_pmu_totals totals = run("event 1 100 200 300 # cycles\nevent 0x2 7\n", 5);
  CHECK_EQUAL(totals.visits, 5);
  CHECK_EQUAL(totals.counts[0], 100 + 200 + 3 * 300);
  CHECK_EQUAL(totals.counts[1], 5 * 7);
  CHECK_EQUAL(all_dropped(&totals), 0);
}

/// A register of 48 bits that starts 100 below its end, as the kernel starts it: it reads -100.
static void test_wrap(void) {
  struct rrt_pmu_totals totals = run("event 1 300\nstart 1 0xffffffffff9c\nevent 2 1\n", 1);
  CHECK_EQUAL(totals.visits, 1);
  CHECK_EQUAL(totals.counts[0], 300);
  totals = run("width 32\nevent 1 300\nstart 1 0xffffff9c\n", 4);
  CHECK_EQUAL(totals.counts[0], 1200);
  totals = run("width 64\nevent 1 300\nstart 1 0xffffffffffffff9c\n", 1);
  CHECK_EQUAL(totals.counts[0], 300);
  // From the lowest value that the kernel may set.
  totals = run("event 1 5\nstart 1 0x800000000000\n", 2);
  CHECK_EQUAL(totals.counts[0], 10);
}

/// Bits above the register's are not its own.
static void test_width(void) {
  run("width 40\nevent 1 5\n", 0);
  fake.registers[0] = UINT64_C(0xab00000000000005);
  struct rrt_pmu_reading reading;
  rrt_pmu_read(&group, (struct rrt_pmu_part){1, 1}, 0, &reading);
  CHECK_EQUAL(reading.counts[0], 5);
}

static void test_unscheduled(void) {
  struct rrt_pmu_totals totals = run("event 1 10\nvisit 2 unscheduled\n", 4);
  CHECK_EQUAL(totals.visits, 3);
  CHECK_EQUAL(totals.dropped[RRT_PMU_NOT_SCHEDULED], 1);
  CHECK_EQUAL(totals.counts[0], 30);
  // A group that needs a register more than there are, as where the NMI watchdog has one.
  totals = run("counters 1\nevent 1 10\n", 3);
  CHECK_EQUAL(totals.visits, 0);
  CHECK_EQUAL(totals.dropped[RRT_PMU_NOT_SCHEDULED], 3);
  CHECK_EQUAL(totals.counts[0], 0);
}

/// A thread that moves keeps its counts: the page says what the old register had.
static void test_moved(void) {
  struct rrt_pmu_totals totals =
      run("event 1 10\nstart 1 0xfffffffffff0\nevent 2 4\nvisit 2 moved\nvisit 3 moved\n", 5);
  CHECK_EQUAL(totals.visits, 5);
  CHECK_EQUAL(totals.counts[0], 50);
  CHECK_EQUAL(totals.counts[1], 20);
}

/// The page changes between its index and the register: what was read is another counter's.
static void test_interrupted(void) {
  struct rrt_pmu_totals totals = run("event 1 10\nevent 2 4\nvisit 1 interrupted\n", 3);
  CHECK_EQUAL(totals.visits, 3);
  CHECK_EQUAL(totals.counts[0], 30);
  CHECK_EQUAL(totals.counts[1], 12);
  totals = run("event 1 10\nvisit 2 restless\n", 3);
  CHECK_EQUAL(totals.visits, 2);
  CHECK_EQUAL(totals.dropped[RRT_PMU_RESTLESS], 1);
  CHECK_EQUAL(totals.counts[0], 20);
}

/// A page that the kernel is writing is never read.
static void test_odd_lock(void) {
  run("event 1 10\n", 0);
  fake.pages[1].lock = 3;
  struct rrt_pmu_reading reading;
  rrt_pmu_read(&group, (struct rrt_pmu_part){1, 1}, 0, &reading);
  CHECK_EQUAL(reading.status, RRT_PMU_RESTLESS);
}

/// Others had the registers for a part: the counts are nothing, not multiplied up.
static void test_shared(void) {
  struct rrt_pmu_totals totals = run("event 1 10\nvisit 2 shared\n", 4);
  CHECK_EQUAL(totals.visits, 3);
  CHECK_EQUAL(totals.dropped[RRT_PMU_PARTLY], 1);
  CHECK_EQUAL(totals.counts[0], 30);
}

static void test_backwards(void) {
  struct rrt_pmu_totals totals = run("event 1 10\nstart 1 1000\nvisit 2 backwards\n", 3);
  CHECK_EQUAL(totals.visits, 2);
  CHECK_EQUAL(totals.dropped[RRT_PMU_BACKWARDS], 1);
  CHECK_EQUAL(totals.counts[0], 20);
}

/// The parts of a group have its clock each, and all other counters once.
static void test_parts(void) {
  for (uint32_t counters = 1; counters <= RRT_PMU_COUNTERS_MOST; counters++)
    for (uint32_t registers = 2; registers <= RRT_PMU_COUNTERS_MOST; registers++) {
      uint32_t next = 1, parts = rrt_pmu_parts(counters, registers);
      if (counters <= registers) {
        CHECK_EQUAL(parts, 1);
        continue;
      }
      for (uint32_t p = 1; p <= parts; p++) {
        struct rrt_pmu_part part = rrt_pmu_part(counters, registers, p);
        CHECK_EQUAL(part.first, next);
        CHECK(part.count >= 1 && 1 + part.count <= registers);
        next += part.count;
      }
      CHECK_EQUAL(next, counters);
      CHECK_EQUAL(rrt_pmu_part(counters, registers, 0).count, counters - 1);
    }
}

/// A visit that reads a part has nothing to do with the other counters, not even with those that
/// would drop it.
static void test_part(void) {
  static const uint64_t codes[] = {1, 2, 3, 4};
  struct rrt_pmu_totals totals = run_part("event 1 100\nevent 2 2\nevent 3 3\nevent 4 4\n", codes,
                                          4, 0, (struct rrt_pmu_part){2, 2}, 5);
  CHECK_EQUAL(totals.visits, 5);
  CHECK_EQUAL(totals.counts[0], 500);
  CHECK_EQUAL(totals.counts[1], 15);
  CHECK_EQUAL(totals.counts[2], 20);
  CHECK_EQUAL(totals.counts[3], 0);
  struct rrt_pmu_reading reading;
  fake.pages[1].capabilities = 0;
  rrt_pmu_read(&group, (struct rrt_pmu_part){2, 2}, 0, &reading);
  CHECK_EQUAL(reading.status, RRT_PMU_READ);
  rrt_pmu_read(&group, (struct rrt_pmu_part){1, 1}, 0, &reading);
  CHECK_EQUAL(reading.status, RRT_PMU_NOT_READABLE);
}

static const uint64_t metrics_codes[] = {0x400, 0x8000, 0x8100, 0x8200, 0x8300, 9};
static const char metrics_script[] =
    "event 0x400 60000\nevent 0x8000 15000\nevent 0x8100 3000\nevent 0x8200 6000\n"
    "event 0x8300 36000\nevent 9 77\n";
static const struct rrt_pmu_part metrics_whole = {1, 2};

/// PERF_METRICS says shares of all slots since it began: a visit's are the difference.
static void test_metrics(void) {
  struct rrt_pmu_totals totals = run_part(metrics_script, metrics_codes, 6, 4, metrics_whole, 1);
  CHECK_EQUAL(totals.visits, 1);
  CHECK_EQUAL(totals.counts[0], 60000);
  CHECK(labs((long)totals.counts[1] - 15000) <= 60000 / 255);
  CHECK(labs((long)totals.counts[4] - 36000) <= 60000 / 255);
  CHECK_EQUAL(totals.counts[5], 77);
  CHECK(totals.counts[1] + totals.counts[2] + totals.counts[3] + totals.counts[4] <= 60240);
}

/// The longer the registers have counted, the coarser is what they say of a visit: from a fifth of
/// that time on it counts.
static void test_coarse(void) {
  struct rrt_pmu_totals totals = run_part(metrics_script, metrics_codes, 6, 4, metrics_whole, 9);
  CHECK_EQUAL(totals.visits, 5);
  CHECK_EQUAL(totals.dropped[RRT_PMU_COARSE], 4);
  CHECK(labs((long)totals.counts[4] - 5 * 36000) <= 5 * 60000 / 255);
  rrt_pmu_fake_reset(&fake);
  struct rrt_pmu_reading begin, end;
  rrt_pmu_read(&group, metrics_whole, 0, &begin);
  rrt_pmu_read(&group, metrics_whole, 1, &end);
  CHECK_EQUAL(rrt_pmu_judge(&group, metrics_whole, &begin, &end), RRT_PMU_READ);
}

/// Between two readings after months 51 times the slots are more than 64 bits hold.
static void test_metrics_of_months(void) {
  const struct rrt_pmu_group metrics = {.fields = 4};
  const struct rrt_pmu_part part = {.first = 1, .count = 1};
  const uint64_t before = UINT64_MAX / 51 / 255 * 255,
                 more = 255000; // shares: 51, 102, 0 and 102 of 255
  const struct rrt_pmu_reading begin = {.counts = {before, 0x66006633}},
                               end = {.counts = {before + more, 0x66006633}};
  uint64_t counts[RRT_PMU_COUNTERS_MOST];
  CHECK_EQUAL(rrt_pmu_counts(&metrics, part, &begin, &end, counts), 5);
  CHECK_EQUAL(counts[0], more);
  CHECK_EQUAL(counts[1], more / 5);
  CHECK_EQUAL(counts[2], more / 5 * 2);
  CHECK_EQUAL(counts[3], 0);
  CHECK_EQUAL(counts[4], more / 5 * 2);
}

/// The kernel keeps both registers when it moves the thread. If they begin anew within a visit it
/// says nothing.
static void test_metrics_moved(void) {
  char text[512];
  snprintf(text, sizeof text, "%svisit 2 moved\nvisit 3 backwards\n", metrics_script);
  struct rrt_pmu_totals totals = run_part(text, metrics_codes, 6, 4, metrics_whole, 3);
  CHECK_EQUAL(totals.visits, 2);
  CHECK_EQUAL(totals.dropped[RRT_PMU_BACKWARDS], 1);
  CHECK_EQUAL(totals.counts[0], 120000);
  CHECK(labs((long)totals.counts[4] - 72000) <= 2 * 60000 / 255);
  totals =
      run_part("event 0x400 60000\nvisit 1 unscheduled\n", metrics_codes, 6, 4, metrics_whole, 2);
  CHECK_EQUAL(totals.dropped[RRT_PMU_NOT_SCHEDULED], 1);
}

static void test_not_readable(void) {
  struct rrt_pmu_reading reading;
  run("event 1 10\n", 0);
  fake.pages[0].capabilities = 0;
  rrt_pmu_read(&group, (struct rrt_pmu_part){1, 1}, 0, &reading);
  CHECK_EQUAL(reading.status, RRT_PMU_NOT_READABLE);
  run("event 1 10\n", 0);
  fake.pages[0].index = 33; // no such register
  rrt_pmu_read(&group, (struct rrt_pmu_part){1, 1}, 0, &reading);
  CHECK_EQUAL(reading.status, RRT_PMU_NOT_READABLE);
}

static void test_open(void) {
  static const struct {
    const char *text;
    int error;
  } cases[] = {{"open ENOENT\n", ENOENT},
               {"open EACCES", EACCES},
               {"open EPERM", EPERM},
               {"open EBUSY", EBUSY},
               {"", 0}};
  const uint64_t codes[] = {1};
  const char *wrong;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    CHECK_EQUAL(rrt_pmu_fake_parse(cases[i].text, &script, &wrong), 0);
    CHECK_EQUAL(rrt_pmu_fake_open(&script, codes, 1, 0, &fake, &group), cases[i].error);
  }
  CHECK_EQUAL(rrt_pmu_fake_open(&script, codes, RRT_PMU_COUNTERS_MOST + 1, 0, &fake, &group),
              EINVAL);
}

static void test_wrong_scripts(void) {
  static const struct {
    const char *text;
    uint32_t line;
    const char *part;
  } cases[] = {{"nonsense", 1, "no statement"},
               {"# fine\n\nopen\n", 3, "ENOENT, EACCES"},
               {"open ENOENTX", 1, "ENOENT, EACCES"},
               {"width 4", 1, "8 to 64"},
               {"width 65", 1, "8 to 64"},
               {"width", 1, "number is missing"},
               {"counters 13", 1, "0 to 12"},
               {"counters 99999999999999999999999", 1, ""},
               {"registers 1", 1, "2 to 12"},
               {"event 1", 1, "number is missing"},
               {"event 1 x", 1, "number is missing"},
               {"event 1 2\nevent 1 3", 2, "already"},
               {"event 1 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17", 1, "more than 16"},
               {"visit 0 moved", 1, "from 1"},
               {"visit 1 flies", 1, "unscheduled, moved"},
               {"width 48 49", 1, "more on the line"},
               {"start 1", 1, "number is missing"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const char *wrong = "";
    uint32_t line = rrt_pmu_fake_parse(cases[i].text, &script, &wrong);
    if (line != cases[i].line || !strstr(wrong, cases[i].part))
      UNIT_FAIL("'%s': line %u, '%s'", cases[i].text, line, wrong);
  }
  char many[49 * 16] = "";
  const char *wrong = "";
  for (int i = 0; i < 49; i++)
    snprintf(many + strlen(many), sizeof many - strlen(many), "event %d 1\n", i);
  CHECK_EQUAL(rrt_pmu_fake_parse(many, &script, &wrong), 49);
  CHECK_CONTAINS(wrong, "more than 48");
}

int main(void) {
  RUN(test_page);
  RUN(test_counts);
  RUN(test_wrap);
  RUN(test_width);
  RUN(test_unscheduled);
  RUN(test_moved);
  RUN(test_interrupted);
  RUN(test_odd_lock);
  RUN(test_shared);
  RUN(test_backwards);
  RUN(test_parts);
  RUN(test_part);
  RUN(test_metrics);
  RUN(test_coarse);
  RUN(test_metrics_of_months);
  RUN(test_metrics_moved);
  RUN(test_not_readable);
  RUN(test_open);
  RUN(test_wrong_scripts);
  return unit_status();
}
