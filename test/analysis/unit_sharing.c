// unit_sharing.c - verdicts on lines that threads share, their order, and what is known of them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/unit.h"
#include "tools/analysis/heap/sharing.h"
#include "tools/profile/merge/merge.h"

#include <math.h>

#define WORDS .own = 0xffff, .read = 3, .written = 3

static struct profile_sharedline lines[] = {
    {.site = 1, WORDS, .lines = 1, .common = 50, .looks = 50, .hits = 50}, // true sharing
    {.site = 2, WORDS, .lines = 1, .apart = 40, .mixed = 10, .looks = 50, .hits = 10}, // false, 20
                                                                                       // %
    {.site = 3, WORDS, .lines = 1, .apart = 30, .looks = 30, .hits = 27}, // false, 90 %
    {.site = 4, WORDS, .lines = 1, .apart = 30, .looks = 30}, // false, but they never met
    {.site = 5, WORDS, .lines = 1, .apart = 5, .looks = 4},   // false, too few looks
    {.site = 6, WORDS, .lines = 1, .apart = 10, .mixed = 20, .common = 15, .looks = 45, .hits = 9},
    {.site = 7, WORDS, .lines = 1},                  // nothing in it
    {.site = 8, .lines = 1, .apart = 9, .looks = 9}, // nobody's
};
static struct profile_shadow shadow[] = {{.state = RETICLE_SHADOW_ON,
                                          .detail = 1,
                                          .threads = 9,
                                          .looks = 10,
                                          .look_ns = 3000,
                                          .lines_lost = 2}};
static struct profile_shadowunit units[] = {
    {.flags = RETICLE_SHADOW_UNIT_DETAIL}, {.flags = 0}, {.flags = 0}};

static struct profile example(void) {
  return (struct profile){.sharedlines = lines,
                          .sharedline_count = sizeof lines / sizeof *lines,
                          .shadow = shadow,
                          .shadow_count = 1,
                          .shadowunits = units,
                          .shadowunit_count = 3};
}

static void test_verdicts(void) {
  static const struct {
    uint64_t site;
    enum sharing_verdict verdict;
  } wanted[] = {{3, SHARING_FALSE}, {2, SHARING_FALSE}, {5, SHARING_FALSE},
                {6, SHARING_MIXED}, {1, SHARING_TRUE},  {4, SHARING_FALSE}};
  struct profile profile = example();
  struct sharing found;
  sharing_make(&profile, &found);
  CHECK_EQUAL(found.count, 6);
  for (size_t i = 0; i < 6; i++) {
    CHECK_EQUAL(found.lines[i].record->site, wanted[i].site);
    CHECK_EQUAL(found.lines[i].verdict, wanted[i].verdict);
  }
  CHECK_NEAR(found.lines[0].met.value, 0.9, 1e-9);
  CHECK(found.lines[0].met.low < 0.9 && found.lines[0].met.high > 0.9);
  CHECK_EQUAL(found.lines[2].met.status, QUANTITY_TOO_FEW);
  CHECK_EQUAL(found.lines[3].intervals, 45);
  CHECK(found.lines[5].is_seldom && !found.lines[2].is_seldom);
  sharing_release(&found);
}

// Two lines of a site with one verdict are one row; another verdict is another row.
static void test_groups(void) {
  struct profile_sharedline some[] = {
      {.site = 1,
       .own = 0xfff0,
       .first = 4,
       .offset = 0,
       .written = 0x30,
       .lines = 2,
       .apart = 9,
       .looks = 8,
       .hits = 8},
      {.site = 1,
       .own = 0xffff,
       .offset = 112,
       .written = 0x8,
       .read = 0x100,
       .lines = 1,
       .apart = 4,
       .looks = 8},
      {.site = 1, .own = 0xffff, .offset = 176, .written = 1, .lines = 1, .common = 4},
  };
  struct profile profile = {.sharedlines = some, .sharedline_count = 3};
  struct sharing found;
  sharing_make(&profile, &found);
  CHECK_EQUAL(found.group_count, 2);
  CHECK_EQUAL(found.groups[0].line->verdict, SHARING_FALSE);
  CHECK_EQUAL(found.groups[0].lines, 3);
  CHECK_EQUAL(found.groups[0].intervals, 13);
  CHECK_EQUAL(found.groups[0].low, 0);         // words 4 and 5 of the first line
  CHECK_EQUAL(found.groups[0].high, 112 + 36); // up to word 8 of the second
  CHECK_NEAR(found.groups[0].met.value, 0.5, 1e-9);
  CHECK_EQUAL(found.groups[1].met.status, QUANTITY_TOO_FEW);
  sharing_release(&found);
}

static void test_totals(void) {
  struct profile profile = example();
  struct sharing found;
  sharing_make(&profile, &found);
  CHECK(found.measured);
  CHECK_EQUAL(found.threads, 9);
  CHECK_EQUAL(found.told, 1);
  CHECK_EQUAL(found.untold, 2);
  CHECK_EQUAL(found.lines_lost, 2);
  CHECK_NEAR(found.look.value, 300, 1e-9);
  sharing_release(&found);
  profile = (struct profile){0};
  sharing_make(&profile, &found);
  CHECK(!found.measured);
  CHECK(isnan(found.look.value));
  sharing_release(&found);
}

static void test_threads(void) {
  struct profile_sharedline line = {.threads_low = UINT64_C(0x8000000000000001),
                                    .threads_high = 0x4100};
  CHECK_EQUAL(sharing_threads(&line, 0), 1);
  CHECK_EQUAL(sharing_threads(&line, 7), 0x80);
  CHECK_EQUAL(sharing_threads(&line, 8), 0);
  CHECK_EQUAL(sharing_threads(&line, 9), 0x41);
}

// Two runs of one program: counts add up, bits are those of either.
static void test_merge(void) {
  struct profile_site site = {
      .id = 2, .kind = RETICLE_SITE_HEAP, .name = "", .file = "", .objects = 1};
  struct profile one = {.sites = &site,
                        .site_count = 1,
                        .sharedlines = &lines[1],
                        .sharedline_count = 1,
                        .merged_count = 1};
  struct profile_sharedline again = lines[1];
  struct profile two = one, merged;
  const struct profile *both[] = {&one, &two};
  one.env.executable = one.env.arguments = one.env.host = one.env.cpu_model = "";
  one.env.hypervisor = one.env.clock_source = one.env.timer = one.env.runtime_version = "";
  two.env = one.env;
  again.written = 4;
  two.sharedlines = &again;
  CHECK_EQUAL(profile_merge(both, 2, &merged, NULL), 0);
  CHECK_EQUAL(merged.sharedline_count, 1);
  CHECK_EQUAL(merged.sharedlines[0].apart, 80);
  CHECK_EQUAL(merged.sharedlines[0].lines, 2);
  CHECK_EQUAL(merged.sharedlines[0].written, 7);
  profile_release(&merged);
}

int main(void) {
  RUN(test_verdicts);
  RUN(test_groups);
  RUN(test_totals);
  RUN(test_threads);
  RUN(test_merge);
  return unit_status();
}
