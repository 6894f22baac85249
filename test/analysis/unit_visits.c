// unit_visits.c - visits as windows have them: written, read, cut off; and what waits.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/analysis/struct/visits.h"

#include "include/reticle/visit.h"
#include "test/unit.h"

static void test_round_trip(void) {
  static const uint64_t addresses[] = {
      0x7f0000001010, 0x7f0000001040, 0x7f0000001010, 0, UINT64_MAX, 1, 0x7fffffffffff};
  enum { COUNT = sizeof addresses / sizeof *addresses };
  struct reticle_visit_codec codec = {0};
  uint8_t bytes[COUNT * RETICLE_VISIT_BYTES_MOST];
  size_t used = 0;
  for (uint32_t i = 0; i < COUNT; i++) {
    size_t n = reticle_visit_put(&codec, bytes + used, 1 + i * 600, addresses[i]);
    CHECK(n && n <= RETICLE_VISIT_BYTES_MOST);
    used += n;
  }
  codec = (struct reticle_visit_codec){0};
  size_t at = 0;
  for (uint32_t i = 0; i < COUNT; i++) {
    uint32_t site;
    uint64_t address;
    size_t n = reticle_visit_get(&codec, bytes + at, used - at, &site, &address);
    CHECK(n);
    CHECK_EQUAL(site, 1 + i * 600);
    CHECK_EQUAL(address, addresses[i]);
    at += n;
  }
  CHECK_EQUAL(at, used);
}

static void test_small_steps(void) {
  struct reticle_visit_codec codec = {0};
  uint8_t bytes[RETICLE_VISIT_BYTES_MOST];
  reticle_visit_put(&codec, bytes, 5, 0x7f0000001000);
  CHECK_EQUAL(reticle_visit_put(&codec, bytes, 5, 0x7f0000001030), 2); // 48 on: a byte each
  CHECK_EQUAL(reticle_visit_put(&codec, bytes, 5, 0x7f0000001000), 2); // and back
}

static void test_no_visits(void) {
  struct reticle_visit_codec codec = {0};
  uint32_t site;
  uint64_t address;
  static const uint8_t cut[] = {0x81}, zero[] = {0, 2}, large[] = {0x80, 0x80, 1, 2},
                       endless[] = {1,    0x80, 0x80, 0x80, 0x80, 0x80,
                                    0x80, 0x80, 0x80, 0x80, 0x80, 1};
  CHECK_EQUAL(reticle_visit_get(&codec, cut, 0, &site, &address), 0);
  CHECK_EQUAL(reticle_visit_get(&codec, cut, sizeof cut, &site, &address), 0);
  CHECK_EQUAL(reticle_visit_get(&codec, zero, sizeof zero, &site, &address), 0);
  CHECK_EQUAL(reticle_visit_get(&codec, large, sizeof large, &site, &address), 0);
  CHECK_EQUAL(reticle_visit_get(&codec, endless, sizeof endless, &site, &address), 0);
}

// --- a profile with one window

enum { NODE = 77, OTHER = 78 };

static struct profile_struct structs[] = {{.id = NODE, .name = "node", .size_bytes = 48}};
static struct profile_member members[] = {
    {.structure = 0, .name = "next", .size_bytes = 8},
    {.structure = 0, .name = "values", .offset_bytes = 16, .size_bytes = 32}};
static struct profile_visitsite sites[] = {
    {.id = 1,
     .loop = 9,
     .structure = NODE,
     .number = 1,
     .bytes = 8,
     .times = 1,
     .flags = RETICLE_ACCESS_READ | RETICLE_ACCESS_DEPENDENT,
     .function = "walk"},
    {.id = 2,
     .loop = 9,
     .structure = OTHER,
     .number = 2,
     .bytes = 8,
     .times = 1,
     .flags = RETICLE_ACCESS_READ,
     .function = "walk"},
    {.id = 3,
     .loop = 9,
     .structure = NODE,
     .number = 3,
     .back_bytes = 16,
     .offset_bytes = 16,
     .bytes = 4,
     .times = 1,
     .flags = RETICLE_ACCESS_READ,
     .function = "walk"},
};
static union {
  struct profile_visit records[8];
  uint8_t bytes[512];
} data;
static struct profile_visitwindow window;
static struct profile profile = {.structs = structs,
                                 .struct_count = 1,
                                 .members = members,
                                 .member_count = 2,
                                 .visitsites = sites,
                                 .visitsite_count = 3,
                                 .visitwindows = &window,
                                 .visitwindow_count = 1,
                                 .visits = data.records,
                                 .visit_count = 8};

static void fill(const uint32_t *numbers, const uint64_t *addresses, size_t count) {
  struct reticle_visit_codec codec = {0};
  window = (struct profile_visitwindow){0};
  memset(&data, 0, sizeof data);
  for (size_t i = 0; i < count; i++)
    window.bytes +=
        (uint32_t)reticle_visit_put(&codec, data.bytes + window.bytes, numbers[i], addresses[i]);
}

/// A field that is read and written is counted twice, though its line is touched once. Outside of
/// loops each function has its own counts.
static void test_weights(void) {
  static const struct profile_visitsite both = {.times = 1,
                                                .flags =
                                                    RETICLE_ACCESS_READ | RETICLE_ACCESS_WRITE},
                                        vector = {.times = 4, .flags = RETICLE_ACCESS_READ},
                                        copy = {.times = 1,
                                                .flags = RETICLE_ACCESS_READ | RETICLE_ACCESS_COPY};
  static const struct profile_visitsite *touches[] = {&both, &vector, &copy};
  static struct visit_place places[] = {
      {.touches = touches, .touch_count = 3, .loop = 9, .function = "walk", .visits = 10},
      {.touches = touches, .touch_count = 1, .function = "up", .visits = 5},
      {.touches = touches, .touch_count = 1, .function = "down", .visits = 5}};
  static const struct struct_loop loops[] = {
      {.loop = 9, .function = "walk", .reads = 1000, .writes = 200},
      {.function = "up", .reads = 10, .writes = 10},
      {.function = "down", .reads = 30, .writes = 30},
      {.function = "other", .reads = 720}};
  const struct visits visits = {.places = places, .place_count = 3};
  double weights[3];
  CHECK_NEAR(visits_weigh(&visits, loops, 4, weights), 1280.0 / 2000, 1e-9);
  CHECK_NEAR(weights[0], 20, 1e-9); // 6 accesses a visit, 60 noted
  CHECK_NEAR(weights[1], 2, 1e-9);
  CHECK_NEAR(weights[2], 6, 1e-9);
}

/// Of a loop that only copies its copies are counted.
static void test_weights_of_copies(void) {
  static const struct profile_visitsite copy = {.times = 1,
                                                .flags = RETICLE_ACCESS_READ | RETICLE_ACCESS_COPY};
  static const struct profile_visitsite *touches[] = {&copy};
  static struct visit_place place = {
      .touches = touches, .touch_count = 1, .loop = 9, .function = "walk", .visits = 10};
  static const struct profile_access counted = {
      .count = 500, .times = 1, .flags = RETICLE_ACCESS_READ | RETICLE_ACCESS_COPY};
  static const struct profile_access *accesses[] = {&counted};
  static const struct struct_loop loop = {
      .loop = 9, .function = "walk", .accesses = accesses, .access_count = 1};
  const struct visits visits = {.places = &place, .place_count = 1};
  double weight;
  CHECK_NEAR(visits_weigh(&visits, &loop, 1, &weight), 1, 1e-9);
  CHECK_NEAR(weight, 50, 1e-9);
}

static void test_elements(void) {
  static const uint32_t numbers[] = {1, 2, 1, 3};
  // The last one is the third of `values` of the second element: which one isn't known.
  static const uint64_t addresses[] = {0x1000, 0x9000, 0x1030, 0x1030 + 16 + 8};
  struct visits v;
  fill(numbers, addresses, 4);
  visits_make(&profile, &structs[0], &v);
  CHECK_EQUAL(v.noted, 4);
  CHECK_EQUAL(v.count, 3);
  CHECK_EQUAL(v.window_count, 1);
  CHECK_EQUAL(v.element_count, 2);
  CHECK_EQUAL(v.elements[0], 0x1000);
  CHECK_EQUAL(v.elements[1], 0x1030);
  CHECK_EQUAL(v.all[2].element, 0x1030);
  CHECK(v.places[v.all[2].place].is_vague);
  CHECK_EQUAL(v.places[v.all[0].place].exposure, EXPOSURE_DEPENDENT);
  CHECK_EQUAL(v.all[1].wait, VISIT_BY_DATA);
  CHECK(!v.is_damaged);
  visits_release(&v);
}

static void test_damaged(void) {
  static const uint32_t numbers[] = {1, 1};
  static const uint64_t addresses[] = {0x1000, 0x1030};
  struct visits v;
  fill(numbers, addresses, 2);
  data.bytes[window.bytes - 1] |= 0x80; // the last number doesn't end
  visits_make(&profile, &structs[0], &v);
  CHECK_EQUAL(v.count, 1);
  CHECK(v.is_damaged);
  visits_release(&v);
}

/// Visits of two places in turn are predicted; what follows no rule isn't, half of the time.
static void test_predict(void) {
  enum { COUNT = 4000 };
  struct visit_place places[2] = {{.exposure = EXPOSURE_INDEPENDENT},
                                  {.exposure = EXPOSURE_INDEPENDENT}};
  static struct visit all[COUNT];
  struct visit_window one = {.visits = all, .count = COUNT};
  struct visits v = {.places = places, .place_count = 2, .windows = &one, .window_count = 1};
  size_t waits = 0;
  uint32_t random = 1;
  for (size_t i = 0; i < COUNT; i++)
    all[i] = (struct visit){.element = 64 * i, .place = i % 2};
  visits_predict(&v, 64);
  for (size_t i = 0; i < COUNT; i++)
    waits += all[i].wait != VISIT_FREE;
  CHECK(waits < 50);
  for (size_t i = 0; i < COUNT; i++) {
    random = random * 1664525u + 1013904223u;
    all[i] = (struct visit){.element = 64 * i, .place = random >> 31};
  }
  visits_predict(&v, 64);
  waits = 0;
  for (size_t i = 0; i < COUNT; i++)
    waits += all[i].wait != VISIT_FREE;
  CHECK(waits > COUNT / 3 && waits < 2 * COUNT / 3);
}

int main(void) {
  RUN(test_round_trip);
  RUN(test_small_steps);
  RUN(test_no_visits);
  RUN(test_weights);
  RUN(test_weights_of_copies);
  RUN(test_elements);
  RUN(test_damaged);
  RUN(test_predict);
  return unit_status();
}
