// struct_table.h - the section STRUCTS of a report, and one struct's card.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_RENDER_TEXT_STRUCT_STRUCT_TABLE_H
#define RETICLE_TOOLS_RENDER_TEXT_STRUCT_STRUCT_TABLE_H

#include "tools/analysis/struct/struct_advice.h"
#include "tools/analysis/struct/struct_use.h"
#include "tools/model/measurement/measurement.h"
#include "tools/support/text.h"
#include "tools/ui/terminal.h"

/// Adds the table, at most `most` structs; without any, the reason.
void struct_table_add(const struct measurement *m, size_t most, const struct terminal *terminal,
                      struct text *out);

/// Adds everything that is known about the struct at position `rank` - 1.
///
/// advice  on it
void struct_card_add(const struct measurement *m, size_t rank, const struct struct_advice *advice,
                     const struct terminal *terminal, struct text *out);

#endif
