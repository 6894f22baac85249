// unit_allocation_types.c - reads the section of types; damaged lines are left out.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "include/reticle/abi.h"
#include "test/unit.h"
#include "tools/binary/allocation_types.h"

#include <string.h>

static const char text[] =
    RETICLE_TYPES_HEAD "\n"
                       "S\t24\t7\torder\tbook.c\n"
                       "M\t0\t4\tid\n"
                       "M\t8\t16\tnote\n"
                       "A\t10\t5\t2\t0\t24\tstruct order\tmake\t/a/book.c\n"
                       "A\t10\t5\t1\t-\t4\tint\tmake\t/b/book.c\n"
                       "A\t11\t9\t8\t-\t0\t\tcheck\tbook.c\n"
                       "A\t12\t9\t1\t7\t24\tstruct gone\tbad\tbook.c\n"  // no such struct
                       "A\t12\tx\t1\t0\t24\tstruct order\tbad\tbook.c\n" // no number
                       "A\t12\t9\t1\t0\t24\tstruct order\tbad\n"         // a field is missing
                       "\0\0" RETICLE_TYPES_HEAD "\n"
                       "S\t8\t1\tpair\tp.c\n"
                       "G\t3\t2\t0\t8\tstruct pair\ttable\tp.c\n"
                       "Z\t1\n"
                       "A\t9\t9\t1\t0\t8\tstruct pair\tlast\tp.c"; // no end of line

static void test_reads(void) {
  struct allocation_types *types = allocation_types_read(text, sizeof text - 1);
  size_t count;
  CHECK(types != NULL);
  const struct allocation_place *p = allocation_types_find(types, "make", 10, 5, &count);
  CHECK_EQUAL(count, 2);
  p += strcmp(p->file, "/a/book.c") != 0; // in any order
  CHECK(strcmp(p->type, "struct order") == 0);
  CHECK_EQUAL(p->flags, RETICLE_ALLOCATION_ARRAY);
  CHECK_EQUAL(p->size_bytes, 24);
  CHECK(p->structure && strcmp(p->structure->name, "order") == 0);
  CHECK_EQUAL(p->structure->line, 7);
  CHECK_EQUAL(p->structure->member_count, 2);
  CHECK(strcmp(p->structure->members[1].name, "note") == 0);
  CHECK_EQUAL(p->structure->members[1].offset_bytes, 8);
  p = allocation_types_find(types, "check", 11, 9, &count);
  CHECK_EQUAL(count, 1);
  CHECK(*p->type == 0 && !p->structure && p->flags == RETICLE_ALLOCATION_RETURNED);
  allocation_types_find(types, "bad", 12, 9, &count);
  CHECK_EQUAL(count, 0);
  allocation_types_find(types, "make", 10, 6, &count);
  CHECK_EQUAL(count, 0);
  p = allocation_types_find(types, "table", 3, 0, &count);
  CHECK_EQUAL(count, 1);
  CHECK(p->structure && strcmp(p->structure->name, "pair") == 0 && p->structure->member_count == 0);
  p = allocation_types_find(types, "last", 9, 9, &count);
  CHECK_EQUAL(count, 1);
  allocation_types_release(types);
}

static void test_empty(void) {
  size_t count;
  struct allocation_types *types = allocation_types_read("", 0);
  CHECK(types != NULL);
  allocation_types_find(types, "make", 10, 5, &count);
  CHECK_EQUAL(count, 0);
  allocation_types_release(types);
}

int main(void) {
  RUN(test_reads);
  RUN(test_empty);
  return unit_status();
}
