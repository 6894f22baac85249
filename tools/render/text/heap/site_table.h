// site_table.h - allocation sites in reports: the table and the card.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_RENDER_TEXT_HEAP_SITE_TABLE_H
#define RETICLE_TOOLS_RENDER_TEXT_HEAP_SITE_TABLE_H

#include "tools/model/measurement/measurement.h"
#include "tools/ui/terminal.h"

/// The table of at most `most` sites, most waste first.
void site_table_add(const struct measurement *m, size_t most, const struct terminal *terminal,
                    struct text *out);

/// Everything that is known about site number `rank`.
void site_card_add(const struct measurement *m, size_t rank, const struct terminal *terminal,
                   struct text *out);

#endif
