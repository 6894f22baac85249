// unit_interval.c - what a sum has more than its first summand is the second one.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/profile/merged.h"
#include "tools/profile/merge/interval.h"

static const struct profile_loop *loop_of(const struct profile *profile, uint64_t id) {
  for (size_t i = 0; i < profile->loop_count; i++)
    if (profile->loops[i].id == id)
      return &profile->loops[i];
  return NULL;
}

/// The example as a checkpoint, and as a later one of the same process: what second_init has was
/// done in between.
static void checkpoints(struct profile *earlier, struct profile *later, struct profile *between) {
  struct example a, b;
  example_init(&a);
  second_init(&b);
  // Samples of the interval begin after the earlier checkpoint.
  for (int i = 0; i < 4; i++)
    b.raw[i].when += (uint32_t)(a.profile.env.elapsed_ticks >> profile_when_shift(&a.profile.env));
  // Another file comes first, so that the places of files differ.
  static struct profile_sampling of_a, of_b;
  static struct profile_loadfile files_a[2], files_b[2];
  static struct profile_address at_a[3], at_b[3];
  example_init_addresses(&a.profile, &of_a, files_a, at_a);
  example_init_addresses(&b.profile, &of_b, files_b, at_b);
  files_b[0].path = "/aaa";
  *earlier = merge1(&a.profile);
  *between = merge1(&b.profile);
  *later = merge2(&a.profile, &b.profile);
}

static void test_difference(void) {
  struct profile earlier, later, between;
  checkpoints(&earlier, &later, &between);
  CHECK_EQUAL(profile_interval(&earlier, &later, NULL), 0);
  CHECK_EQUAL(later.env.cpu_ns, between.env.cpu_ns);
  CHECK_EQUAL(later.env.elapsed_ticks, between.env.elapsed_ticks);
  CHECK_EQUAL(later.env.thread_count, 3); // no sum of what happened
  CHECK_EQUAL(later.health.lost_samples, 41);
  for (size_t i = 0; i < between.loop_count; i++) {
    const struct profile_loop *expected = &between.loops[i], *found = loop_of(&later, expected->id);
    CHECK(found != NULL);
    if (!found)
      continue;
    CHECK_EQUAL(found->executions, expected->executions);
    CHECK_EQUAL(found->samples, expected->samples);
    CHECK_EQUAL(found->weighted_ticks, expected->weighted_ticks);
    CHECK_EQUAL(found->hist_count, expected->hist_count);
    for (uint32_t k = 0; k < expected->hist_count && k < found->hist_count; k++) {
      CHECK_EQUAL(found->hist[k].bucket, expected->hist[k].bucket);
      CHECK_EQUAL(found->hist[k].weight, expected->hist[k].weight);
    }
    CHECK_EQUAL(found->raw_count, expected->raw_count);
  }
  uint64_t samples = 0, expected = 0;
  for (size_t i = 0; i < later.address_count; i++)
    samples += later.addresses[i].samples;
  for (size_t i = 0; i < between.address_count; i++)
    expected += between.addresses[i].samples;
  CHECK_EQUAL(samples, expected);
  CHECK_EQUAL(samples, 10);
  CHECK_EQUAL(later.loadfile_count, 3);
  CHECK_EQUAL(later.address_count, 3);
  for (size_t i = 0; i < between.access_count; i++)
    CHECK_EQUAL(later.accesses[i].count, between.accesses[i].count);
  profile_release(&earlier);
  profile_release(&later);
  profile_release(&between);
}

static void test_nothing_between(void) {
  struct example a;
  example_init(&a);
  struct profile earlier = merge1(&a.profile), later = merge1(&a.profile);
  CHECK_EQUAL(profile_interval(&earlier, &later, NULL), 0);
  CHECK_EQUAL(later.env.elapsed_ticks, 0);
  CHECK_EQUAL(later.address_count, 0);
  for (size_t i = 0; i < later.loop_count; i++) {
    CHECK_EQUAL(later.loops[i].executions, 0);
    CHECK_EQUAL(later.loops[i].hist_count, 0);
    CHECK_EQUAL(later.loops[i].raw_count, 0);
    CHECK_EQUAL(later.loops[i].min_ticks, UINT64_MAX);
    CHECK_EQUAL(later.loops[i].max_ticks, 0);
  }
  profile_release(&earlier);
  profile_release(&later);
}

static void test_unmeasured(void) {
  struct example a;
  example_init(&a);
  a.loops[0].lost = UINT64_MAX;
  struct profile earlier = merge1(&a.profile), later = merge1(&a.profile);
  uint64_t id = a.loops[0].id;
  CHECK_EQUAL(profile_interval(&earlier, &later, NULL), 0);
  CHECK_EQUAL(loop_of(&later, id)->lost, UINT64_MAX); // not 0
  profile_release(&earlier);
  profile_release(&later);
}

static void test_refused(void) {
  struct profile earlier, later, between;
  struct profile_error error;
  checkpoints(&earlier, &later, &between);
  CHECK_EQUAL(profile_interval(&later, &earlier, &error), RETICLE_E_LIMIT); // the wrong way round
  CHECK_EQUAL(profile_interval(&between, &later, &error), RETICLE_E_LIMIT); // another process
  CHECK_CONTAINS(error.text, "same process");
  profile_release(&earlier);
  profile_release(&later);
  profile_release(&between);
}

/// Executions with facts that began in the interval; their times count from its start.
static void test_facts(void) {
  struct profile earlier, later, between;
  checkpoints(&earlier, &later, &between);
  uint32_t start = (uint32_t)(earlier.env.elapsed_ticks >> profile_when_shift(&later.env));
  struct profile_fact facts[] = {{.when = start + 7, .stands = 3000, .duration_ns = 9},
                                 {.when = start ? start - 1 : 0, .stands = 1000}};
  later.facts = facts;
  later.fact_count = start ? 2 : 1;
  CHECK_EQUAL(profile_interval(&earlier, &later, NULL), 0);
  CHECK_EQUAL(later.fact_count, 1);
  CHECK_EQUAL(later.facts[0].when, 7);
  CHECK_EQUAL(later.facts[0].stands, 3000);
  profile_release(&earlier);
  profile_release(&later);
  profile_release(&between);
}

int main(void) {
  RUN(test_facts);
  RUN(test_difference);
  RUN(test_nothing_between);
  RUN(test_unmeasured);
  RUN(test_refused);
  return unit_status();
}
