// unit_stall_tally.c - candidates of a stall: the first one, and those that may stand for as much.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/unit.h"
#include "tools/model/stall/stall_tally.h"

#include <string.h>

static const char *candidates_of(struct stall_tally tally, size_t expected) {
  static struct text text;
  text_clear(&text);
  CHECK_EQUAL(stall_tally_add_candidates(&tally, STALL_GROUPS, &text), expected);
  return text_get(&text);
}

static void test_one(void) {
  struct stall_tally tally = {.time = 10};
  tally.causes[STALL_CAUSE_D_CACHE] = (struct stall_range){0, 8};
  tally.causes[STALL_CAUSE_D_TLB] = (struct stall_range){0, 3};
  CHECK(!strcmp(candidates_of(tally, 1), "D-cache miss"));
}

static void test_several(void) {
  struct stall_tally tally = {.time = 10};
  tally.causes[STALL_CAUSE_D_CACHE] = (struct stall_range){0, 9};
  tally.causes[STALL_CAUSE_D_TLB] = (struct stall_range){0, 8};
  tally.causes[STALL_CAUSE_I_CACHE] = (struct stall_range){0, 7};
  tally.causes[STALL_CAUSE_DIVIDER] = (struct stall_range){0, 6};
  tally.causes[STALL_CAUSE_WRITE_BUFFER] = (struct stall_range){0, 5};
  CHECK(!strcmp(candidates_of(tally, 4),
                "D-cache miss, or else DTLB miss, I-cache or ITLB miss, divider"));
}

int main(void) {
  RUN(test_one);
  RUN(test_several);
  return unit_status();
}
