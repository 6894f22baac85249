// unit_core_clock.c - the core's clock through the kernel's page, with a scripted counter.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/harness/core_clock.h"
#include "runtime/probe/clock/scripted.h"
#include "test/unit.h"

#include <linux/perf_event.h>
#include <string.h>

static struct perf_event_mmap_page page;

static int64_t passed(uint64_t cycles) {
  struct harness_core_read start, end;
  harness_core_read(&start);
  reticle_scripted_advance_core(cycles);
  harness_core_read(&end);
  return harness_core_between(&start, &end);
}

static void test_reasons(void) {
  memset(&page, 0, sizeof(page));
  CHECK_CONTAINS(harness_core_use(&page), "doesn't grant");
  page.cap_user_rdpmc = 1;
  CHECK_CONTAINS(harness_core_use(&page), "never scheduled");
  page.index = 65; // the scripted processor reads counters 0 to 63
  CHECK_CONTAINS(harness_core_use(&page), "can't be read");
  page.index = 1;
  CHECK(harness_core_use(&page) == NULL);
}

static void test_cycles(void) {
  page.index = 3;
  page.pmc_width = 48;
  CHECK(harness_core_use(&page) == NULL);
  CHECK_EQUAL(passed(0), 0);
  CHECK_EQUAL(passed(256), 256);
  CHECK_EQUAL(passed((UINT64_C(1) << 47) - 1), (INT64_C(1) << 47) - 1);
}

// The counter has 40 bits: what is above them says nothing.
static void test_wrap(void) {
  page.pmc_width = 40;
  reticle_scripted_advance_core((UINT64_C(1) << 40) - 10);
  CHECK_EQUAL(passed(300), 300);
  CHECK_EQUAL(passed((UINT64_C(1) << 40) + 7), 7);
}

// The kernel moved the counter, or took it away, between the two reads.
static void test_moved(void) {
  struct harness_core_read start, end;
  harness_core_read(&start);
  page.lock++;
  harness_core_read(&end);
  CHECK(harness_core_between(&start, &end) < 0);
  start = end;
  page.index = 4;
  harness_core_read(&end);
  CHECK(harness_core_between(&start, &end) < 0);
  start = end;
  page.index = 0;
  harness_core_read(&end);
  CHECK(harness_core_between(&start, &end) < 0);
  CHECK(harness_core_between(&end, &end) < 0);
}

int main(void) {
  RUN(test_reasons);
  RUN(test_cycles);
  RUN(test_wrap);
  RUN(test_moved);
  return unit_status();
}
