// struct_layout_parts.h - what the search of struct_layout.h and the count of lines share.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_ANALYSIS_STRUCT_STRUCT_LAYOUT_PARTS_H
#define RETICLE_TOOLS_ANALYSIS_STRUCT_STRUCT_LAYOUT_PARTS_H

#include "tools/analysis/struct/struct_layout.h"

/// A number for each line that something touches: the others cost nothing, however large the
/// struct is. Open addressing; what has an older stamp is empty.
struct line_table {
  struct line_slot {
    uint64_t line;
    double value;
    uint32_t stamp;
  } *slots; ///< [mask + 1]
  size_t mask;
  unsigned shift;
  uint32_t stamp;
  uint64_t work; ///< items looked at so far
};

/// For a problem with so many items.
void line_table_open(struct line_table *table, size_t items);
void line_table_release(struct line_table *table);

uint64_t layout_round_up(uint64_t bytes, uint32_t align);

/// Offsets of the items in the given order; returns the struct's size.
uint64_t layout_place(const struct layout_problem *p, const size_t *order, size_t count,
                      uint64_t *offset);

/// Fills in the items that the visit touches, of those chosen (null: all). Returns how many;
/// touched may be null.
size_t layout_touched_by(const struct layout_problem *p, const struct layout_visit *visit,
                         const bool *chosen, size_t *touched);

/// Lines one visit touches, averaged over where the element may start.
double lines_of(const struct layout_problem *p, const struct layout_visit *visit,
                const size_t *touched, size_t count, const uint64_t *offset, uint64_t size,
                struct line_table *table);

/// Lines on which written items lie together with others that are read.
///
/// heat  [item_count] > 0: some loop reads or writes it
double shared_lines(const struct layout_problem *p, const double *heat, const uint64_t *offset,
                    struct line_table *table);

/// For qsort_r: numbers of items, the hottest first.
///
/// heat  double [items]
int layout_by_heat(const void *left, const void *right, void *heat);

#endif
