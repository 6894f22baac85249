// visit_walks.h - what visits show of a struct: how many elements there are, which come in a row.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_ANALYSIS_STRUCT_VISIT_WALKS_H
#define RETICLE_TOOLS_ANALYSIS_STRUCT_VISIT_WALKS_H

#include "tools/profile/profile.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Visits of one loop.
struct loop_walk {
  uint64_t loop; ///< stable id; 0: outside of loops
  uint64_t visits;
  uint64_t in_row;   ///< of these: as far from the one before as that from its own, and near
  uint64_t elements; ///< different ones
};

/// Start with visit_walks_make, end with visit_walks_release.
struct visit_walks {
  struct loop_walk *loops; ///< [loop_count]
  size_t loop_count;
  size_t visits;
  size_t elements_seen; ///< different ones that were visited
  /// Elements that there is room for between the lowest and the highest, in each array. A run
  /// visits others between windows, so it is at least that many. Where elements lie one by one (a
  /// variable, a stack, the heap): those that were visited, if each was many times. NaN: too few
  /// visits.
  double elements;
  bool is_array; ///< nearly all lie so many sizes from one another
};

/// record  the struct, of this profile
void visit_walks_make(const struct profile *profile, const struct profile_struct *record,
                      struct visit_walks *out);
void visit_walks_release(struct visit_walks *walks);

/// Whether the loop was seen to go through memory in a row, however it finds the next element.
bool visit_walks_in_row(const struct visit_walks *walks, uint64_t loop);
/// Whether all code was seen to come back, again and again, to so few elements that all of them
/// stay in a first cache, however many there are.
bool visit_walks_fit(const struct visit_walks *walks, uint32_t size_bytes);
/// Whether the loop was seen to come back, again and again, to so few elements that all of them
/// stay in a first cache.
///
/// size_bytes  of one
bool visit_walks_stay(const struct visit_walks *walks, uint64_t loop, uint32_t size_bytes);

#endif
