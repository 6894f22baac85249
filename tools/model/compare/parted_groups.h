// parted_groups.h - fields used together that a change moved into other cache lines.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_MODEL_COMPARE_PARTED_GROUPS_H
#define RETICLE_TOOLS_MODEL_COMPARE_PARTED_GROUPS_H

#include "tools/profile/profile.h"
#include "tools/support/text.h"

/// A loop's fields, in more lines than before.
struct parted_group {
  struct text fields; ///< "px qty flags"
  struct text place;  ///< of the loop: "notional book.c:108"
  size_t lines_a, lines_b;
};

/// Finds a struct's groups that lie in more lines on side b than on side a; fields that side a
/// lacks are left out. Lines are those of an element that begins at one. Most accesses first.
///
/// a, b        merged profiles
/// of_a, of_b  the struct in each
/// count       out
///
/// Returns what parted_groups_free takes.
struct parted_group *parted_groups_find(const struct profile *a, const struct profile_struct *of_a,
                                        const struct profile *b, const struct profile_struct *of_b,
                                        size_t *count);
void parted_groups_free(struct parted_group *groups, size_t count);

#endif
