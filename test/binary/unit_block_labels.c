// unit_block_labels.c - MD5, and labels of a file without any.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/unit.h"
#include "tools/binary/block/block_labels.h"
#include "tools/binary/md5.h"

// Digests of RFC 1321's test suite: their first 8 bytes, the lowest first.
static void test_md5(void) {
  CHECK(md5_low("", 0) == UINT64_C(0x4b2008fd98c1dd4));
  CHECK(md5_low("abc", 3) == UINT64_C(0xb04fd23c98500190));
  const char *long_text = "123456789012345678901234567890123456789012345678901234567890"
                          "12345678901234567890";
  CHECK(md5_low(long_text, 80) == UINT64_C(0x55c9e32ba2f4ed57));
}

static void test_find(void) {
  struct block_label all[] = {{16, 1, 1, 0}, {16, 1, 2, 1}, {20, 1, 3, 2}, {32, 1, 4, 3}};
  struct block_labels labels = {.labels = all, .count = 4};
  size_t count;
  CHECK(block_labels_find(&labels, 16, 16, &count) == all);
  CHECK_EQUAL(count, 3);
  block_labels_find(&labels, 17, 3, &count);
  CHECK_EQUAL(count, 0);
  block_labels_find(&labels, 32, 1, &count);
  CHECK_EQUAL(count, 1);
  block_labels_find(&labels, 33, UINT64_MAX, &count);
  CHECK_EQUAL(count, 0);
}

static void test_no_section(void) {
  struct elf_file *file;
  struct block_labels labels;
  CHECK_EQUAL(elf_file_open("/proc/self/exe", &file), ELF_FILE_OK);
  CHECK(block_labels_read(file, &labels));
  CHECK_EQUAL(labels.count, 0);
  block_labels_release(&labels);
  elf_file_close(file);
}

int main(void) {
  RUN(test_md5);
  RUN(test_find);
  RUN(test_no_section);
  return unit_status();
}
