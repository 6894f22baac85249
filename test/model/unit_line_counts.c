// unit_line_counts.c - counts of places: the largest, copies by unrolling and inlining, one name.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/unit.h"
#include "tools/model/block/line_counts.h"

/// Discriminators as LLVM 19 writes them (DILocation::encodeDiscriminator): base, copies.
#define BASE_3 6
#define BASE_0_COPIES_4 17
#define BASE_3_COPIES_4 (6 | 8 << 7)
#define BASE_33 ((0x41 | 0x20) << 1)

static struct code_frame at(const char *name, unsigned first, unsigned line, unsigned bits) {
  return (struct code_frame){
      .name = name, .file = "a.c", .line = line, .first_line = first, .discriminator = bits};
}

static void test_places(void) {
  struct line_counts counts = {0};
  struct code_frame frame = at("f", 10, 13, 0);
  line_counts_add(&counts, &frame, 1, 5);
  line_counts_add(&counts, &frame, 1, 9);
  line_counts_add(&counts, &frame, 1, 7);
  frame = at("f", 10, 13, BASE_3_COPIES_4);
  line_counts_add(&counts, &frame, 1, 100);
  frame = at("f", 10, 13, BASE_0_COPIES_4);
  line_counts_add(&counts, &frame, 1, 3);
  frame = at("f", 10, 13, BASE_33);
  line_counts_add(&counts, &frame, 1, 1);
  frame = at("f", 10, 8, BASE_3); // a macro's line stands before
  line_counts_add(&counts, &frame, 1, UINT64_MAX);
  line_counts_finish(&counts);
  CHECK(counts.count == 1 && counts.functions[0].count == 4);
  const struct line_count *lines = counts.functions[0].lines;
  CHECK(lines[0].place.offset == 3 && lines[0].place.discriminator == 0 && lines[0].count == 12);
  CHECK(lines[1].place.discriminator == 3 && lines[1].count == 400);
  CHECK(lines[2].place.discriminator == 33 && lines[2].count == 1);
  CHECK(lines[3].place.offset == 0xfffe && lines[3].count == UINT64_MAX);
  CHECK(counts.functions[0].total == UINT64_MAX && counts.has_discriminators);
  line_counts_release(&counts);
}

static void test_copies(void) {
  struct line_counts counts = {0};
  struct code_frame frames[] = {at("inner", 2, 3, 0), at("outer", 10, 12, BASE_3)};
  line_counts_add(&counts, frames, 2, 8);
  frames[1].line = 14;
  line_counts_add(&counts, frames, 2, 2);
  line_counts_enter(&counts, &frames[1], 6);
  frames[0].first_line = 0;
  line_counts_add(&counts, frames, 2, 1000);
  line_counts_finish(&counts);
  CHECK(counts.count == 3 && counts.lacks_first_lines);
  CHECK(counts.functions[0].parent == LINE_NO_PARENT && counts.functions[0].total == 10);
  CHECK(counts.functions[0].is_entry_known && counts.functions[0].entries == 6);
  CHECK(counts.functions[1].parent == 0 && counts.functions[1].call.offset == 2 &&
        counts.functions[1].call.discriminator == 3 && counts.functions[1].total == 8);
  CHECK(counts.functions[2].call.offset == 4 && counts.functions[2].lines[0].place.offset == 1);
  line_counts_release(&counts);
}

static void test_one_name(void) {
  struct line_counts counts = {0};
  struct code_frame frame = at("helper", 10, 11, 0);
  line_counts_add(&counts, &frame, 1, 5);
  frame = at("helper", 40, 41, 0);
  line_counts_add(&counts, &frame, 1, 50);
  line_counts_finish(&counts);
  CHECK(counts.count == 2 && counts.functions[0].is_left_out && !counts.functions[1].is_left_out);
  line_counts_release(&counts);
}

int main(void) {
  RUN(test_places);
  RUN(test_copies);
  RUN(test_one_name);
  return unit_status();
}
