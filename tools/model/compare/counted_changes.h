// counted_changes.h - what two builds did differently, by counts that don't depend on the clock.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_MODEL_COMPARE_COUNTED_CHANGES_H
#define RETICLE_TOOLS_MODEL_COMPARE_COUNTED_CHANGES_H

#include "tools/model/compare/parted_groups.h"
#include "tools/support/problem.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// The member isn't there on that side.
#define MEMBER_NONE UINT32_MAX

/// Runs a side from which agreement says that a count is exact: less is chance too often.
#define COUNTED_RUNS_LEAST 3

struct counted_change {
  char *name;     ///< "request.hash", or the function that allocates: "serve"
  bool is_access; ///< of a field; else objects that were allocated on the heap
  double a, b;    ///< a run
};

struct moved_member {
  char *name;
  uint32_t offset_a, offset_b; ///< bytes, or MEMBER_NONE
};

struct moved_struct {
  char *name;
  uint32_t bytes_a, bytes_b;
  struct moved_member *members; ///< [count] that moved, came or went
  size_t count;
  struct parted_group
      *parted; ///< [parted_count] used together, and in more cache lines than before
  size_t parted_count;
};

/// Start with counted_changes_load, end with counted_changes_release.
struct counted_changes {
  char *unknown;                 ///< why counts aren't known; null: they are
  struct counted_change *counts; ///< [count] most changed first
  size_t count;
  struct moved_struct *structs; ///< [struct_count]
  size_t struct_count;
};

/// Compares runs of builds that count fields and allocations. What differs between runs of one side
/// is no change.
///
/// base, head  FILE@BUILD of a study
void counted_changes_load(const char *base, const char *head, struct counted_changes *out,
                          struct problems *problems);
void counted_changes_release(struct counted_changes *changes);

#endif
