// unit_pressure.c - what quotas and other programs took, and why it isn't known.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/unit.h"
#include "tools/analysis/run/pressure.h"

#include <errno.h>

struct made {
  struct profile profile;
  struct profile_pressure pressure;
};

static void begin(struct made *made) {
  *made = (struct made){.pressure = {.wall_ticks = 4000000000,
                                     .throttled_ns = 1500000000,
                                     .throttled = 20,
                                     .cpu_ns = 400000000,
                                     .io_ns = 5,
                                     .interrupt_ns = 10000000,
                                     .huge_pages = 3,
                                     .huge_misses = 2,
                                     .compactions = 1,
                                     .quota_ppm = 500000}};
  made->profile.env.elapsed_ticks = 4000000000;
  made->profile.pressure = &made->pressure;
  made->profile.pressure_count = 1;
}

static void test_known(void) {
  struct made made;
  begin(&made);
  struct pressure p = pressure_of(&made.profile);
  CHECK(!p.no_throttled && !p.no_memory);
  CHECK_EQUAL(p.throttled, 20);
  CHECK_NEAR(p.throttled_ns.value, 1.5e9, 1e-3);
  CHECK_NEAR(p.quota.value, 0.5, 1e-9);
  CHECK_NEAR(p.cpu_ns.value, 4e8, 1e-3);
  CHECK_NEAR(p.memory_ns.value, 0, 0);
  CHECK_NEAR(p.interrupt_ns.value, 1e7, 1e-3);
  CHECK_EQUAL(p.huge_misses, 2);
  made.pressure.quota_ppm = 0;
  CHECK_TEXT(pressure_of(&made.profile).quota.reason, "no quota is set");
}

static void test_not_measured(void) {
  struct made made;
  begin(&made);
  made.pressure.throttled = made.pressure.throttled_ns = UINT64_MAX;
  made.pressure.quota_error = ENOENT;
  made.pressure.quota_ppm = 0;
  made.pressure.cpu_ns = made.pressure.memory_ns = made.pressure.io_ns = UINT64_MAX;
  made.pressure.pressure_error = EOPNOTSUPP;
  made.pressure.huge_pages = made.pressure.huge_misses = UINT64_MAX;
  made.pressure.memory_error = ENODATA;
  struct pressure p = pressure_of(&made.profile);
  CHECK_TEXT(p.no_throttled, "no cgroup files are here");
  CHECK_TEXT(p.quota.reason, "no cgroup files are here");
  CHECK_TEXT(p.cpu_ns.reason, "the kernel was started without pressure (psi=1 turns it on)");
  CHECK_TEXT(p.no_memory, "the kernel has no huge pages");
  CHECK_EQUAL(p.throttled, 0);
  made.profile.env.elapsed_ticks = 1;
  CHECK_TEXT(pressure_of(&made.profile).cpu_ns.reason, "not measured in all of the merged runs");
  made.profile.pressure_count = 0;
  CHECK_TEXT(pressure_of(&made.profile).no_throttled,
             "not measured by this version of the runtime");
}

int main(void) {
  RUN(test_known);
  RUN(test_not_measured);
  return unit_status();
}
