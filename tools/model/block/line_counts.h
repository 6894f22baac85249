// line_counts.h - how often places of the source ran, by function and by what was inlined into it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_MODEL_BLOCK_LINE_COUNTS_H
#define RETICLE_TOOLS_MODEL_BLOCK_LINE_COUNTS_H

#include "tools/binary/code/code_places.h"
#include "tools/support/string_table.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// A function that stands alone.
#define LINE_NO_PARENT SIZE_MAX

/// A place in a function.
struct line_place {
  unsigned offset;        ///< lines from where the function is declared, modulo 2^16
  unsigned discriminator; ///< tells apart blocks of one line: LLVM's base discriminator
};

struct line_count {
  struct line_place place;
  uint64_t count;
};

/// A function of the source, or a copy of it that was inlined into its parent.
struct line_function {
  const char *name;       ///< linkage name
  size_t parent;          ///< in line_counts.functions, before it; or LINE_NO_PARENT
  struct line_place call; ///< where a copy was called, in its parent
  unsigned first_line;    ///< where it is declared
  size_t other;           ///< another one of its name, or LINE_NO_PARENT; not of copies
  bool is_left_out;       ///< another one of its name has a larger total
  bool is_entry_known;
  uint64_t entries;         ///< times that its code was entered; not of copies
  struct line_count *lines; ///< [count]
  size_t count, capacity;
  uint64_t total; ///< of its lines and copies
};

/// Start with {0}, end with line_counts_release.
struct line_counts {
  struct line_function *functions; ///< [count]
  size_t count, capacity;
  struct string_table names;
  size_t *roots; ///< [names.count] the last function of that name, or LINE_NO_PARENT
  bool has_discriminators;
  bool lacks_first_lines; ///< of some functions it isn't known where they are declared
};

/// Says that an instruction ran so often. Of what is said of a place the largest number counts: a
/// place has several instructions, and of copies that unrolling made each says how many they are.
///
/// frames  [frame_count] as code_places_frames gives them; not taken where lines are missing
void line_counts_add(struct line_counts *counts, const struct code_frame *frames,
                     size_t frame_count, uint64_t count);

/// Says that a function was entered so often.
///
/// frame  the last one of its first instruction
void line_counts_enter(struct line_counts *counts, const struct code_frame *frame, uint64_t count);

/// Sorts the lines of each function, sums up, and chooses among functions of one name: names are
/// all that a compiler knows of them. Nothing is added behind it.
void line_counts_finish(struct line_counts *counts);
void line_counts_release(struct line_counts *counts);

#endif
