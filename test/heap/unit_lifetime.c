// unit_lifetime.c - what a site's objects lived, those too that are born while it is asked
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/heap/site.h"
#include "test/unit.h"

static struct rrt_site site;

static void born(uint64_t at_ticks) {
  site.live++;
  rrt_site_add_time(&site.births, &site.births_high, at_ticks);
}

static void died(uint64_t at_ticks) {
  site.live--;
  rrt_site_add_time(&site.deaths, &site.deaths_high, at_ticks);
}

/// The clock is read first, the sites later: an allocation between the two is behind the reading.
static void test_born_behind_the_reading(void) {
  born(1000);
  CHECK_EQUAL(rrt_site_lifetime(&site, 4000), 3000);
  died(3000);
  CHECK_EQUAL(rrt_site_lifetime(&site, 4000), 2000);
  born(4500); // one of two lives: what there is of the others is all
  CHECK_EQUAL(rrt_site_lifetime(&site, 4000), 1500);
  site = (struct rrt_site){0};
  born(4500);
  CHECK(rrt_site_lifetime(&site, 4000) == 0);
  CHECK_EQUAL(rrt_site_lifetime(&site, 5000), 500);
}

int main(void) {
  RUN(test_born_behind_the_reading);
  return unit_status();
}
