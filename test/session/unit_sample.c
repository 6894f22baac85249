// unit_sample.c - which file a sampled address belongs to at its time, and the table of addresses.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/feature/sample/sample_parts.h"
#include "runtime/support/maps.h"
#include "runtime/support/strings.h"
#include "test/unit.h"

#include <string.h>

// What the process would have mapped.
static struct rrt_mapping mapped[4];
static unsigned mapped_count;

void rrt_maps_visit(int (*visit)(const struct rrt_mapping *, void *), void *context) {
  for (unsigned i = 0; i < mapped_count && !visit(&mapped[i], context); i++)
    ;
}

int rrt_maps_identify(const struct rrt_mapping *head, uint64_t *bias, uint32_t *build_id) {
  *bias = head->low;
  *build_id = rrt_strings_add("abcd");
  return 0;
}

static const unsigned char id_a[20] = {0xaa}, id_b[20] = {0xbb};

static const char *path_at(uint64_t address, uint64_t time_ns, uint64_t *offset) {
  uint32_t count, file = rrt_sample_map_find(address, time_ns, offset);
  const struct reticle_file_loadfile *files = rrt_sample_files(&count);
  return file == RRT_SAMPLE_UNMAPPED ? "" : rrt_strings_data() + files[file].path;
}

static void test_replaced(void) {
  uint64_t offset = 0;
  CHECK_EQUAL(rrt_sample_map_open(), 0);
  rrt_sample_map_add(0x1000, 0x1000, 0x400, "/a.so", id_a, 20, 100);
  rrt_sample_map_add(0x1800, 0x1000, 0, "/b.so", id_b, 20, 200);
  CHECK_TEXT(path_at(0x1810, 150, &offset), "/a.so");
  CHECK_EQUAL(offset, 0xc10);
  CHECK_TEXT(path_at(0x1810, 250, &offset), "/b.so");
  CHECK_EQUAL(offset, 0x10);
  CHECK_TEXT(path_at(0x1010, 250, &offset), "/a.so"); // where nothing took its place
  CHECK_TEXT(path_at(0x1010, 50, &offset), "");
  CHECK_TEXT(path_at(0x2800, 250, &offset), "");
  CHECK_TEXT(path_at(0xfff, 250, &offset), "");
  // A note that comes late is put where its time says.
  rrt_sample_map_add(0x1800, 0x100, 0, "/c.so", id_b, 20, 180);
  CHECK_TEXT(path_at(0x1810, 190, &offset), "/c.so");
  CHECK_TEXT(path_at(0x1810, 250, &offset), "/b.so");
}

static void test_same_file(void) {
  uint32_t count;
  CHECK_EQUAL(rrt_sample_map_open(), 0);
  for (uint64_t i = 0; i < 3; i++) // opened three times
    rrt_sample_map_add(0x1000 * (i + 1), 0x1000, 0, "/a.so", id_a, 20, 100 * i);
  rrt_sample_map_add(0x9000, 0x1000, 0, "/a.so", id_b, 20, 400); // and built again
  const struct reticle_file_loadfile *files = rrt_sample_files(&count);
  CHECK_EQUAL(count, 2);
  CHECK_TEXT(rrt_strings_data() + files[0].build_id, "aa00000000000000000000000000000000000000");
}

static void test_read(void) {
  uint64_t offset;
  uint32_t count;
  CHECK_EQUAL(rrt_sample_map_open(), 0);
  mapped[0] = (struct rrt_mapping){0x1000, 0x2000, 0, 0, "/app"};
  mapped[1] = (struct rrt_mapping){0x2000, 0x3000, 0x1000, 1, "/app"};
  mapped[2] = (struct rrt_mapping){0x8000, 0x9000, 0, 1, ""};
  mapped[3] = (struct rrt_mapping){0xa000, 0xb000, 0, 1, "[vdso]"};
  mapped_count = 4;
  for (int again = 0; again < 3; again++)
    rrt_sample_map_read((uint64_t)again * 10);
  CHECK_TEXT(path_at(0x2010, 5, &offset), "/app");
  CHECK_EQUAL(offset, 0x1010);
  CHECK_TEXT(path_at(0x1010, 5, &offset), ""); // no code
  CHECK_TEXT(path_at(0x8123, 5, &offset), "[anonymous]");
  CHECK_EQUAL(offset, 0);
  CHECK_TEXT(path_at(0xa020, 5, &offset), "[vdso]");
  CHECK_EQUAL(offset, 0x20);
  const struct reticle_file_loadfile *files = rrt_sample_files(&count);
  CHECK_EQUAL(count, 3);
  CHECK_TEXT(rrt_strings_data() + files[0].build_id, "abcd");
  // Another library where there was one.
  mapped[1].path = "/other.so";
  rrt_sample_map_read(100);
  CHECK_TEXT(path_at(0x2010, 50, &offset), "/app");
  CHECK_TEXT(path_at(0x2010, 100, &offset), "/other.so");
}

static void test_bound(void) {
  // A program that maps code without end: the newest place counts, the memory stays.
  uint64_t offset;
  CHECK_EQUAL(rrt_sample_map_open(), 0);
  for (uint64_t i = 0; i < 100000; i++)
    rrt_sample_map_add(0x1000 + (i % 7) * 0x1000, 0x1000, i, "/a.so", id_a, 20, i + 1);
  CHECK_TEXT(path_at(0x1000, 200000, &offset), "/a.so");
  CHECK_EQUAL(offset, 99995); // the last multiple of 7
}

static void test_table(void) {
  uint32_t slots, used = 0, full = 0;
  uint64_t samples = 0;
  CHECK_EQUAL(rrt_sample_table_open(), 0);
  for (int round = 0; round < 2; round++)
    for (uint64_t i = 0; i < 100000; i++)
      full += rrt_sample_table_add((uint32_t)(i % 3), i * 5, 10) < 0;
  const struct reticle_file_address *table = rrt_sample_table(&slots);
  for (uint32_t i = 0; i < slots; i++) {
    used += table[i].samples != 0;
    samples += table[i].samples;
    CHECK(!table[i].samples || (table[i].samples == 2 && table[i].time_ns == 20));
  }
  CHECK_EQUAL(slots, 131072);
  CHECK_EQUAL(used, 131072 * 3 / 4);
  CHECK_EQUAL(samples + full, 200000);
  CHECK_EQUAL(rrt_sample_table_open(), 0); // after fork
  table = rrt_sample_table(&slots);
  for (uint32_t i = 0; i < slots; i++)
    CHECK_EQUAL(table[i].samples, 0);
}

int main(void) {
  CHECK_EQUAL(rrt_strings_open(), 0);
  RUN(test_replaced);
  RUN(test_same_file);
  RUN(test_read);
  RUN(test_bound);
  RUN(test_table);
  return unit_status();
}
