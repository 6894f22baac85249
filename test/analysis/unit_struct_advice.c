// unit_struct_advice.c - expected gains that can be worked out by hand, and their order.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/unit.h"
#include "tools/analysis/struct_advice.h"

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
  CHECK(struct_uses_make(&m.profile, &uses) == 0);
  CHECK(struct_advise(&m.profile, &uses.structs[0], &wish, &advice) == 0);
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

int main(void) {
  RUN(test_three_lines);
  RUN(test_chain_of_one_line);
  RUN(test_same_element);
  return unit_status();
}
