// replay_layout.h - where each field of an element lies in a layout that is replayed.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   as written   | a b c d | a b c d | ...                 one array, the program's own addresses
//   array {b}    | b | b | b | ...   | a c d | a c d | ... two arrays under one index
//   copy {b}     | b | b | b | ...   | a b c d | ...       what is written is written twice
#ifndef RETICLE_TOOLS_ANALYSIS_REPLAY_REPLAY_LAYOUT_H
#define RETICLE_TOOLS_ANALYSIS_REPLAY_REPLAY_LAYOUT_H

#include "tools/analysis/struct/struct_advice.h"

/// Arrays of a layout, at most: as many as advice asks for, and one for the rest.
#define REPLAY_ARRAYS_MAX 33

/// Bytes of the struct as written, and where they are.
struct replay_field {
  uint32_t offset_bytes, size_bytes; ///< as written
  uint32_t array, to_bytes;          ///< to_bytes: in the array's element
  bool is_copied;                    ///< as written in the last array, too
};

/// Start with one of the makers, end with replay_layout_release.
struct replay_layout {
  struct replay_field *fields; ///< [field_count] by offset
  size_t field_count;
  uint32_t strides[REPLAY_ARRAYS_MAX]; ///< [array_count] bytes from one element to the next
  size_t array_count;
  bool is_written;     ///< elements lie where the program had them
  bool has_link;       ///< the second array is found by a pointer in the first one's element
  uint32_t link_bytes; ///< where that pointer lies
};

/// The struct as it is.
void replay_layout_written(const struct struct_advice *advice, struct replay_layout *out);
/// Its fields in another order. order: [item_count]
void replay_layout_order(const struct struct_advice *advice, const size_t *order,
                         struct replay_layout *out);
/// As advice->parts says; not where that is ADVICE_NONE.
void replay_layout_parts(const struct struct_advice *advice, struct replay_layout *out);
void replay_layout_release(struct replay_layout *layout);

/// The field that holds the byte; null: none does.
const struct replay_field *replay_field_at(const struct replay_layout *layout, uint32_t offset);

/// Bytes that glibc's malloc takes for an object.
uint32_t replay_chunk_bytes(uint32_t bytes);

#endif
