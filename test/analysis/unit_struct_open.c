// unit_struct_open.c - advice on structs whose objects go on behind them
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/unit.h"
#include "tools/analysis/struct/struct_advice.h"

#include <math.h>

/// next 8 bytes, cold, and an array without a length; all but cold are used in each visit.
struct made {
  struct profile profile;
  struct profile_struct record;
  struct profile_member members[3];
  struct profile_access accesses[2];
  struct struct_uses uses;
  struct struct_advice advice;
};

static void advise(struct made *m, uint32_t cold_bytes, const char *first_type, uint32_t how,
                   struct element_count count) {
  uint32_t size = 8 + cold_bytes;
  *m = (struct made){.record = {.name = (char *)"s",
                                .size_bytes = size,
                                .flags = 4u << RETICLE_STRUCT_ALIGN_SHIFT}};
  m->members[0] = (struct profile_member){.name = (char *)"next",
                                          .type = (char *)first_type,
                                          .size_bytes = 8,
                                          .flags = 4u << RETICLE_MEMBER_ALIGN_SHIFT};
  m->members[1] = (struct profile_member){.name = (char *)"cold",
                                          .type = (char *)"long",
                                          .offset_bytes = 8,
                                          .size_bytes = cold_bytes,
                                          .flags = 4u << RETICLE_MEMBER_ALIGN_SHIFT};
  m->members[2] =
      (struct profile_member){.name = (char *)"slot",
                              .type = (char *)"double[]",
                              .offset_bytes = size,
                              .flags = RETICLE_MEMBER_FLEXIBLE | 4u << RETICLE_MEMBER_ALIGN_SHIFT};
  for (size_t i = 0; i < 2; i++)
    m->accesses[i] = (struct profile_access){.offset_bytes = i ? size + 8 : 0, // slot[1]
                                             .bytes = 8,
                                             .times = 1,
                                             .count = 100000,
                                             .flags = how | RETICLE_ACCESS_READ,
                                             .loop = 7,
                                             .function = (char *)"f",
                                             .file = (char *)"f.c"};
  m->profile = (struct profile){.structs = &m->record,
                                .struct_count = 1,
                                .members = m->members,
                                .member_count = 3,
                                .accesses = m->accesses,
                                .access_count = 2};
  struct advice_wish wish = {.count = &count};
  struct_uses_make(&m->profile, &m->uses);
  CHECK(struct_advise(&m->profile, &m->uses.structs[0], &wish, &m->advice));
  CHECK(isfinite(m->advice.parts.gain.high) && isfinite(m->advice.order.gain.high));
}

static void release(struct made *m) {
  struct_advice_release(&m->advice);
  struct_uses_release(&m->uses);
}

static void test_all_behind_its_start_is_the_array(void) {
  struct made m;
  advise(&m, 16, "long", RETICLE_ACCESS_DEPENDENT, (struct element_count){1e6, false, 24});
  CHECK(m.uses.structs[0].fields[2].reads == 100000);
  CHECK(m.uses.structs[0].unplaced == 0);
  release(&m);
}

/// Without the objects' sizes nothing is said of a split, and no share of bytes used.
static void test_of_any_length(void) {
  struct made m;
  advise(&m, 48, "long", RETICLE_ACCESS_DEPENDENT, (struct element_count){NAN, false, NAN});
  CHECK(m.advice.parts.kind == ADVICE_NONE && m.advice.order.kind == ADVICE_NONE);
  CHECK(strstr(m.advice.reason, "any length") != NULL);
  CHECK(m.advice.useful.status != QUANTITY_OK);
  release(&m);
}

/// 56 bytes and 8 behind them: next and the array take 1.75 lines from 16, 32, 48 and 0 on, then 1.
static void test_only_the_front_is_split(void) {
  struct made m;
  advise(&m, 48, "long", RETICLE_ACCESS_DEPENDENT, (struct element_count){1e6, false, 8});
  CHECK(m.advice.parts.kind == ADVICE_SPLIT);
  CHECK(m.advice.is_hot[0] && !m.advice.is_hot[1] && m.advice.is_hot[2]);
  CHECK(!m.advice.is_copy);
  CHECK_NEAR(m.advice.lines_now, 1.75, 1e-9);
  CHECK_NEAR(m.advice.parts.lines, 1, 1e-9);
  release(&m);
}

/// The array takes a line of its own where it is long, in the same place or another.
static void test_long_array(void) {
  struct made m;
  advise(&m, 48, "long", RETICLE_ACCESS_INDEPENDENT, (struct element_count){1e6, false, 4000});
  CHECK_NEAR(m.advice.lines_now, 2, 1e-9);
  CHECK(m.advice.parts.kind == ADVICE_NONE);
  release(&m);
}

/// Objects of several sizes lie under no index.
static void test_no_arrays_of_them(void) {
  static const uint32_t ways[] = {RETICLE_ACCESS_STREAMING, RETICLE_ACCESS_INDEPENDENT,
                                  RETICLE_ACCESS_SEARCH};
  for (size_t i = 0; i < 3; i++) {
    struct made m;
    advise(&m, 112, "long", ways[i], (struct element_count){1e6, true, 8});
    CHECK(m.advice.parts.kind == ADVICE_NONE || m.advice.parts.kind == ADVICE_SPLIT);
    CHECK(m.advice.parts.kind == ADVICE_NONE || m.advice.is_hot[2]);
    release(&m);
  }
}

/// A header that a pointer to the object may be taken for is in front of it in a split, too.
static void test_header_stays(void) {
  struct made m;
  advise(&m, 48, "struct head", RETICLE_ACCESS_DEPENDENT, (struct element_count){1e6, false, 8});
  CHECK(m.advice.pins & ADVICE_PIN_HEADER);
  CHECK(m.advice.parts.kind == ADVICE_NONE || m.advice.is_hot[0]);
  release(&m);
}

/// Fields behind a base class' array lie where the array goes on.
static void test_fields_behind_a_base_that_goes_on(void) {
  struct made m;
  advise(&m, 112, "base", RETICLE_ACCESS_DEPENDENT, (struct element_count){1e6, false, 0});
  CHECK(!(m.advice.pins & ADVICE_PIN_TAIL));
  release(&m);
  m.members[0].flags |= RETICLE_MEMBER_BASE | RETICLE_MEMBER_FLEXIBLE;
  struct element_count count = {1e6, false, 0};
  struct advice_wish wish = {.count = &count};
  struct_uses_make(&m.profile, &m.uses);
  CHECK(struct_advise(&m.profile, &m.uses.structs[0], &wish, &m.advice));
  CHECK(m.advice.pins & ADVICE_PIN_TAIL);
  CHECK(m.advice.problem.pinned == m.advice.item_count);
  CHECK(m.advice.order.kind == ADVICE_NONE);
  release(&m);
}

int main(void) {
  RUN(test_all_behind_its_start_is_the_array);
  RUN(test_of_any_length);
  RUN(test_only_the_front_is_split);
  RUN(test_long_array);
  RUN(test_no_arrays_of_them);
  RUN(test_header_stays);
  RUN(test_fields_behind_a_base_that_goes_on);
  return unit_status();
}
