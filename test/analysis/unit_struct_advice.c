// unit_struct_advice.c - expected gains and kinds of advice that can be worked out by hand.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/unit.h"
#include "tools/analysis/struct/struct_advice.h"

/// A struct of 192 bytes: three used fields at the given offsets, one loop.
struct made {
  struct profile profile;
  struct profile_struct record;
  struct profile_member members[6];
  struct profile_access accesses[3];
};

/// Three lines: 8 bytes, 56 cold, 8, 56 cold, 4, 60 cold.
static void make(struct made *m, uint32_t flags, size_t used) {
  static const struct {
    const char *name;
    uint32_t offset, size, align_log;
  } fields[] = {{"a", 0, 8, 3},    {"c1", 8, 56, 0}, {"b", 64, 8, 3},
                {"c2", 72, 56, 0}, {"c", 128, 4, 2}, {"c3", 132, 60, 0}};
  *m = (struct made){.record = {.name = (char *)"s",
                                .size_bytes = 192,
                                .flags = 7u << RETICLE_STRUCT_ALIGN_SHIFT}};
  for (size_t i = 0; i < 6; i++)
    m->members[i] =
        (struct profile_member){.name = (char *)fields[i].name,
                                .type = (char *)"long",
                                .offset_bytes = fields[i].offset,
                                .size_bytes = fields[i].size,
                                .flags = (fields[i].align_log + 1) << RETICLE_MEMBER_ALIGN_SHIFT};
  for (size_t i = 0; i < used; i++)
    m->accesses[i] = (struct profile_access){.structure = 0,
                                             .offset_bytes = fields[2 * i].offset,
                                             .bytes = fields[2 * i].size,
                                             .times = 1,
                                             .count = 1000,
                                             .flags = flags | RETICLE_ACCESS_READ,
                                             .loop = 7,
                                             .function = (char *)"f",
                                             .file = (char *)"f.c"};
  m->profile = (struct profile){.structs = &m->record,
                                .struct_count = 1,
                                .members = m->members,
                                .member_count = 6,
                                .accesses = m->accesses,
                                .access_count = used};
}

struct outcome {
  enum advice_kind kind;
  double lines_now, lines, high;
  const char *reason;
};

static struct outcome advise(uint32_t flags, size_t used) {
  struct made m;
  struct struct_uses uses;
  struct struct_advice advice;
  struct advice_wish wish = {0};
  make(&m, flags, used);
  struct_uses_make(&m.profile, &uses);
  CHECK(struct_advise(&m.profile, &uses.structs[0], &wish, &advice));
  struct outcome out = {advice.order.kind, advice.lines_now, advice.order.lines,
                        advice.order.gain.high, advice.reason};
  struct_advice_release(&advice);
  struct_uses_release(&uses);
  return out;
}

/// 3 lines to 1: a stream pays for lines alone; an independent access 1/6 besides; a step of a
/// chain 6/7 of a latency besides, and 1/7 for each line.
static void test_three_lines(void) {
  struct outcome stream = advise(RETICLE_ACCESS_STREAMING, 3);
  CHECK(stream.kind == ADVICE_ORDER);
  CHECK_NEAR(stream.lines_now, 3, 1e-9);
  CHECK_NEAR(stream.lines, 1, 1e-9);
  CHECK_NEAR(stream.high, 3, 1e-6);
  struct outcome any = advise(RETICLE_ACCESS_INDEPENDENT, 3);
  CHECK(any.kind == ADVICE_ORDER);
  CHECK_NEAR(any.high, (1. / 6 + 3. / 6) / (1. / 6 + 1. / 6), 1e-6);
  struct outcome chain = advise(RETICLE_ACCESS_DEPENDENT, 3);
  CHECK(chain.kind == ADVICE_ORDER);
  CHECK_NEAR(chain.high, 9. / 7, 1e-6);
}

/// A chain that touches one line at each step has nothing to gain, and says why.
static void test_chain_of_one_line(void) {
  struct outcome chain = advise(RETICLE_ACCESS_DEPENDENT, 1);
  CHECK(chain.kind == ADVICE_NONE);
  CHECK_NEAR(chain.lines_now, 1, 1e-9);
  CHECK(chain.high == 1);
  CHECK(strstr(chain.reason, "chain of pointers") != NULL);
}

/// The same element each time: fetched once, whatever its lines.
static void test_same_element(void) {
  struct outcome same = advise(RETICLE_ACCESS_SAME, 3);
  CHECK(same.kind == ADVICE_NONE);
  CHECK(same.high == 1);
}

/// A table of so many elements of `size` bytes, of which a key of 8 is read in one loop, and all in
/// another as often as `others` says.
struct table {
  struct profile profile;
  struct profile_struct record;
  struct profile_member members[2];
  struct profile_access accesses[2];
};

static struct struct_advice advise_table(struct table *t, uint32_t size, uint32_t flags,
                                         uint64_t others, struct element_count count) {
  *t = (struct table){.record = {.name = (char *)"slot",
                                 .size_bytes = size,
                                 .flags = 4u << RETICLE_STRUCT_ALIGN_SHIFT}};
  t->members[0] = (struct profile_member){.name = (char *)"key",
                                          .type = (char *)"long",
                                          .size_bytes = 8,
                                          .flags = 4u << RETICLE_MEMBER_ALIGN_SHIFT};
  t->members[1] = (struct profile_member){.name = (char *)"value",
                                          .type = (char *)"char[]",
                                          .offset_bytes = 8,
                                          .size_bytes = size - 8,
                                          .flags = 1u << RETICLE_MEMBER_ALIGN_SHIFT};
  t->accesses[0] = (struct profile_access){.bytes = 8,
                                           .times = 1,
                                           .count = 1000,
                                           .flags = flags | RETICLE_ACCESS_READ,
                                           .loop = 7,
                                           .function = (char *)"find",
                                           .file = (char *)"t.c"};
  t->accesses[1] =
      (struct profile_access){.bytes = size,
                              .times = 1,
                              .count = others,
                              .flags = RETICLE_ACCESS_INDEPENDENT | RETICLE_ACCESS_READ,
                              .loop = 8,
                              .function = (char *)"use",
                              .file = (char *)"t.c"};
  t->profile = (struct profile){.structs = &t->record,
                                .struct_count = 1,
                                .members = t->members,
                                .member_count = 2,
                                .accesses = t->accesses,
                                .access_count = others ? 2 : 1};
  struct struct_uses uses;
  struct struct_advice advice;
  struct advice_wish wish = {.count = &count};
  struct_uses_make(&t->profile, &uses);
  CHECK(struct_advise(&t->profile, &uses.structs[0], &wish, &advice));
  advice.use = NULL;
  struct_uses_release(&uses);
  return advice;
}

/// A struct of one line gains by an array of what a search reads: 48 to 8 bytes from key to key.
static void test_array_of_a_searched_key(void) {
  struct table t;
  struct struct_advice a =
      advise_table(&t, 48, RETICLE_ACCESS_SEARCH, 100, (struct element_count){1000000, true, 0});
  CHECK(a.parts.kind == ADVICE_ARRAY);
  CHECK(a.is_hot[0] && !a.is_hot[1]);
  CHECK(a.hot_bytes == 8);
  CHECK(a.is_copy); // the key is never written, and the other loop loses nothing by it
  CHECK(a.order.kind == ADVICE_NONE);
  CHECK(a.parts.gain.high > 1.3 && a.parts.gain.low == 1);
  struct_advice_release(&a);
}

/// What no loop uses can be moved away, which is no array beside the rest.
static void test_split_where_the_rest_is_unused(void) {
  struct table t;
  struct struct_advice a =
      advise_table(&t, 48, RETICLE_ACCESS_STREAMING, 0, (struct element_count){NAN, false, 0});
  CHECK_NEAR(a.lines_now, 0.75, 1e-9);
  CHECK(a.parts.kind == ADVICE_SPLIT || a.parts.kind == ADVICE_ARRAY);
  CHECK_NEAR(a.parts.lines, 0.125, 1e-9);
  CHECK_NEAR(a.parts.gain.high, 6, 1e-6);
  struct_advice_release(&a);
}

/// Elements that a first cache holds: nothing to gain, whatever the loops do.
static void test_nothing_to_gain_in_a_first_cache(void) {
  struct table t;
  struct struct_advice a =
      advise_table(&t, 48, RETICLE_ACCESS_STREAMING, 100, (struct element_count){600, true, 0});
  CHECK(a.parts.kind == ADVICE_NONE && a.order.kind == ADVICE_NONE);
  CHECK(strstr(a.reason, "first data cache") != NULL);
  struct_advice_release(&a);
}

/// What few visits touch takes few lines of the caches: it stays in the seldom used part.
static void test_seldom_touched_is_no_part_of_the_hot(void) {
  static const char *const names[] = {"key", "warm", "cold"};
  static const uint32_t offsets[] = {0, 8, 16}, sizes[] = {8, 8, 32};
  struct {
    struct profile_struct record;
    struct profile_member members[3];
    struct profile_access accesses[2];
  } t = {
      .record = {.name = (char *)"s", .size_bytes = 48, .flags = 4u << RETICLE_STRUCT_ALIGN_SHIFT}};
  for (size_t i = 0; i < 3; i++)
    t.members[i] = (struct profile_member){.name = (char *)names[i],
                                           .type = (char *)"long",
                                           .offset_bytes = offsets[i],
                                           .size_bytes = sizes[i],
                                           .flags = 4u << RETICLE_MEMBER_ALIGN_SHIFT};
  for (size_t i = 0; i < 2; i++)
    t.accesses[i] = (struct profile_access){.offset_bytes = offsets[i],
                                            .bytes = sizes[i],
                                            .times = 1,
                                            .count = i ? 20 : 10000,
                                            .flags = RETICLE_ACCESS_DEPENDENT | RETICLE_ACCESS_READ,
                                            .loop = 7,
                                            .function = (char *)"f",
                                            .file = (char *)"f.c"};
  struct profile profile = {.structs = &t.record,
                            .struct_count = 1,
                            .members = t.members,
                            .member_count = 3,
                            .accesses = t.accesses,
                            .access_count = 2};
  struct struct_uses uses;
  struct struct_advice a;
  struct element_count count = {1e6, false, 0};
  struct advice_wish wish = {.count = &count};
  struct_uses_make(&profile, &uses);
  CHECK(struct_advise(&profile, &uses.structs[0], &wish, &a));
  CHECK(a.parts.kind == ADVICE_SPLIT);
  CHECK(a.is_hot[0] && !a.is_hot[1] && !a.is_hot[2]);
  struct_advice_release(&a);
  struct_uses_release(&uses);
}

/// A struct of three lines: visited so often outside of loops, and so often by a loop that uses one
/// element over and over.
static enum advice_kind advise_still(uint64_t outside, uint64_t still, const char **reason) {
  struct made m;
  make(&m, 0, 3);
  for (size_t i = 0; i < 3; i++) {
    m.accesses[i].count = outside;
    m.accesses[i].loop = 0;
  }
  struct profile_access accesses[4] = {m.accesses[0], m.accesses[1], m.accesses[2], m.accesses[0]};
  accesses[3].count = still;
  accesses[3].loop = 7;
  accesses[3].flags |= RETICLE_ACCESS_SAME;
  m.profile.accesses = accesses;
  m.profile.access_count = 4;
  struct struct_uses uses;
  struct struct_advice a;
  struct advice_wish wish = {0};
  struct_uses_make(&m.profile, &uses);
  CHECK(struct_advise(&m.profile, &uses.structs[0], &wish, &a));
  enum advice_kind kind = a.order.kind;
  *reason = a.reason;
  struct_advice_release(&a);
  struct_uses_release(&uses);
  return kind;
}

/// Nor is it laid out anew where it is hardly ever another element, or hardly ever visited.
static void test_hardly_ever_another_element(void) {
  const char *reason;
  CHECK(advise_still(1000, 1000, &reason) == ADVICE_ORDER);
  CHECK(advise_still(1000, 5000000, &reason) == ADVICE_NONE);
  CHECK(strstr(reason, "one element over and over") != NULL);
  CHECK(advise_still(2, 1, &reason) == ADVICE_NONE);
  CHECK(strstr(reason, "seldom") != NULL);
}

/// One object that code outside of loops uses is never split; nor where nobody knows how many there
/// are.
static void test_one_object_is_not_split(void) {
  struct table t;
  struct struct_advice one = advise_table(&t, 480, 0, 0, (struct element_count){1, false, 0});
  CHECK(one.parts.kind == ADVICE_NONE && one.order.kind == ADVICE_NONE);
  CHECK(strstr(one.reason, "one object") != NULL);
  struct_advice_release(&one);
  struct struct_advice any = advise_table(&t, 480, 0, 0, (struct element_count){NAN, false, 0});
  CHECK(any.parts.kind == ADVICE_NONE);
  struct_advice_release(&any);
}

/// 16,000 fields of 64 bytes, all in use: what it takes is bounded, and counted.
static void test_work_on_a_struct_of_1_mb_is_bounded(void) {
  enum { FIELDS = 16000, LOOPS = 37 };
  static struct profile_member members[FIELDS];
  static struct profile_access accesses[FIELDS];
  struct profile_struct record = {.name = (char *)"large", .size_bytes = FIELDS * 64};
  for (uint32_t i = 0; i < FIELDS; i++) {
    members[i] = (struct profile_member){.name = (char *)"f",
                                         .type = (char *)"int[]",
                                         .offset_bytes = 64 * i,
                                         .size_bytes = 64,
                                         .flags = 3u << RETICLE_MEMBER_ALIGN_SHIFT};
    accesses[i] = (struct profile_access){.offset_bytes = 64 * i,
                                          .bytes = 4,
                                          .times = 1,
                                          .count = 1000 + i % 977,
                                          .flags = RETICLE_ACCESS_READ | RETICLE_ACCESS_INDEPENDENT,
                                          .loop = 1 + i * 7919u % LOOPS,
                                          .function = (char *)"f",
                                          .file = (char *)"f.c"};
  }
  struct profile profile = {.structs = &record,
                            .struct_count = 1,
                            .members = members,
                            .member_count = FIELDS,
                            .accesses = accesses,
                            .access_count = FIELDS};
  struct struct_uses uses;
  struct struct_advice advice;
  struct advice_wish wish = {0};
  struct_uses_make(&profile, &uses);
  CHECK(struct_advise(&profile, &uses.structs[0], &wish, &advice));
  CHECK(advice.is_bounded);
  CHECK(advice.work > 0 && advice.work < 3 * LAYOUT_WORK_MOST);
  struct_advice_release(&advice);
  struct_uses_release(&uses);
}

int main(void) {
  RUN(test_three_lines);
  RUN(test_chain_of_one_line);
  RUN(test_same_element);
  RUN(test_array_of_a_searched_key);
  RUN(test_split_where_the_rest_is_unused);
  RUN(test_nothing_to_gain_in_a_first_cache);
  RUN(test_seldom_touched_is_no_part_of_the_hot);
  RUN(test_hardly_ever_another_element);
  RUN(test_one_object_is_not_split);
  RUN(test_work_on_a_struct_of_1_mb_is_bounded);
  return unit_status();
}
