// struct_layout.h - searches an order of a struct's fields that touches fewer cache lines.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A pure function of an immutable description. Method and limits: docs/method/fields.md.
#ifndef RETICLE_TOOLS_ANALYSIS_STRUCT_STRUCT_LAYOUT_H
#define RETICLE_TOOLS_ANALYSIS_STRUCT_STRUCT_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Up to so many items that may move, all orders are looked at; beyond, all orders of the used ones
/// if these are so few.
#define LAYOUT_EXACT_ITEMS 8
/// Items that a search looks at, each time that it looks at one, unless the problem says otherwise:
/// about a fifth of a second.
#define LAYOUT_WORK_MOST UINT64_C(20000000)

/// What moves as one: a field, bitfields in a row, an anonymous struct.
struct layout_item {
  uint32_t size_bytes, align_bytes;
  bool is_last; ///< objects may go on behind it: stays at the end
};

/// How one loop uses an element.
struct layout_visit {
  bool streaming;      ///< goes through elements in a row: small ones share lines
  double weight;       ///< visits, times what a line costs there; 0 leaves the loop out
  const double *share; ///< [item_count] visits that touch the item, 0 to 1
};

struct layout_problem {
  const struct layout_item *items; ///< [item_count] as written
  size_t item_count;
  const struct layout_visit *visits; ///< [visit_count]
  size_t visit_count;
  size_t pinned;         ///< the first items that stay where they are
  uint32_t prefix_bytes; ///< in front of all items: bases, the table of virtual functions
  uint32_t align_bytes;  ///< of the struct, at least
  /// Items that other threads may write while the rest is read; null: threads share no element.
  const bool *written; ///< [item_count]
  /// What objects have behind the struct, on average; NaN: not known. Not 0: the item that is last
  /// goes on there, and each object is one of its own.
  double more_bytes;
  uint64_t work_most; ///< 0: LAYOUT_WORK_MOST
};

enum layout_method {
  LAYOUT_EXACT,     ///< all orders were compared
  LAYOUT_EXACT_HOT, ///< all orders of the used items, the others behind them by alignment
  LAYOUT_CHAIN,     ///< heuristic: by affinity, then exchanges of two as long as they help
};

struct layout {
  size_t *order; ///< [item_count] position -> item; freed with layout_release
  uint32_t size_bytes;
  double cost; ///< lines touched a visit, times the visits' weights
  enum layout_method method;
  bool is_bounded; ///< the search ended at work_most: there may be better ones
  uint64_t work;
};

/// Cost and size of the order as given. order: [item_count]
void layout_evaluate(const struct layout_problem *problem, const size_t *order, struct layout *out);

/// The best order found; as written where none costs less. Ties go to the smaller struct, then to
/// the used items in front, then to the order that is nearer to the one written.
void layout_search(const struct layout_problem *problem, struct layout *out);
void layout_release(struct layout *layout);

/// Lines that a visit touches on average, all visits together. NaN without visits.
double layout_lines(const struct layout_problem *problem, const struct layout *layout);

/// Lines that each visit touches of the given items where these lie one behind the other, nothing
/// shared with the elements around.
///
/// order  [count] of items
/// lines  gets [visit_count]; 0 for visits without weight
/// bytes  gets the size, from one element to the next
void layout_visit_lines(const struct layout_problem *problem, const size_t *order, size_t count,
                        double *lines, uint64_t *bytes);

/// Offsets of all items in the given order. offset: gets [item_count]. Returns the size.
uint64_t layout_offsets(const struct layout_problem *problem, const size_t *order,
                        uint64_t *offset);

/// The chosen items in an order without holes. order gets at most [item_count]. Returns how many.
size_t layout_pack(const struct layout_problem *problem, const bool *chosen, size_t *order);

/// "exact", "exact_hot" or "chain".
const char *layout_method_name(enum layout_method method);

#endif
