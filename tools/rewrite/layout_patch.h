// layout_patch.h - an advised layout as a change of the source: a diff that `patch -p1` applies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_REWRITE_LAYOUT_PATCH_H
#define RETICLE_TOOLS_REWRITE_LAYOUT_PATCH_H

#include "tools/model/measurement/measurement.h"
#include "tools/rewrite/layout_units.h"
#include "tools/rewrite/layout_values.h"
#include "tools/support/problem.h"

/// The struct and the file that defines it.
struct layout_patch {
  struct problems *problems;
  const struct measurement *measurement;
  const struct struct_advice *advice;
  struct layout_sources sources;      ///< of the program
  const struct layout_source *source; ///< that defines the struct
  struct layout_body body;
  struct layout_units units;
  struct layout_names names; ///< what the source calls the struct
  bool is_reordered;         ///< else the source gets a comment alone
  uint32_t align_bytes;      ///< as asked for; 0: as it is
  bool has_tag;              ///< "struct NAME" is its name, not only a typedef
  double lines;              ///< a visit, in the order that the source allows
  uint64_t *offsets;         ///< [item_count] bytes in that order
  uint64_t size_bytes;
};

/// Writes the diff, and in front of it, behind '#', what is left to do by hand.
///
/// align_bytes  the struct gets this alignment; 0: it keeps its own
/// root         what paths in the diff are relative to; null: the current folder where it holds the
///              sources, else the folder that holds all of them
///
/// Returns PROBLEM_NONE, or PROBLEM_USAGE or PROBLEM_UNREADABLE after saying why there is no patch.
int layout_patch_add(const struct measurement *measurement, const struct struct_advice *advice,
                     uint32_t align_bytes, const char *root, struct text *out,
                     struct problems *problems);

/// Adds the assertions and the comment for behind the declaration. layout_patch_text.c.
void layout_patch_add_asserts(const struct layout_patch *patch, struct text *out);
/// Adds the new declarations of a split or an array as a comment. layout_patch_parts.c.
void layout_patch_add_parts(const struct layout_patch *patch, struct text *out);
/// Adds the accesses that a split or an array changes, most executed first.
void layout_patch_add_accesses(const struct layout_patch *patch, struct text *out);

#endif
