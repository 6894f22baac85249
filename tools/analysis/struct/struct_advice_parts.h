// struct_advice_parts.h - what the files that work out a struct's advice share.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_ANALYSIS_STRUCT_STRUCT_ADVICE_PARTS_H
#define RETICLE_TOOLS_ANALYSIS_STRUCT_STRUCT_ADVICE_PARTS_H

#include "tools/analysis/struct/struct_advice.h"

/// Of one object, with what lies behind the struct; NaN: not known.
static inline double advice_element_bytes(const struct struct_advice *advice) {
  return advice->use->record->size_bytes + advice->count.more_bytes;
}

/// Loops that the search looks at.
#define ADVICE_LOOPS 24

/// As flags of structs and members have it; 0: not known.
uint32_t advice_align_of(uint32_t flags, unsigned shift);

/// Fills in items, layout_items, ascends and the problem's prefix_bytes.
void advice_items_make(struct struct_advice *advice);

/// The first items that must stay: returns how many, and says why in pins.
size_t advice_pins_find(const struct profile *profile, struct struct_advice *advice);
/// The same for a field that is to stay. Returns false if there is none of that name; name may be
/// null.
bool advice_pin_wish(struct struct_advice *advice, const char *name);

/// The gain from lines and cost as they are to fewer; the interval's low end is no gain, as all may
/// lie in a cache, or be fetched in time.
struct advice advice_judge(const struct struct_advice *advice, enum advice_kind kind, double lines,
                           double cost);

/// Items that lie in one array, and what becomes known of it.
struct advice_array {
  const struct layout_problem *problem;
  const size_t *order; ///< [count] of items, as they lie
  size_t count;
  uint64_t bytes; ///< from one element to the next
  double *lines;  ///< scratch
  double *shares; ///< scratch
};

/// What the loops' visits cost. Start with advice_costs_make, end with advice_costs_release.
struct advice_costs {
  double *cost;  ///< [loop_count] of all visits, in latencies of memory
  double *lines; ///< [loop_count] of a visit
};

/// The items in so many arrays; the first ones are those that loops come to first.
///
/// arrays  [count] gets bytes
void advice_costs_make(const struct struct_advice *advice, struct advice_array *arrays,
                       size_t count, struct advice_costs *out);
void advice_costs_release(struct advice_costs *costs);

/// Mean over all visits, by what a line costs there. NaN without visits.
double advice_costs_lines(const struct struct_advice *advice, const struct advice_costs *costs);
double advice_costs_sum(const struct struct_advice *advice, const struct advice_costs *costs);

/// The same for the whole struct in the given order, [item_count].
double advice_cost(const struct struct_advice *advice, const size_t *order, double *lines);

/// Fills in parts, is_hot, hot_bytes and is_copy: the best way to take the elements apart.
void advice_parts_find(struct struct_advice *advice);

#endif
