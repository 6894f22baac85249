// struct_table.h - the section STRUCTS of a report, and one struct's card.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_CMD_STRUCT_TABLE_H
#define RETICLE_TOOLS_CMD_STRUCT_TABLE_H

#include "tools/analysis/struct_use.h"
#include "tools/cmd/measurement.h"
#include "tools/support/text.h"
#include "tools/ui/json.h"
#include "tools/ui/terminal.h"

/// Adds the table, at most `most` structs; without any, the reason.
void struct_table_add(const struct profile *profile, const struct struct_uses *uses, size_t most,
                      const struct terminal *terminal, struct text *out);

/// Adds everything that is known about the struct at position `rank` - 1.
void struct_card_add(const struct measurement *m, const struct struct_uses *uses, size_t rank,
                     const struct terminal *terminal, struct text *out);

/// Why there are no structs; "" if there are some.
const char *struct_gap(const struct struct_uses *uses);

/// Position + 1 of the struct: S1, name, or file:line; of several the first, after a note. 0: none.
size_t struct_find(const struct struct_uses *uses, const char *name);

/// Says that there is none, and which may be meant. me: the command's name.
void struct_missing(const struct struct_uses *uses, const char *name, const char *me);

/// Puts structs[] into the report.
///
/// only  0: all; else the one with that number alone, or REPORT_NONE
void struct_json_put(const struct measurement *m, size_t only, struct json *report);

#endif
