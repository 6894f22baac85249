// layout_file.h - the file of a what-if (pass/module/LayoutFile.h), and the edit of the source.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_MODEL_STRUCT_LAYOUT_FILE_H
#define RETICLE_TOOLS_MODEL_STRUCT_LAYOUT_FILE_H

#include "tools/analysis/struct/struct_advice.h"
#include "tools/support/text.h"

/// Adds the file's text: the items in the given order.
///
/// order        [item_count]; null: as written
/// align_bytes  0: as written
void layout_file_add(const struct struct_advice *advice, const size_t *order, uint32_t align_bytes,
                     struct text *out);

/// The struct's name in the text of a layout file, or null if that is none; the caller frees it.
char *layout_file_struct(const char *text);
/// The order that the text of a layout file has. order: [item_count]. False: the file's fields
/// aren't the struct's.
bool layout_file_order(const struct struct_advice *advice, const char *text, size_t *order);
/// Short hash of what the file says, as the compiler reckons it.
uint32_t layout_file_hash(const char *text);

/// Adds a declaration of the struct with the items in the given order. Returns null, or the field
/// whose type has no name, so that it can't be spelled.
const char *layout_declaration_add(const struct struct_advice *advice, const size_t *order,
                                   uint32_t align_bytes, struct text *out);

/// Adds the clang-reorder-fields command. Returns false where that program can't do it.
bool layout_command_add(const struct struct_advice *advice, const size_t *order, struct text *out);

/// Adds what another layout is: "order a, b", or, where order is null, "array {a b}" as advised.
/// Replays are known by it.
void layout_change_add(const struct struct_advice *advice, const size_t *order, struct text *out);

/// Adds the fields' names in the given order, as a list divided by `divider`.
void layout_names_add(const struct struct_advice *advice, const size_t *order, size_t count,
                      const char *divider, struct text *out);

#endif
