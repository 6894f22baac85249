// join.c - borrows tables.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/profile/join.h"

#define BORROW(table, count) (into->table = from->table, into->count = from->count)

static void borrow_counts(struct profile *into, const struct profile *from) {
  BORROW(structs, struct_count);
  BORROW(members, member_count);
  BORROW(accesses, access_count);
  BORROW(fieldunits, fieldunit_count);
}

static void borrow_memory(struct profile *into, const struct profile *from) {
  BORROW(shadow, shadow_count);
  BORROW(shadowunits, shadowunit_count);
  BORROW(sites, site_count);
  BORROW(siteframes, siteframe_count);
  BORROW(sitewords, siteword_count);
  BORROW(sharedlines, sharedline_count);
  BORROW(pointers, pointer_count);
}

void profile_join(struct profile *into, const struct profile *counts,
                  const struct profile *memory) {
  if (counts)
    borrow_counts(into, counts);
  if (memory)
    borrow_memory(into, memory);
}
