// unit_reduce.c - many profiles merged by levels add up to what they are all together
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/profile/merged.h"
#include "tools/profile/merge/merge.h"
#include "tools/profile/merge/reduce.h"

enum { MOST = 700 };

static struct example examples[MOST];

/// Processes of their own, with counts that differ.
static void examples_init(void) {
  for (unsigned i = 0; i < MOST; i++) {
    example_init(&examples[i]);
    examples[i].profile.env.pid = 100 + i;
    examples[i].profile.env.start_time_s += i % 7;
    for (size_t l = 0; l < examples[i].profile.loop_count; l++)
      examples[i].profile.loops[l].executions += 13 * i + l;
  }
}

/// A copy that can be released, as if it had been read.
static struct profile copy_of(const struct profile *profile) {
  unsigned char *bytes;
  size_t count;
  struct profile copy;
  CHECK_EQUAL(profile_encode(profile, "copy", &bytes, &count, NULL), 0);
  CHECK_EQUAL(profile_decode(bytes, count, "copy", &copy, NULL), 0);
  free(bytes);
  return copy;
}

/// The first `count`, from the last to the first if turned.
static struct profile reduced(size_t count, bool turned) {
  static struct profile_reduction reduction;
  struct profile out = {0};
  for (size_t i = 0; i < count; i++) {
    struct profile one = copy_of(&examples[turned ? count - 1 - i : i].profile);
    CHECK_EQUAL(profile_reduce_add(&reduction, &one, NULL), 0);
    CHECK(!one.memory); // taken over
  }
  CHECK_EQUAL(profile_reduce_finish(&reduction, &out, NULL), 0);
  return out;
}

static void check_sums(const struct profile *a, const struct profile *b) {
  CHECK_EQUAL(a->loop_count, b->loop_count);
  CHECK_EQUAL(a->process_count, b->process_count);
  CHECK_EQUAL(a->merged_count, b->merged_count);
  CHECK_EQUAL(a->env.cpu_ns, b->env.cpu_ns);
  for (size_t l = 0; l < a->loop_count; l++) {
    const struct profile_loop *x = &a->loops[l], *y = &b->loops[l];
    CHECK(x->id == y->id && x->executions == y->executions && x->samples == y->samples &&
          x->weight == y->weight && x->weighted_ticks == y->weighted_ticks &&
          x->min_ticks == y->min_ticks && x->max_ticks == y->max_ticks);
    CHECK_EQUAL(x->hist_count, y->hist_count);
    for (uint32_t i = 0; i < x->hist_count; i++)
      CHECK(x->hist[i].bucket == y->hist[i].bucket && x->hist[i].weight == y->hist[i].weight &&
            x->hist[i].samples == y->hist[i].samples);
  }
}

/// Around the sizes at which a level is full.
static void test_sums(void) {
  static const size_t sizes[] = {1, 2, 16, 17, 32, 33, 256, 272, 273, MOST};
  const struct profile *all[MOST];
  for (size_t i = 0; i < MOST; i++)
    all[i] = &examples[i].profile;
  for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
    struct profile whole, tree = reduced(sizes[s], false), turned = reduced(sizes[s], true);
    CHECK_EQUAL(profile_merge(all, sizes[s], &whole, NULL), 0);
    check_sums(&tree, &whole);
    check_sums(&turned, &whole);
    if (sizes[s] <= 256) // no raw sample had to be given up
      CHECK(example_are_equal(&tree, &whole));
    profile_release(&whole);
    profile_release(&tree);
    profile_release(&turned);
  }
}

static void test_release(void) {
  static struct profile_reduction reduction;
  for (size_t i = 0; i < 40; i++) {
    struct profile one = copy_of(&examples[i].profile);
    CHECK_EQUAL(profile_reduce_add(&reduction, &one, NULL), 0);
  }
  profile_reduce_release(&reduction);
  CHECK_EQUAL(reduction.levels[0].count, 0);
  CHECK_EQUAL(reduction.levels[1].count, 0);
}

int main(void) {
  examples_init();
  RUN(test_sums);
  RUN(test_release);
  return unit_status();
}
