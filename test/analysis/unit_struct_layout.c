// unit_struct_layout.c - orders of fields whose best one can be worked out by hand.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/unit.h"
#include "tools/analysis/struct/struct_layout.h"

/// Three hot fields on three lines: 8, 60 cold, 4, 60 cold, 4, 52 cold.
static const struct layout_item items[] = {{8, 8, false},  {60, 1, false}, {4, 4, false},
                                           {60, 1, false}, {4, 4, false},  {52, 1, false}};
static const double hot[] = {1, 0, 1, 0, 1, 0};

static void test_three_lines_become_one(void) {
  struct layout_visit visit = {.weight = 10, .share = hot};
  struct layout_problem p = {
      .items = items, .item_count = 6, .visits = &visit, .visit_count = 1, .align_bytes = 8};
  const size_t written[] = {0, 1, 2, 3, 4, 5};
  struct layout now, best;
  layout_evaluate(&p, written, &now);
  CHECK(now.size_bytes == 192);
  CHECK(fabs(layout_lines(&p, &now) - 3) < 1e-9);
  layout_search(&p, &best);
  CHECK(best.method == LAYOUT_EXACT);
  CHECK(fabs(layout_lines(&p, &best) - 1) < 1e-9);
  CHECK(best.size_bytes == 192);
  CHECK(best.order[0] == 0 && best.order[1] == 2 && best.order[2] == 4);
  layout_release(&best);
}

static void test_pinned_fields_stay(void) {
  struct layout_visit visit = {.weight = 1, .share = hot};
  struct layout_problem p = {.items = items,
                             .item_count = 6,
                             .visits = &visit,
                             .visit_count = 1,
                             .align_bytes = 8,
                             .pinned = 2};
  struct layout best;
  layout_search(&p, &best);
  CHECK(best.order[0] == 0 && best.order[1] == 1);
  // The first line for sure, and the two others together.
  CHECK(layout_lines(&p, &best) < 2.01 && layout_lines(&p, &best) > 1.99);
  layout_release(&best);
}

static void test_flexible_array_stays_last(void) {
  const struct layout_item three[] = {{100, 1, false}, {8, 8, false}, {0, 8, true}};
  const double share[] = {0, 1, 1};
  struct layout_visit visit = {.weight = 1, .share = share};
  struct layout_problem p = {.items = three, .item_count = 3, .visits = &visit, .visit_count = 1};
  struct layout best;
  layout_search(&p, &best);
  CHECK(best.order[2] == 2);
  layout_release(&best);
}

/// Aligned to a line, the struct starts at one: two fields of 64 bytes together touch no third.
static void test_alignment_counts(void) {
  const struct layout_item two[] = {{32, 1, false}, {32, 1, false}};
  const double share[] = {1, 1};
  const size_t written[] = {0, 1};
  struct layout_visit visit = {.weight = 1, .share = share};
  struct layout_problem p = {
      .items = two, .item_count = 2, .visits = &visit, .visit_count = 1, .align_bytes = 16};
  struct layout now;
  layout_evaluate(&p, written, &now);
  CHECK(fabs(now.cost - 1.75) < 1e-9); // starts at 0, 16, 32, 48: one line, then two
  p.align_bytes = 64;
  layout_evaluate(&p, written, &now);
  CHECK(fabs(now.cost - 1) < 1e-9);
}

static void test_writes_go_apart(void) {
  const struct layout_item four[] = {{8, 8, false}, {8, 8, false}, {56, 1, false}, {56, 1, false}};
  const double reader[] = {1, 0, 0, 0}, writer[] = {0, 1, 0, 0};
  const struct layout_visit visits[] = {{.weight = 1, .share = reader},
                                        {.weight = 1, .share = writer}};
  const bool written[] = {false, true, false, false};
  struct layout_problem p = {.items = four,
                             .item_count = 4,
                             .visits = visits,
                             .visit_count = 2,
                             .align_bytes = 64,
                             .written = written};
  struct layout best;
  layout_search(&p, &best);
  size_t place[4];
  for (size_t i = 0; i < 4; i++)
    place[best.order[i]] = i;
  CHECK(place[0] + 1 < place[1] || place[1] + 1 < place[0]); // something lies between
  layout_release(&best);
}

/// More items than all orders of which can be looked at: the used ones come together all the same.
static void test_many_items(void) {
  struct layout_item many[40];
  double share[40] = {0};
  for (size_t i = 0; i < 40; i++) {
    many[i] = (struct layout_item){i % 3 ? 16 : 8, 8, false};
    share[i] = i % 13 == 0; // 0, 13, 26, 39
  }
  struct layout_visit visit = {.weight = 1, .share = share};
  struct layout_problem p = {
      .items = many, .item_count = 40, .visits = &visit, .visit_count = 1, .align_bytes = 64};
  struct layout best;
  layout_search(&p, &best);
  CHECK(best.method == LAYOUT_EXACT_HOT);
  CHECK(fabs(best.cost - 1) < 1e-9);
  layout_release(&best);
  for (size_t i = 0; i < 40; i += 3) // 14 of 8 bytes: two lines
    share[i] = 1;
  for (size_t i = 0; i < 40; i++)
    share[i] = i % 3 == 0;
  layout_search(&p, &best);
  CHECK(best.method == LAYOUT_CHAIN);
  CHECK(fabs(best.cost - 2) < 1e-9);
  bool seen[40] = {false};
  for (size_t i = 0; i < 40; i++)
    seen[best.order[i]] = true;
  for (size_t i = 0; i < 40; i++)
    CHECK(seen[i]);
  layout_release(&best);
}

/// Two fields of 8 bytes in the order of their alignment, and a third beside them that lies on a
/// line of its own.
static void test_lines_of_a_part(void) {
  struct layout_visit visit = {.weight = 1, .share = hot, .streaming = true};
  struct layout_problem p = {
      .items = items, .item_count = 6, .visits = &visit, .visit_count = 1, .align_bytes = 8};
  const bool is_hot[] = {true, false, true, false, true, false};
  size_t order[6], count = layout_pack(&p, is_hot, order);
  uint64_t bytes;
  double lines;
  CHECK(count == 3);
  layout_visit_lines(&p, order, count, &lines, &bytes);
  CHECK(bytes == 16);
  CHECK_NEAR(lines, 1, 1e-9); // at 0, 16, 32 and 48
  const size_t cold[] = {1, 3, 5};
  layout_visit_lines(&p, cold, 3, &lines, &bytes);
  CHECK(lines == 0);
}

/// Arrays of 256 kB, a few of which each loop uses: what counts is what is used, not how large it
/// is.
static void test_large_items_cost_no_more(void) {
  enum { ARRAYS = 60, LOOPS = 24 };
  static double share[LOOPS][ARRAYS];
  struct layout_visit visits[LOOPS];
  struct layout_item small[ARRAYS], large[ARRAYS];
  for (size_t i = 0; i < ARRAYS; i++) {
    small[i] = (struct layout_item){128, 8, false};
    large[i] = (struct layout_item){256 * 1024, 8, false};
  }
  for (size_t v = 0; v < LOOPS; v++) {
    visits[v] = (struct layout_visit){.weight = 1 + (double)v, .share = share[v]};
    for (size_t k = 0; k < 4; k++)
      share[v][(v * 7 + k * k * 5) % ARRAYS] = 1;
  }
  struct layout_problem p = {
      .items = small, .item_count = ARRAYS, .visits = visits, .visit_count = LOOPS};
  struct layout a, b;
  layout_search(&p, &a);
  p.items = large;
  layout_search(&p, &b);
  CHECK(a.work == b.work && fabs(a.cost - b.cost) < 1e-9);
  CHECK(b.size_bytes == ARRAYS * 256 * 1024);
  layout_release(&a);
  layout_release(&b);
}

/// What takes too long ends, says so, and isn't worse than what was written.
static void test_work_is_bounded(void) {
  enum { ITEMS = 3000 };
  static struct layout_item many[ITEMS];
  static double share[ITEMS];
  for (size_t i = 0; i < ITEMS; i++) {
    many[i] = (struct layout_item){i % 5 ? 4 : 52, 4, false};
    share[i] = i % 3 == 0;
  }
  struct layout_visit visit = {.weight = 1, .share = share};
  struct layout_problem p = {
      .items = many, .item_count = ITEMS, .visits = &visit, .visit_count = 1, .work_most = 1000000};
  static size_t written[ITEMS];
  for (size_t i = 0; i < ITEMS; i++)
    written[i] = i;
  struct layout now, best;
  layout_evaluate(&p, written, &now);
  layout_search(&p, &best);
  CHECK(best.is_bounded && best.cost <= now.cost);
  CHECK(best.work < 1100000);
  layout_release(&best);
}

/// Offsets and sizes that add up to more than 32 bits: none wraps.
static void test_sums_beyond_32_bits(void) {
  const struct layout_item two[] = {
      {UINT32_MAX - 8, 8, false}, {UINT32_MAX, 1, false}, {8, 8, false}};
  const double share[] = {1, 1, 1};
  struct layout_visit visit = {.weight = 1, .share = share};
  struct layout_problem p = {.items = two, .item_count = 3, .visits = &visit, .visit_count = 1};
  struct layout best;
  layout_search(&p, &best);
  CHECK(best.size_bytes == UINT32_MAX && isfinite(best.cost));
  layout_release(&best);
}

int main(void) {
  RUN(test_three_lines_become_one);
  RUN(test_pinned_fields_stay);
  RUN(test_flexible_array_stays_last);
  RUN(test_alignment_counts);
  RUN(test_writes_go_apart);
  RUN(test_many_items);
  RUN(test_lines_of_a_part);
  RUN(test_large_items_cost_no_more);
  RUN(test_work_is_bounded);
  RUN(test_sums_beyond_32_bits);
  return unit_status();
}
