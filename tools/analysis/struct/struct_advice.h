// struct_advice.h - which layout of a struct would touch fewer cache lines, and whether it pays.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Method and limits: docs/method/fields.md.
#ifndef RETICLE_TOOLS_ANALYSIS_STRUCT_STRUCT_ADVICE_H
#define RETICLE_TOOLS_ANALYSIS_STRUCT_STRUCT_ADVICE_H

#include "tools/analysis/stats/quantity.h"
#include "tools/analysis/struct/element_cost.h"
#include "tools/analysis/struct/struct_layout.h"
#include "tools/analysis/struct/struct_use.h"
#include "tools/analysis/struct/visit_walks.h"

struct advice_item {
  const struct profile_member *first; ///< [count] members that move as one
  size_t count;
};

/// One loop's part in it.
struct advice_loop {
  const struct struct_loop *loop;
  struct element_walk walk;
  double *share; ///< [item_count] of the visits
};

enum advice_kind {
  ADVICE_NONE,
  ADVICE_ORDER,
  ADVICE_SPLIT, ///< fields that are seldom used go to a struct of their own
  ADVICE_ARRAY, ///< what some loops use goes to an array of its own; other loops use the rest
  ADVICE_SOA,   ///< each field is an array of its own
};

/// "none", "order", "split", "array" or "soa".
const char *advice_kind_name(enum advice_kind kind);

/// How many elements there are, by the allocations of the struct's type.
struct element_count {
  double elements; ///< at a time; NaN: not known
  bool is_array;   ///< elements lie in arrays; false: each in an object of its own
  /// What objects have behind the struct, on average; NaN: not known.
  double more_bytes;
};

struct advice {
  enum advice_kind kind;
  double lines;         ///< a visit
  struct quantity gain; ///< how many times faster the loops that use it may become
  double rank; ///< what structs are ranked by: time saved, in latencies of memory (estimate)
};

/// What may not be known of a struct's layout by looking at its fields: bits of struct_advice.pins.
enum advice_pin {
  ADVICE_PIN_GIVEN = 1 << 0,  ///< asked for
  ADVICE_PIN_PREFIX = 1 << 1, ///< another struct of the same union begins with the same fields
  ADVICE_PIN_HEADER = 1 << 2, ///< the first field is a struct: pointers to both may be the same
  ADVICE_PIN_TAIL = 1 << 3,   ///< a base class' last array may go on over the fields
};

struct struct_advice {
  const struct struct_use *use;
  struct advice_item *items; ///< [item_count] in the order written
  size_t item_count;
  struct struct_loop *loops_used; ///< [loop_count]
  struct advice_loop *loops;      ///< [loop_count] most accesses first
  size_t loop_count;
  struct layout_item *layout_items; ///< [item_count]
  struct layout_visit *visits;      ///< [loop_count]
  struct layout_problem problem;
  unsigned pins;
  struct layout best;
  bool *is_hot;       ///< [item_count] what parts keep together
  uint32_t hot_bytes; ///< size of that part, without a link
  bool is_copy;       ///< that part is a second copy: the struct stays as it is
  struct element_count count;
  bool is_open;          ///< objects differ in size, or may: they are no elements of an array
  bool fits_first_cache; ///< all elements that there are
  bool visits_fit;       ///< those that code was seen to come back to, again and again
  double lines_now;
  struct quantity useful;     ///< share of the bytes of touched lines that is used
  struct advice order, parts; ///< parts: a split, an array or arrays of all fields
  double cost_now;            ///< of all visits, in latencies of memory
  const char *reason;         ///< why no gain is expected; "" if one is possible
  bool is_guess;   ///< neither how many elements there are is known, nor that loops go through them
  bool ascends;    ///< items lie one behind the other
  bool is_bounded; ///< the search ended before all was compared: it would have taken too long
  uint64_t work;   ///< what it took, as layout_problem.work_most counts
};

/// What to keep in place, for struct_advise.
struct advice_wish {
  const char *pin;      ///< fields up to this one stay where they are; null: none
  uint32_t align_bytes; ///< of the struct, at least; 0: as it is
  bool apart;           ///< keep what is written in one place away from what is read in others
  uint64_t work_most;   ///< as in layout_problem; 0: as there
  /// Null: not known.
  const struct element_count *count;
  const struct visit_walks *walks;
};

/// Works all out. profile and use must outlive the result.
///
/// Returns false where wish.pin is no field.
bool struct_advise(const struct profile *profile, const struct struct_use *use,
                   const struct advice_wish *wish, struct struct_advice *out);
/// advice_wish.work_most where all structs are looked at: the fewer there are, the more on each.
uint64_t struct_advice_work_most(const struct struct_uses *uses);
void struct_advice_release(struct struct_advice *advice);

/// Whether the layout can't be changed at all, and why; null if it can.
const char *advice_refusal(const struct profile_struct *record);

#endif
