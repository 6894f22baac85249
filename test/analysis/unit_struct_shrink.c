// unit_struct_shrink.c - which fields may be narrower, and how small the struct is then.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/analysis/struct/struct_shrink.h"

#include "include/reticle/values.h"
#include "test/unit.h"

enum { INTEGER = RETICLE_ACCESS_READ | RETICLE_ACCESS_INTEGER };

static struct profile_struct record = {.id = 7, .name = "order", .size_bytes = 24};
static struct profile_member members[3] = {{.name = "id", .size_bytes = 8},
                                           {.name = "side", .offset_bytes = 8, .size_bytes = 4},
                                           {.name = "sum", .offset_bytes = 16, .size_bytes = 8}};
static const struct struct_use use = {.record = &record};
static struct advice_item items[3] = {{&members[0], 1}, {&members[1], 1}, {&members[2], 1}};
static struct layout_item layout_items[3] = {{8, 8, false}, {4, 4, false}, {8, 8, false}};
static struct profile_visitsite sites[4];
static const struct profile profile = {.visitsites = sites, .visitsite_count = 4};

static struct struct_advice advice(void) {
  return (struct struct_advice){.use = &use,
                                .items = items,
                                .item_count = 3,
                                .layout_items = layout_items,
                                .count = {1000, true, 0}};
}

static void fill(void) {
  sites[0] = (struct profile_visitsite){.structure = 7,
                                        .bytes = 8,
                                        .flags = INTEGER,
                                        .values = 900,
                                        .unsigned_bits = 14,
                                        .signed_bits = 15};
  sites[1] = (struct profile_visitsite){.structure = 7,
                                        .bytes = 8,
                                        .flags = INTEGER,
                                        .values = 200,
                                        .unsigned_bits = 10,
                                        .signed_bits = 11};
  sites[2] = (struct profile_visitsite){.structure = 7,
                                        .offset_bytes = 8,
                                        .bytes = 4,
                                        .flags = INTEGER,
                                        .values = 5000,
                                        .unsigned_bits = 32,
                                        .signed_bits = 2};
  sites[3] = (struct profile_visitsite){.structure = 7,
                                        .offset_bytes = 16,
                                        .bytes = 8,
                                        .flags = INTEGER,
                                        .values = 5000,
                                        .unsigned_bits = 31,
                                        .signed_bits = 32};
}

static void test_narrower(void) {
  struct struct_advice a = advice();
  struct struct_shrink shrink;
  fill();
  struct_shrink_make(&profile, &a, &shrink);
  CHECK_EQUAL(shrink.count, 2); // sum has no room in 32 bits
  CHECK_EQUAL(shrink.fields[0].bytes, 2);
  CHECK_EQUAL(shrink.fields[0].bits, 14);
  CHECK_EQUAL(shrink.fields[0].values, 1100);
  CHECK_EQUAL(shrink.fields[1].bytes, 1);
  CHECK(shrink.fields[1].is_signed);
  CHECK_EQUAL(shrink.size_bytes, 16);
  struct_shrink_release(&shrink);
}

static size_t count(const struct struct_advice *a) {
  struct struct_shrink shrink;
  struct_shrink_make(&profile, a, &shrink);
  size_t n = shrink.count;
  struct_shrink_release(&shrink);
  return n;
}

static void test_refused(void) {
  struct struct_advice a = advice();
  fill();
  sites[1].flags = RETICLE_ACCESS_READ; // a double
  CHECK_EQUAL(count(&a), 0);            // side alone saves nothing
  fill();
  sites[1].bytes = 4; // of its lower half
  CHECK_EQUAL(count(&a), 0);
  fill();
  sites[0].values = 700; // 900 in all
  CHECK_EQUAL(count(&a), 0);
  fill();
  record.size_bytes = 272; // a sum of 256 bytes: 8 saved are less than a sixteenth
  layout_items[2].size_bytes = 256;
  CHECK_EQUAL(count(&a), 0);
  record.size_bytes = 24;
  layout_items[2].size_bytes = 8;
  a.count.elements = 1;
  CHECK_EQUAL(count(&a), 0);
  a.count.elements = 0.0 / 0.0; // not known
  CHECK_EQUAL(count(&a), 2);
}

static void test_values(void) {
  uint32_t values = reticle_values_add(0, 0, 8);
  CHECK_EQUAL(reticle_values_count(values), 1);
  CHECK_EQUAL(reticle_values_unsigned_bits(values), 0);
  CHECK_EQUAL(reticle_values_signed_bits(values), 1);
  values = reticle_values_add(values, 255, 8);
  CHECK_EQUAL(reticle_values_unsigned_bits(values), 8);
  CHECK_EQUAL(reticle_values_signed_bits(values), 9);
  values = reticle_values_add(values, UINT64_MAX, 8);
  CHECK_EQUAL(reticle_values_unsigned_bits(values), 64);
  CHECK_EQUAL(reticle_values_signed_bits(values), 9);
  values = reticle_values_add(values, UINT64_C(1) << 63, 8);
  CHECK_EQUAL(reticle_values_signed_bits(values), 64);
  values = reticle_values_add(0, 0xdead8000, 2);
  CHECK_EQUAL(reticle_values_unsigned_bits(values), 16);
  CHECK_EQUAL(reticle_values_signed_bits(values), 16);
  for (unsigned i = 0; i < 300000; i++)
    values = reticle_values_add(values, 1, 2);
  CHECK_EQUAL(reticle_values_count(values), RETICLE_VALUES_MOST);
  CHECK_EQUAL(reticle_values_unsigned_bits(values), 16);
}

int main(void) {
  RUN(test_narrower);
  RUN(test_refused);
  RUN(test_values);
  return unit_status();
}
