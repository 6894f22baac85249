// struct_map.h - pictures of a struct: its cache lines, what is used together, what is wasted.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_RENDER_TEXT_STRUCT_STRUCT_MAP_H
#define RETICLE_TOOLS_RENDER_TEXT_STRUCT_STRUCT_MAP_H

#include "tools/analysis/struct/struct_advice.h"
#include "tools/support/text.h"
#include "tools/ui/terminal.h"

/// Adds the lines byte by byte: names, "#" where fields are used, "." where not, " " for holes.
void struct_map_lines(const struct struct_use *use, const struct terminal *terminal,
                      struct text *out);

/// Adds the bytes between fields that no field has; nothing without any.
void struct_map_holes(const struct struct_use *use, const struct terminal *terminal,
                      struct text *out);

/// Adds a matrix: of the visits that touch the row's field, how many touch the column's.
void struct_map_matrix(const struct struct_advice *advice, const struct terminal *terminal,
                       struct text *out);

#endif
