// site_table.h - allocation sites in reports, as a table, a card and JSON.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_CMD_SITE_TABLE_H
#define RETICLE_TOOLS_CMD_SITE_TABLE_H

#include "tools/cmd/measurement.h"
#include "tools/ui/json.h"
#include "tools/ui/terminal.h"

/// Why there is nothing to show; "" if there is something.
const char *site_gap(const struct measurement *m);

/// The table of at most `most` sites, most waste first.
void site_table_add(const struct measurement *m, size_t most, const struct terminal *terminal,
                    struct text *out);

/// The site called A1, A2, ...: its number, 0 if there is none.
size_t site_find(const struct site_uses *uses, const char *name);

/// The number of the site with that stable id, 0 if there is none.
size_t site_rank(const struct site_uses *uses, uint64_t id);

/// Everything that is known about site number `rank`.
void site_card_add(const struct measurement *m, size_t rank, const struct terminal *terminal,
                   struct text *out);

/// "heap", "global" or "mmap". kind: enum reticle_site_kind
const char *site_kind_name(uint32_t kind);

/// "symbol book.c:10" of where it was allocated, or of the variable.
void site_add_name(const struct measurement *m, const struct site_use *use, struct text *out);

/// Puts the array "sites" and what is to know about it.
///
/// only  0: all; else the one with that number alone, or REPORT_NONE
void site_json_put(const struct measurement *m, size_t only, struct json *report);

#endif
