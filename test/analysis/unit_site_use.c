// unit_site_use.c - shares, waste and order of allocation sites, with numbers worked out by hand.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/unit.h"
#include "tools/analysis/heap/site_use.h"
#include "tools/profile/merge/merge.h"

#include <math.h>
#include <string.h>

// Two sites with waste, one without a touched word, as a file has them in any order.
static struct profile_site sites[] = {
    {.id = 30,
     .kind = RETICLE_SITE_HEAP,
     .objects = 4,
     .peak_bytes = 400,
     .lifetime_ticks = 4000,
     .fetched_bytes = 1000,
     .used_bytes = 900,
     .ever_fetched_bytes = 100,
     .ever_used_bytes = 100},
    {.id = 10,
     .kind = RETICLE_SITE_GLOBAL,
     .objects = 1,
     .peak_bytes = 8000,
     .fetched_bytes = 640,
     .used_bytes = 40,
     .ever_fetched_bytes = 64,
     .ever_used_bytes = 4},
    {.id = 20, .kind = RETICLE_SITE_HEAP, .objects = 2, .peak_bytes = 90000},
};
static struct profile_siteframe frames[] = {{.site = 20, .depth = 0, .offset = 5},
                                            {.site = 30, .depth = 0, .offset = 6},
                                            {.site = 30, .depth = 1, .offset = 7}};
static struct profile_siteword words[] = {{.site = 10, .word = 0, .heat = 9},
                                          {.site = 30, .word = 4, .heat = 2}};
static struct profile_shadow shadow[] = {
    {.state = RETICLE_SHADOW_ON, .samples = 7, .scan_ns = 5000, .duty = 1000}};
static struct profile_shadowunit units[] = {
    {.accesses = 100, .marked = 60, .stack = 20, .unmarked = 20, .copied = 46}};

static struct profile example(void) {
  return (struct profile){.sites = sites,
                          .site_count = 3,
                          .siteframes = frames,
                          .siteframe_count = 3,
                          .sitewords = words,
                          .siteword_count = 2,
                          .shadow = shadow,
                          .shadow_count = 1,
                          .shadowunits = units,
                          .shadowunit_count = 1,
                          .env = {.timer_hz = 1000000000, .elapsed_ticks = 100000}};
}

static void test_shares(void) {
  struct profile profile = example();
  struct site_uses uses;
  site_uses_make(&profile, &uses);
  CHECK_EQUAL(uses.count, 3);
  // 640 - 40 = 600, 1000 - 900 = 100, 0.
  CHECK_EQUAL(uses.sites[0].record->id, 10);
  CHECK_EQUAL(uses.sites[1].record->id, 30);
  CHECK_EQUAL(uses.sites[2].record->id, 20);
  CHECK(uses.sites[0].wasted_bytes.value == 600);
  CHECK(fabs(uses.sites[0].useful_share.value - 0.0625) < 1e-12);
  CHECK(fabs(uses.sites[1].useful_share.value - 0.9) < 1e-12);
  CHECK(uses.sites[1].ever_share.value == 1);
  CHECK(uses.sites[1].lifetime_ns.value == 1000);
  CHECK_EQUAL(uses.sites[0].lifetime_ns.status, QUANTITY_UNSUPPORTED);
  // Not touched is no share of 0.
  CHECK_EQUAL(uses.sites[2].useful_share.status, QUANTITY_UNSUPPORTED);
  CHECK_EQUAL(uses.sites[1].frame_count, 2);
  CHECK_EQUAL(uses.sites[1].frames[1].offset, 7);
  CHECK_EQUAL(uses.sites[0].frame_count, 0);
  CHECK_EQUAL(uses.sites[0].word_count, 1);
  CHECK_EQUAL(uses.sites[2].word_count, 0);
  CHECK_EQUAL(uses.code_marked, 60);
  CHECK_EQUAL(uses.code_all, 80);
  CHECK(fabs(uses.scan_share - 0.05) < 1e-12);
  site_uses_release(&uses);
}

/// Marks in bursts: what they were is said, and what no burst met is no zero.
static void test_bursts(void) {
  struct profile profile = example();
  struct profile_shadow in_bursts[] = {
      {.state = RETICLE_SHADOW_ON, .duty = 50, .bursts = 4, .burst_ns = 20000}};
  struct site_uses uses;
  profile.shadow = in_bursts;
  site_uses_make(&profile, &uses);
  CHECK(uses.in_bursts);
  CHECK_EQUAL(uses.bursts, 4);
  CHECK(uses.duty == 0.05);
  CHECK(fabs(uses.burst_share - 0.2) < 1e-12); // 20 of 100 us
  CHECK(uses.burst_ns == 5000);
  CHECK_EQUAL(uses.code_copied, 45);
  CHECK(uses.sites[0].wasted_bytes.value == 600);
  CHECK_TEXT(uses.sites[2].useful_share.reason, "no word of it was touched in a burst");
  site_uses_release(&uses);
  struct profile_site untouched[3];
  memcpy(untouched, sites, sizeof sites);
  for (int i = 0; i < 3; i++)
    untouched[i].fetched_bytes = untouched[i].used_bytes = 0;
  profile.sites = untouched;
  in_bursts[0].bursts = in_bursts[0].burst_ns = 0;
  site_uses_make(&profile, &uses);
  CHECK_EQUAL(uses.sites[0].record->peak_bytes, 90000); // no waste is known to order by
  CHECK_EQUAL(uses.sites[0].wasted_bytes.status, QUANTITY_TOO_FEW);
  CHECK_TEXT(uses.sites[0].useful_share.reason, "no burst took place");
  CHECK(isnan(uses.burst_ns));
  site_uses_release(&uses);
  profile = example();
  site_uses_make(&profile, &uses);
  CHECK(!uses.in_bursts && isnan(uses.burst_share));
  site_uses_release(&uses);
}

/// One in 8 small objects was looked at: how far off the number of objects may be.
static void test_drawn(void) {
  struct profile profile = example();
  struct profile_shadow drawn[] = {{.state = RETICLE_SHADOW_ON, .every = 8},
                                   {.state = RETICLE_SHADOW_ON, .every = 1}};
  struct profile_site mixed[3];
  struct site_uses uses;
  memcpy(mixed, sites, sizeof sites);
  mixed[0] = (struct profile_site){
      .id = 5, .kind = RETICLE_SITE_HEAP, .objects = 2800, .min_bytes = 24, .max_bytes = 4096};
  mixed[1] = (struct profile_site){
      .id = 6, .kind = RETICLE_SITE_HEAP, .objects = 2800, .min_bytes = 1024, .max_bytes = 4096};
  mixed[2] = (struct profile_site){
      .id = 7, .kind = RETICLE_SITE_GLOBAL, .objects = 1, .min_bytes = 64, .max_bytes = 64};
  profile.sites = mixed;
  site_uses_make(&profile, &uses);
  CHECK_EQUAL(uses.every, 1); // of files that don't tell, too
  for (size_t i = 0; i < uses.count; i++)
    CHECK(uses.sites[i].objects_error == 0);
  site_uses_release(&uses);
  profile.shadow = drawn;
  profile.shadow_count = 2;
  site_uses_make(&profile, &uses);
  CHECK_EQUAL(uses.every, 8);
  for (size_t i = 0; i < uses.count; i++) {
    const struct site_use *use = &uses.sites[i];
    CHECK_NEAR(use->objects_error, use->record->id == 5 ? 1.96 * 140 : 0, 1e-9); // 7 x 2800 = 140^2
  }
  site_uses_release(&uses);
}

/// Two runs have twice the counts, the same shares, and the largest peak.
static void test_merged(void) {
  struct profile one = example(), merged;
  const struct profile *both[] = {&one, &one};
  struct site_uses uses;
  one.env.executable = one.env.arguments = one.env.host = one.env.cpu_model = "";
  one.env.hypervisor = one.env.clock_source = one.env.timer = one.env.runtime_version = "";
  for (size_t i = 0; i < 3; i++) {
    sites[i].name = sites[i].file = "";
    frames[i].module = frames[i].build_id = "";
  }
  units[0].source = "";
  CHECK_EQUAL(profile_merge(both, 2, &merged, NULL), 0);
  CHECK_EQUAL(merged.site_count, 3);
  site_uses_make(&merged, &uses);
  CHECK(uses.sites[0].wasted_bytes.value == 1200);
  CHECK_EQUAL(uses.sites[0].record->peak_bytes, 8000);
  CHECK(fabs(uses.sites[0].useful_share.value - 0.0625) < 1e-12);
  CHECK_EQUAL(uses.sites[1].frame_count, 2);
  CHECK_EQUAL(uses.sites[1].words[0].heat, 4);
  CHECK_EQUAL(uses.samples, 14);
  site_uses_release(&uses);
  profile_release(&merged);
}

static struct site_use stride_of(const uint32_t *touched, size_t count, uint64_t bytes) {
  struct profile_siteword word[130] = {0};
  struct profile_site site = {.id = 1, .min_bytes = bytes, .max_bytes = bytes, .objects = 1};
  struct profile profile = {
      .sites = &site, .site_count = 1, .sitewords = word, .siteword_count = count};
  struct site_uses uses;
  for (size_t i = 0; i < count; i++)
    word[i] = (struct profile_siteword){.site = 1, .word = touched[i], .objects = 1};
  site_uses_make(&profile, &uses);
  struct site_use use = uses.sites[0];
  site_uses_release(&uses);
  return use;
}

static void test_stride(void) {
  uint32_t lines[8], pairs[64], all[128], most[96], broken[8];
  for (uint32_t i = 0; i < 128; i++)
    all[i] = i;
  for (uint32_t i = 0; i < 8; i++)
    lines[i] = 16 * i + 3, broken[i] = 16 * i + (i == 5);
  for (uint32_t i = 0; i < 64; i++)
    pairs[i] = i / 2 * 4 + i % 2;
  for (uint32_t i = 0; i < 96; i++)
    most[i] = i / 3 * 4 + i % 3;
  // A word of each 64 bytes; two words of each 16.
  struct site_use use = stride_of(lines, 8, 4096);
  CHECK_EQUAL(use.stride_bytes, 64);
  CHECK_EQUAL(use.stride_used_bytes, 4);
  use = stride_of(pairs, 64, 4096);
  CHECK_EQUAL(use.stride_bytes, 16);
  CHECK_EQUAL(use.stride_used_bytes, 8);
  // All of it; three quarters; not always the same one; too small to be sure; a single word.
  CHECK_EQUAL(stride_of(all, 128, 4096).stride_bytes, 0);
  CHECK_EQUAL(stride_of(most, 96, 4096).stride_bytes, 0);
  CHECK_EQUAL(stride_of(broken, 8, 4096).stride_bytes, 0);
  CHECK_EQUAL(stride_of(lines, 8, 500).stride_bytes, 0);
  CHECK_EQUAL(stride_of(lines, 1, 4096).stride_bytes, 0);
  CHECK_EQUAL(stride_of(lines, 0, 4096).stride_bytes, 0);
}

/// Words 0 and 1 written alone, 2 both, 3 read: 8 bytes nobody reads. Without detail nothing is
/// known.
static void test_unread(void) {
  struct profile_siteword some[] = {{.site = 10, .word = 0, .heat = 9, .writes = 9},
                                    {.site = 10, .word = 1, .heat = 1, .writes = 1},
                                    {.site = 10, .word = 2, .heat = 3, .writes = 1, .reads = 3},
                                    {.site = 10, .word = 3, .heat = 3, .reads = 3},
                                    {.site = 30, .word = 0, .heat = 3}};
  struct profile profile = example();
  struct profile_shadow told = shadow[0];
  struct site_uses uses;
  profile.sitewords = some;
  profile.siteword_count = 5;
  site_uses_make(&profile, &uses);
  CHECK_EQUAL(uses.sites[0].unread_bytes.status, QUANTITY_UNSUPPORTED);
  site_uses_release(&uses);
  told.detail = 1;
  profile.shadow = &told;
  site_uses_make(&profile, &uses);
  CHECK_EQUAL(uses.sites[0].record->id, 10);
  CHECK(uses.sites[0].unread_bytes.value == 8);
  CHECK_EQUAL(uses.sites[1].unread_bytes.status, QUANTITY_UNSUPPORTED);
  site_uses_release(&uses);
}

/// A damaged file may claim more used than fetched bytes.
static void test_hostile(void) {
  struct profile profile = example();
  struct profile_site one = {.id = 1, .kind = 99, .fetched_bytes = 10, .used_bytes = UINT64_MAX};
  struct site_uses uses;
  profile.sites = &one;
  profile.site_count = 1;
  site_uses_make(&profile, &uses);
  CHECK(uses.sites[0].useful_share.value == 1);
  CHECK(uses.sites[0].wasted_bytes.value == 0);
  site_uses_release(&uses);
}

int main(void) {
  RUN(test_shares);
  RUN(test_bursts);
  RUN(test_drawn);
  RUN(test_merged);
  RUN(test_stride);
  RUN(test_unread);
  RUN(test_hostile);
  return unit_status();
}
