// layout_units.h - what of a struct's source moves as one, and the source in another order.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_REWRITE_LAYOUT_UNITS_H
#define RETICLE_TOOLS_REWRITE_LAYOUT_UNITS_H

#include "tools/analysis/struct/struct_advice.h"
#include "tools/rewrite/layout_body.h"

/// Whole declarations [first_chunk, last_chunk], or one declarator of the first.
struct layout_unit {
  size_t first_chunk, last_chunk;
  size_t declarator;             ///< LAYOUT_NO_TOKEN: whole declarations
  size_t first_item, item_count; ///< of the advice
};

/// Start with layout_units_match, end with layout_units_release.
struct layout_units {
  struct layout_unit *all; ///< [count] as written
  size_t count;
  size_t *order;       ///< [count] position -> unit, by layout_units_order
  size_t *items;       ///< [item_count] position -> item: the order that comes of it
  bool is_exact;       ///< it is the one that was asked for
  struct text problem; ///< why the source can't be changed, as the end of a message
};

/// Finds each field of the advice in the source. The body, tokens and advice must outlive the
/// result.
void layout_units_match(const struct layout_body *body, const struct source_tokens *tokens,
                        const struct struct_advice *advice, struct layout_units *out);
void layout_units_release(struct layout_units *units);

/// Orders the units by the items' order, fields of a unit together at the place of the first.
///
/// order  [item_count] position -> item
///
/// Returns false with units->problem where the source doesn't allow it.
bool layout_units_order(const struct layout_body *body, const struct source_tokens *tokens,
                        const struct struct_advice *advice, const size_t *order,
                        struct layout_units *units);

/// Searches an order of the units, as the advice's order of fields tears some apart.
/// layout_merge.c.
///
/// order  gets [units->count] position -> unit
void layout_units_search(const struct layout_problem *problem, struct layout_units *units,
                         size_t *order);

/// Adds what stands between the braces in the new order.
void layout_units_add(const struct layout_body *body, const struct source_tokens *tokens,
                      const struct layout_units *units, struct text *out);

#endif
