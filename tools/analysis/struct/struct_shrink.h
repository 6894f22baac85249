// struct_shrink.h - integer fields that are wider than the values seen in them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A suggestion: values are those of visits in windows, which are a hundredth of a run's.
#ifndef RETICLE_TOOLS_ANALYSIS_STRUCT_STRUCT_SHRINK_H
#define RETICLE_TOOLS_ANALYSIS_STRUCT_STRUCT_SHRINK_H

#include "tools/analysis/struct/struct_advice.h"

/// Values below which nothing is said of a field.
#define SHRINK_VALUES_LEAST 1000u
/// Bits beyond the widest value that a narrower type must have.
#define SHRINK_ROOM_BITS 2u
/// Of the struct's size, what must be saved: one in so many.
#define SHRINK_SAVES_LEAST 16u

struct shrink_field {
  const struct profile_member *member;
  uint64_t values; ///< seen
  uint32_t bits;   ///< that the widest of them took
  bool is_signed;  ///< as a two's complement: some were negative
  uint32_t bytes;  ///< of a type that would do
};

/// Start with struct_shrink_make, end with struct_shrink_release.
struct struct_shrink {
  struct shrink_field *fields; ///< [count] in the order written; none where it saves nothing
  size_t count;
  uint32_t size_bytes; ///< of the struct with them, in the order that packs it best
};

/// profile  with visits; advice: of the same profile
void struct_shrink_make(const struct profile *profile, const struct struct_advice *advice,
                        struct struct_shrink *out);
void struct_shrink_release(struct struct_shrink *shrink);

#endif
