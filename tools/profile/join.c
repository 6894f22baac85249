// join.c - borrows tables.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/profile/join.h"

#define BORROW(from, table, size) (into->table = (from)->table, into->size = (from)->size)

void profile_join(struct profile *into, const struct profile *counts) {
  BORROW(counts, structs, struct_count);
  BORROW(counts, members, member_count);
  BORROW(counts, accesses, access_count);
  BORROW(counts, fieldunits, fieldunit_count);
  BORROW(counts, shadow, shadow_count);
  BORROW(counts, shadowunits, shadowunit_count);
  BORROW(counts, sites, site_count);
  BORROW(counts, siteframes, siteframe_count);
  BORROW(counts, sitewords, siteword_count);
  BORROW(counts, sharedlines, sharedline_count);
  BORROW(counts, pointers, pointer_count);
  BORROW(counts, visitsites, visitsite_count);
  BORROW(counts, visitwindows, visitwindow_count);
  BORROW(counts, visits, visit_count);
}

void profile_join_bounds(struct profile *into, const struct profile *bound) {
  BORROW(bound, bounds, bound_count);
  BORROW(bound, boundtimes, boundtime_count);
}
