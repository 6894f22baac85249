// join.c - borrows tables.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/profile/join.h"

#define BORROW(table, size) (into->table = counts->table, into->size = counts->size)

void profile_join(struct profile *into, const struct profile *counts) {
  BORROW(structs, struct_count);
  BORROW(members, member_count);
  BORROW(accesses, access_count);
  BORROW(fieldunits, fieldunit_count);
  BORROW(shadow, shadow_count);
  BORROW(shadowunits, shadowunit_count);
  BORROW(sites, site_count);
  BORROW(siteframes, siteframe_count);
  BORROW(sitewords, siteword_count);
  BORROW(sharedlines, sharedline_count);
  BORROW(pointers, pointer_count);
  BORROW(visitsites, visitsite_count);
  BORROW(visitwindows, visitwindow_count);
  BORROW(visits, visit_count);
}
