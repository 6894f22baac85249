// unit_replay_list.c - the lines that visits touch as written and with a field in its own array.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/analysis/replay/replay_list.h"

#include "test/unit.h"

// A struct of 64 bytes, {key 8, rest 56}, in an array at 0x10000.
enum { ELEMENTS = 64, SIZE = 64, BASE = 0x10000 };

static struct profile_struct record = {.id = 7, .name = "slot", .size_bytes = SIZE};
static struct profile_member members[2] = {{.name = "key", .size_bytes = 8},
                                           {.name = "rest", .offset_bytes = 8, .size_bytes = 56}};
static struct field_use fields[2] = {{.member = &members[0]}, {.member = &members[1]}};
static const struct struct_use use = {.record = &record, .fields = fields, .field_count = 2};
static struct advice_item items[2] = {{&members[0], 1}, {&members[1], 1}};
static struct layout_item layout_items[2] = {{8, 8, false}, {56, 8, false}};
static bool is_hot[2] = {true, false};

static const struct profile_visitsite reads_key = {
    .bytes = 8, .times = 1, .flags = RETICLE_ACCESS_READ};
static const struct profile_visitsite writes_rest = {
    .offset_bytes = 8, .bytes = 8, .times = 1, .flags = RETICLE_ACCESS_WRITE};
static const struct profile_visitsite *touches[] = {&reads_key, &reads_key, &writes_rest};
static struct visit_place places[2] = {
    {.touches = touches, .touch_count = 1, .exposure = EXPOSURE_STREAMING, .visits = ELEMENTS},
    {.touches = touches + 1, .touch_count = 2, .exposure = EXPOSURE_INDEPENDENT, .visits = 1}};
static struct visit all[ELEMENTS + 1];
static uint64_t elements[ELEMENTS];
static struct visit_window window = {.visits = all, .count = ELEMENTS + 1};
static struct visits visits = {.places = places,
                               .place_count = 2,
                               .all = all,
                               .count = ELEMENTS + 1,
                               .windows = &window,
                               .window_count = 1,
                               .elements = elements,
                               .element_count = ELEMENTS};
static const double weights[2] = {10, 4};

static struct struct_advice advice(void) {
  return (struct struct_advice){.use = &use,
                                .items = items,
                                .item_count = 2,
                                .layout_items = layout_items,
                                .is_hot = is_hot,
                                .count = {ELEMENTS, true, 0},
                                .parts = {.kind = ADVICE_ARRAY}};
}

/// Each key is read in a row, then one key is read and its rest written.
static void fill(void) {
  for (uint64_t i = 0; i < ELEMENTS; i++) {
    elements[i] = BASE + i * SIZE;
    all[i] = (struct visit){.element = elements[i], .place = 0};
  }
  all[ELEMENTS] = (struct visit){.element = elements[5], .place = 1, .wait = VISIT_BY_DATA};
}

static size_t different_lines(const struct replay_list *list) {
  size_t count = 0;
  for (size_t i = 0; i < list->count; i++) {
    size_t k = 0;
    while (k < i && (list->entries[k] & REPLAY_LINE) != (list->entries[i] & REPLAY_LINE))
      k++;
    count += k == i;
  }
  return count;
}

static void check_bounds(const struct replay_list *list) {
  for (size_t i = 0; i < list->count; i++)
    CHECK((list->entries[i] & REPLAY_LINE) < list->bytes / 64);
  for (size_t i = 0; i < list->warm_count; i++)
    CHECK((list->warm[i] & REPLAY_LINE) < list->bytes / 64);
  CHECK(list->warm_count > 0);
}

static void make(void (*layout_of)(const struct struct_advice *, struct replay_layout *),
                 const struct struct_advice *a, struct replay_list *out) {
  struct replay_input input = {&visits, weights, a->count, SIZE, 1};
  struct replay_layout layout;
  fill();
  layout_of(a, &layout);
  CHECK(replay_list_make(&input, &layout, out));
  check_bounds(out);
  replay_layout_release(&layout);
}

static void test_written(void) {
  struct struct_advice a = advice();
  struct replay_list list;
  make(replay_layout_written, &a, &list);
  CHECK_EQUAL(list.count, ELEMENTS + 1);
  CHECK_EQUAL(different_lines(&list), ELEMENTS);
  CHECK_EQUAL(list.window_count, 1);
  CHECK_EQUAL(list.windows[0].visits, ELEMENTS + 1);
  CHECK_NEAR(list.windows[0].weight, (10.0 * ELEMENTS + 4) / (ELEMENTS + 1), 1e-9);
  uint32_t last = list.entries[list.count - 1];
  CHECK(last & REPLAY_WRITE && last & REPLAY_DEPENDENT && last & REPLAY_FIRST);
  CHECK(!(list.entries[0] & (REPLAY_WRITE | REPLAY_DEPENDENT)));
  CHECK(list.has_writes && list.goes_round);
  replay_list_release(&list);
}

/// A chain that is followed twice, the same way: each element is touched once before it comes back.
/// With other links the second time it is no cycle.
static void test_cycle(void) {
  enum { CHAIN = 200 };
  static struct visit_place chain = {
      .touches = touches, .touch_count = 1, .exposure = EXPOSURE_DEPENDENT, .visits = 2 * CHAIN};
  static struct visit visited[2 * CHAIN];
  static uint64_t seen[CHAIN];
  struct visit_window windows[2] = {{.visits = visited, .count = CHAIN},
                                    {.visits = visited + CHAIN, .count = CHAIN}};
  struct visits v = {.places = &chain,
                     .place_count = 1,
                     .all = visited,
                     .count = 2 * CHAIN,
                     .windows = windows,
                     .window_count = 2,
                     .elements = seen,
                     .element_count = CHAIN};
  struct struct_advice a = advice();
  struct replay_input input = {&v, weights, {CHAIN, true, 0}, SIZE, 1};
  for (uint64_t k = 0; k < 2; k++) {
    struct replay_layout layout;
    struct replay_list list;
    for (uint64_t i = 0; i < CHAIN; i++) {
      seen[i] = BASE + i * SIZE;
      visited[i] = (struct visit){.element = BASE + i * 77 % CHAIN * SIZE, .wait = VISIT_BY_DATA};
      visited[CHAIN + i] =
          (struct visit){.element = BASE + i * (k ? 83 : 77) % CHAIN * SIZE, .wait = VISIT_BY_DATA};
    }
    replay_layout_written(&a, &layout);
    CHECK(replay_list_make(&input, &layout, &list));
    CHECK_EQUAL(list.goes_round, k == 0);
    if (!k)
      CHECK_EQUAL(list.warm_count, CHAIN);
    for (size_t i = 0; !k && i < CHAIN; i++)
      CHECK_EQUAL(list.warm[i] & REPLAY_LINE, list.entries[i] & REPLAY_LINE);
    replay_list_release(&list);
    replay_layout_release(&layout);
  }
}

/// Eight keys a line; the last visit goes to both arrays and waits once.
static void test_array(void) {
  struct struct_advice a = advice();
  struct replay_list list;
  make(replay_layout_parts, &a, &list);
  CHECK_EQUAL(list.count, ELEMENTS + 2);
  CHECK_EQUAL(different_lines(&list), ELEMENTS / 8 + 1 + 1); // keys begin 16 bytes into a line
  uint32_t key = list.entries[list.count - 2], rest = list.entries[list.count - 1];
  CHECK(key & REPLAY_DEPENDENT && !(key & REPLAY_WRITE));
  CHECK(!(rest & (REPLAY_DEPENDENT | REPLAY_FIRST)) && rest & REPLAY_WRITE);
  replay_list_release(&list);
}

/// Who needs the rest reads the key there, too.
static void test_copy(void) {
  struct struct_advice a = advice();
  struct replay_list list;
  a.is_copy = true;
  make(replay_layout_parts, &a, &list);
  CHECK_EQUAL(list.count, ELEMENTS + 1);
  CHECK_EQUAL(different_lines(&list), ELEMENTS / 8 + 1 + 1);
  replay_list_release(&list);
}

/// Objects of their own: the rest is found by a pointer beside the key.
static void test_one_by_one(void) {
  struct struct_advice a = advice();
  struct replay_layout layout;
  a.count.is_array = false;
  replay_layout_parts(&a, &layout);
  CHECK(layout.has_link);
  CHECK_EQUAL(layout.link_bytes, 8);
  CHECK_EQUAL(layout.strides[0], 16); // of a pool: malloc has no part in it
  CHECK_EQUAL(layout.strides[1], 56);
  replay_layout_release(&layout);
  CHECK_EQUAL(replay_chunk_bytes(1), 32);
  CHECK_EQUAL(replay_chunk_bytes(24), 32);
  CHECK_EQUAL(replay_chunk_bytes(25), 48);
}

/// Elements that no visit showed take memory, too.
static void test_unseen(void) {
  struct struct_advice a = advice();
  struct replay_list few, many;
  make(replay_layout_written, &a, &few);
  a.count.elements = 100 * ELEMENTS;
  make(replay_layout_written, &a, &many);
  CHECK_EQUAL((many.bytes - few.bytes) / SIZE >= 99 * ELEMENTS, 1);
  replay_list_release(&few);
  replay_list_release(&many);
}

/// Visits that wait, of those that no branch predicts.
static size_t waiting(enum visit_wait wait, double share,
                      void (*layout_of)(const struct struct_advice *, struct replay_layout *),
                      bool waits[ELEMENTS]) {
  struct struct_advice a = advice();
  struct replay_input input = {&visits, weights, a.count, SIZE, share};
  struct replay_layout layout;
  struct replay_list list;
  size_t count = 0, visit = 0;
  fill();
  for (uint64_t i = 0; i < ELEMENTS; i++)
    all[i].wait = wait;
  layout_of(&a, &layout);
  CHECK(replay_list_make(&input, &layout, &list));
  for (size_t i = 0; i < list.count && visit < ELEMENTS; i++)
    if (list.entries[i] & REPLAY_FIRST) {
      waits[visit] = list.entries[i] & REPLAY_DEPENDENT;
      CHECK_EQUAL((list.entries[i] & REPLAY_BRANCH) != 0, wait >= VISIT_BY_BRANCH);
      count += waits[visit++];
    }
  replay_list_release(&list);
  replay_layout_release(&layout);
  return count;
}

/// Of loops' ends fewer wait first, then of branches to other code; of both layouts the same ones.
/// What is made of the data always waits.
static void test_branches(void) {
  bool written[ELEMENTS], parts[ELEMENTS];
  for (double share = 0; share <= 1; share += 0.125) {
    CHECK_EQUAL(waiting(VISIT_FREE, share, replay_layout_written, written), 0);
    CHECK_EQUAL(waiting(VISIT_BY_DATA, share, replay_layout_written, written), ELEMENTS);
    size_t branches = waiting(VISIT_BY_BRANCH, share, replay_layout_written, written);
    size_t trips = waiting(VISIT_BY_TRIPS, share, replay_layout_written, written);
    CHECK_EQUAL(branches == ELEMENTS, share >= 0.5);
    CHECK_EQUAL(branches == 0, share == 0);
    CHECK_EQUAL(trips == ELEMENTS, share == 1);
    CHECK_EQUAL(trips == 0, share <= 0.5);
    CHECK_EQUAL(waiting(VISIT_BY_TRIPS, share, replay_layout_parts, parts), trips);
    for (size_t i = 0; i < ELEMENTS; i++)
      CHECK_EQUAL(written[i], parts[i]);
  }
}

static void test_too_large(void) {
  struct struct_advice a = advice();
  struct replay_input input = {&visits, weights, {0x1p34, true, 0}, SIZE, 1};
  struct replay_layout layout;
  struct replay_list list;
  fill();
  replay_layout_written(&a, &layout);
  CHECK(!replay_list_make(&input, &layout, &list));
  CHECK(list.bytes > UINT64_C(1) << 39);
  replay_layout_release(&layout);
}

/// Two loops, or two threads, take turns: each pass has as many windows of one as of the other, and
/// passes together have all.
static void test_turns(void) {
  enum { COUNT = 16, STEP = 2 };
  unsigned timed[COUNT] = {0};
  for (size_t pass = 0; pass < STEP; pass++) {
    unsigned odd = 0, count = 0;
    for (size_t row = 0, w; (w = replay_turn(pass, STEP, row)) < COUNT; row++) {
      odd += w % 2;
      count++;
      timed[w]++;
    }
    CHECK_EQUAL(count, COUNT / STEP);
    CHECK_EQUAL(odd, count / 2);
  }
  for (size_t w = 0; w < COUNT; w++)
    CHECK_EQUAL(timed[w], 1);
}

int main(void) {
  RUN(test_written);
  RUN(test_cycle);
  RUN(test_array);
  RUN(test_copy);
  RUN(test_one_by_one);
  RUN(test_unseen);
  RUN(test_branches);
  RUN(test_too_large);
  RUN(test_turns);
  return unit_status();
}
