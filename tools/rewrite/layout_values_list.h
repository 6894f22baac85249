// layout_values_list.h - one list of values, {1, 2}, of a struct whose fields change places.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_REWRITE_LAYOUT_VALUES_LIST_H
#define RETICLE_TOOLS_REWRITE_LAYOUT_VALUES_LIST_H

#include "tools/rewrite/layout_values.h"

/// What a value by position initialises.
struct layout_value_field {
  const struct profile_member *member;
  bool has_name; ///< else it is an anonymous struct or union
};

/// A macro that stands for several values.
struct layout_value_macro {
  const struct source_tokens *tokens;
  size_t directive;
};

/// A search through the sources.
struct layout_value_search {
  struct layout_sources *sources;
  struct layout_source *source; ///< that is being searched
  const struct source_tokens *tokens;
  const struct layout_names *names;
  struct layout_value_field *fields; ///< [field_count] as written
  size_t *order;                     ///< [field_count] new position -> field
  size_t field_count;
  struct layout_value_macro *macros; ///< [macro_count]
  size_t macro_count;
  struct layout_values *out;
};

/// Fills fields and order, which the caller frees.
///
/// items  [item_count] position -> item, the new order
void layout_value_fields_read(const struct struct_advice *advice, const size_t *items,
                              struct layout_value_search *search);

/// Fills macros, which the caller frees, from all sources.
void layout_value_macros_read(struct layout_value_search *search);

/// Notes a place that is left.
void layout_value_leave(struct layout_value_search *search, size_t at, const char *reason);

/// Changes the list that begins with the brace at token `open`, or says why it is left.
///
/// depth  how often it is an array of lists
void layout_value_list(struct layout_value_search *search, size_t open, unsigned depth);

#endif
