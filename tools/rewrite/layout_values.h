// layout_values.h - initialisers by position, {1, 2}, as the fields' order changes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_REWRITE_LAYOUT_VALUES_H
#define RETICLE_TOOLS_REWRITE_LAYOUT_VALUES_H

#include "tools/analysis/struct/struct_advice.h"
#include "tools/rewrite/source_diff.h"
#include "tools/rewrite/source_tokens.h"

/// A file that the program was made of.
struct layout_source {
  char *path;
  char *text; ///< [bytes]; null: not read
  size_t bytes;
  struct source_tokens tokens;
  struct source_edits edits;
  bool is_changed; ///< since the build
};

/// Start with layout_sources_read, end with layout_sources_release.
struct layout_sources {
  struct layout_source *all; ///< [count]
  size_t count;
};

/// Reads the program's sources, those in folders of the system left out. Returns false if the
/// program can't be opened.
bool layout_sources_read(const char *executable, struct layout_sources *out);
void layout_sources_release(struct layout_sources *sources);

/// What the source calls a struct.
struct layout_names {
  const char *tag;       ///< null: it has none
  char *const *typedefs; ///< [typedef_count]
  size_t typedef_count;
  const char *aggregates; ///< " name name ": fields that are arrays, structs or unions
  bool is_cxx;            ///< the tag is a type's name by itself
};

/// A place that is to be looked at by hand.
struct layout_value_left {
  const struct layout_source *source;
  unsigned line;
  const char
      *reason; ///< why the initialiser by position is left; null: offsetof is taken of a field
};

/// Start with {0}, end with layout_values_release.
struct layout_values {
  size_t changed;                 ///< initialisers
  struct layout_value_left *left; ///< [left_count]
  size_t left_count;
};

/// Finds initialisers by position in all sources, and adds the edits that change them to the
/// files: C gets names (.x = 1), C++ values in the new order.
///
/// items  [item_count] position -> item, the new order
void layout_values_change(struct layout_sources *sources, const struct layout_names *names,
                          const struct struct_advice *advice, const size_t *items,
                          struct layout_values *out);
void layout_values_release(struct layout_values *values);

#endif
