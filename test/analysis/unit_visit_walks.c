// unit_visit_walks.c - elements and steps of visits that are made here.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/analysis/struct/visit_walks.h"

#include "include/reticle/visit.h"
#include "test/unit.h"

#include <math.h>

enum { NODE = 77, COUNT = 4000, RECORDS = 1024 };

static struct profile_struct structs[] = {{.id = NODE, .name = "node", .size_bytes = 48}};
static struct profile_member members[] = {{.structure = 0, .name = "next", .size_bytes = 8}};
static struct profile_visitsite sites[2]; // of loops 9 and 10
static union {
  struct profile_visit records[RECORDS];
  uint8_t bytes[64 * RECORDS];
} data;
static struct profile_visitwindow window;
static struct profile profile = {.structs = structs,
                                 .struct_count = 1,
                                 .members = members,
                                 .member_count = 1,
                                 .visitsites = sites,
                                 .visitsite_count = 2,
                                 .visitwindows = &window,
                                 .visitwindow_count = 1,
                                 .visits = data.records,
                                 .visit_count = RECORDS};

/// Half of the visits in a row, the others anywhere; so many bytes from one element to the next.
static void fill(size_t count, uint64_t step) {
  struct reticle_visit_codec codec = {0};
  uint32_t random = 1;
  window = (struct profile_visitwindow){0};
  memset(&data, 0, sizeof data);
  for (uint32_t i = 0; i < 2; i++)
    sites[i] = (struct profile_visitsite){.id = 1 + i,
                                          .loop = 9 + i,
                                          .structure = NODE,
                                          .number = 1 + i,
                                          .bytes = 8,
                                          .times = 1,
                                          .flags = RETICLE_ACCESS_READ | RETICLE_ACCESS_DEPENDENT,
                                          .function = "walk"};
  for (size_t i = 0; i < count; i++) {
    random = random * 1664525u + 1013904223u;
    uint64_t element = i % 2 ? (random >> 8) % COUNT : i / 2;
    window.bytes += (uint32_t)reticle_visit_put(
        &codec, data.bytes + window.bytes, (uint32_t)(1 + i % 2), 0x7f0000000000 + element * step);
  }
}

static void test_an_array(void) {
  struct visit_walks walks;
  fill(2 * COUNT, 48);
  visit_walks_make(&profile, &structs[0], &walks);
  CHECK_EQUAL(walks.visits, 2 * COUNT);
  CHECK(walks.is_array);
  CHECK_NEAR(walks.elements, COUNT, 2);
  CHECK(visit_walks_in_row(&walks, 9));
  CHECK(!visit_walks_in_row(&walks, 10));
  CHECK(!visit_walks_in_row(&walks, 11));
  visit_walks_release(&walks);
}

/// Allocated one by one, 64 bytes from one to the next: in a row, but how many there are is open.
static void test_objects(void) {
  struct visit_walks walks;
  fill(2 * COUNT, 64);
  visit_walks_make(&profile, &structs[0], &walks);
  CHECK(!walks.is_array);
  CHECK(isnan(walks.elements));
  CHECK(visit_walks_in_row(&walks, 9));
  visit_walks_release(&walks);
}

/// Loop 9 goes round over so many elements, loop 10 over 512 of them.
static bool stays(size_t elements, uint32_t size_bytes) {
  struct visit_walks walks;
  fill(2 * COUNT, 48);
  struct reticle_visit_codec codec = {0};
  window.bytes = 0;
  memset(&data, 0, sizeof data);
  for (size_t i = 0; i < 2 * COUNT; i++)
    window.bytes +=
        (uint32_t)reticle_visit_put(&codec, data.bytes + window.bytes, (uint32_t)(1 + i % 2),
                                    0x7f0000000000 + 48 * (i % 2 ? i % 1024 : i / 2 % elements));
  visit_walks_make(&profile, &structs[0], &walks);
  CHECK(!visit_walks_stay(&walks, 10, size_bytes)); // each eight times
  CHECK(!visit_walks_stay(&walks, 11, size_bytes));
  bool result = visit_walks_stay(&walks, 9, size_bytes);
  visit_walks_release(&walks);
  return result;
}

static void test_few(void) {
  CHECK(stays(3, 48));
  CHECK(stays(80, 48));   // 50 times each
  CHECK(!stays(81, 48));  // 49 times
  CHECK(!stays(80, 480)); // 40 kB
}

/// Always the same one, as a variable on the stack is.
static void test_one_object(void) {
  struct visit_walks walks;
  fill(2 * COUNT, 0);
  visit_walks_make(&profile, &structs[0], &walks);
  CHECK(!walks.is_array);
  CHECK_NEAR(walks.elements, 1, 0);
  visit_walks_release(&walks);
}

static void test_few_visits(void) {
  struct visit_walks walks;
  fill(1000, 48);
  visit_walks_make(&profile, &structs[0], &walks);
  CHECK(isnan(walks.elements));
  CHECK(!visit_walks_in_row(&walks, 9));
  visit_walks_release(&walks);
}

/// Whether so many elements, visited 8,000 times by all code, stay in a first cache.
static bool fit(size_t elements, uint32_t size_bytes) {
  struct reticle_visit_codec codec = {0};
  struct visit_walks walks;
  fill(0, 0);
  for (size_t i = 0; i < 2 * COUNT; i++)
    window.bytes +=
        (uint32_t)reticle_visit_put(&codec, data.bytes + window.bytes, (uint32_t)(1 + i % 2),
                                    0x7f0000000000 + 48 * (i % elements));
  visit_walks_make(&profile, &structs[0], &walks);
  CHECK_EQUAL(walks.elements_seen, elements);
  bool result = visit_walks_fit(&walks, size_bytes);
  visit_walks_release(&walks);
  return result;
}

static void test_all_fit(void) {
  CHECK(fit(160, 192)); // 30 kB, each 50 times
  CHECK(!fit(161, 192));
  CHECK(!fit(160, 256)); // 41 kB
  CHECK(!fit(COUNT, 1));
}

/// A single object that is seldom used: windows far apart see the same one. One window may see one
/// of many.
static void test_few_of_one(void) {
  struct profile_visitwindow windows[3];
  for (size_t count = 1; count <= 3; count += 2) {
    struct visit_walks walks;
    struct profile several = profile;
    fill(120, 0);
    for (size_t i = 0; i < 3; i++)
      windows[i] = window;
    several.visitwindows = windows;
    several.visitwindow_count = count;
    visit_walks_make(&several, &structs[0], &walks);
    if (count == 1)
      CHECK(isnan(walks.elements));
    else
      CHECK_NEAR(walks.elements, 1, 0);
    visit_walks_release(&walks);
  }
}

int main(void) {
  RUN(test_an_array);
  RUN(test_objects);
  RUN(test_few);
  RUN(test_one_object);
  RUN(test_few_visits);
  RUN(test_few_of_one);
  RUN(test_all_fit);
  return unit_status();
}
