// unit_merge_stacks.c - sums and differences of call stacks, in any order; frames that can't be.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/profile/merged.h"
#include "tools/profile/merge/interval.h"
#include "tools/profile/merge/merge_stacks.h"

enum { NONE = UINT32_MAX };

static struct profile_sampling sampling[2] = {{.samples = 9, .stacks = 9},
                                              {.samples = 4, .stacks = 4}};
static struct profile_loadfile files_a[] = {{.path = "/app", .build_id = "aa"},
                                            {.path = "/lib.so", .build_id = "bb"}};
static struct profile_loadfile files_b[] = {{.path = "/lib.so", .build_id = "bb"},
                                            {.path = "/app", .build_id = "aa"}};
// main at 1 calls 2, which calls 2 of the library, and 3; a stack whose callers are lost.
static struct profile_stack stacks_a[] = {{NONE, 0, 1, 1, 10, 0, 0},
                                          {0, 0, 2, 2, 20, 0, 0},
                                          {1, 1, 2, 3, 30, 4, 40},
                                          {NONE, NONE, 0, 0, 0, 0, 0},
                                          {3, 1, 2, 3, 30, 0, 0}};
// The same in another order, as other frames were met first: main calls 3, and 2 as before.
static struct profile_stack stacks_b[] = {{NONE, 1, 1, 0, 0, 0, 0},
                                          {0, 1, 3, 1, 11, 0, 0},
                                          {0, 1, 2, 0, 0, 0, 0},
                                          {2, 0, 2, 3, 33, 5, 55}};

static void init(struct example *a, struct example *b) {
  example_init(a);
  second_init(b);
  a->profile.sampling = &sampling[0];
  b->profile.sampling = &sampling[1];
  a->profile.sampling_count = b->profile.sampling_count = 1;
  a->profile.loadfiles = files_a;
  b->profile.loadfiles = files_b;
  a->profile.loadfile_count = b->profile.loadfile_count = 2;
  a->profile.stacks = stacks_a;
  a->profile.stack_count = 5;
  b->profile.stacks = stacks_b;
  b->profile.stack_count = 4;
}

static void check(const struct profile *p, size_t i, uint32_t caller, uint32_t file,
                  uint64_t offset, uint64_t samples, uint64_t time_ns) {
  CHECK_EQUAL(p->stacks[i].caller, caller);
  CHECK_EQUAL(p->stacks[i].loadfile, file);
  CHECK_EQUAL(p->stacks[i].offset, offset);
  CHECK_EQUAL(p->stacks[i].samples, samples);
  CHECK_EQUAL(p->stacks[i].time_ns, time_ns);
}

static void test_sum(void) {
  struct example a, b;
  init(&a, &b);
  struct profile all[] = {merge2(&a.profile, &b.profile), merge2(&b.profile, &a.profile)};
  CHECK(example_are_equal(&all[0], &all[1]));
  for (int i = 0; i < 2; i++) {
    CHECK_EQUAL(all[i].stack_count, 6);
    check(&all[i], 0, NONE, 0, 1, 1, 10);
    check(&all[i], 1, NONE, NONE, 0, 0, 0);
    check(&all[i], 2, 0, 0, 2, 2, 20);
    check(&all[i], 3, 0, 0, 3, 1, 11);
    check(&all[i], 4, 1, 1, 2, 3, 30);
    check(&all[i], 5, 2, 1, 2, 6, 63);
    CHECK_EQUAL(all[i].stacks[5].kernel_samples, 9);
    CHECK_EQUAL(all[i].stacks[5].kernel_ns, 95);
    CHECK_EQUAL(all[i].sampling[0].stacks, 13);
    const char *mistake;
    stacks_find_mistake(&all[i], &mistake);
    CHECK(!mistake);
    profile_release(&all[i]);
  }
}

static void test_difference(void) {
  struct example a, b;
  init(&a, &b);
  struct profile earlier = merge1(&b.profile), later = merge2(&a.profile, &b.profile);
  later.env = earlier.env;
  CHECK_EQUAL(profile_interval(&earlier, &later, NULL), 0);
  CHECK_EQUAL(later.stack_count, 5); // main calling 3 was before
  check(&later, 0, NONE, 0, 1, 1, 10);
  check(&later, 2, 0, 0, 2, 2, 20);
  check(&later, 3, 1, 1, 2, 3, 30);
  check(&later, 4, 2, 1, 2, 3, 30);
  CHECK_EQUAL(later.stacks[4].kernel_samples, 4);
  CHECK_EQUAL(later.stacks[4].kernel_ns, 40);
  profile_release(&earlier);
  profile_release(&later);
}

static void test_mistakes(void) {
  struct example a, b;
  const char *mistake;
  struct profile_stack deep[PROFILE_STACK_DEPTH_MOST + 1];
  init(&a, &b);
  CHECK_EQUAL(stacks_find_mistake(&a.profile, &mistake), 5);
  CHECK(!mistake);
  struct profile_stack bad[] = {
      {NONE, 0, 1, 1, 1, 0, 0}, {0, 2, 1, 1, 1, 0, 0}, {2, 0, 1, 1, 1, 0, 0}};
  a.profile.stacks = bad;
  a.profile.stack_count = 3;
  CHECK_EQUAL(stacks_find_mistake(&a.profile, &mistake), 1);
  CHECK_TEXT(mistake, "its load file isn't in chunk 'loadfiles'");
  bad[1].loadfile = NONE;
  CHECK_EQUAL(stacks_find_mistake(&a.profile, &mistake), 2);
  CHECK_TEXT(mistake, "its caller doesn't stand before it");
  for (uint32_t i = 0; i <= PROFILE_STACK_DEPTH_MOST; i++)
    deep[i] = (struct profile_stack){i ? i - 1 : NONE, 0, 1, 1, 1, 0, 0};
  a.profile.stacks = deep;
  a.profile.stack_count = PROFILE_STACK_DEPTH_MOST;
  stacks_find_mistake(&a.profile, &mistake);
  CHECK(!mistake);
  a.profile.stack_count++;
  CHECK_EQUAL(stacks_find_mistake(&a.profile, &mistake), PROFILE_STACK_DEPTH_MOST);
  CHECK_TEXT(mistake, "it has more than 1024 callers");
}

int main(void) {
  RUN(test_sum);
  RUN(test_difference);
  RUN(test_mistakes);
  return unit_status();
}
