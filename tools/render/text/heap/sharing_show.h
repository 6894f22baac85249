// sharing_show.h - cache lines that several threads use: a table, and a part of a site's card.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_RENDER_TEXT_HEAP_SHARING_SHOW_H
#define RETICLE_TOOLS_RENDER_TEXT_HEAP_SHARING_SHOW_H

#include "tools/model/heap/site_type.h"
#include "tools/model/measurement/measurement.h"
#include "tools/ui/terminal.h"

/// The table of at most `most` lines, suspects first, or what is to do to get one.
void sharing_table_add(const struct measurement *m, size_t most, const struct terminal *terminal,
                       struct text *out);

/// "try: alignas(64) in front of b in counters". type: of the site use, whose line it is
void sharing_advice_add(const struct measurement *m, const struct sharing_line *line,
                        const struct site_use *use, const struct site_type *type, struct text *out);

/// The site's lines word by word, and what may help. type: of the site
void sharing_card_add(const struct measurement *m, const struct site_use *use,
                      const struct site_type *type, const struct terminal *terminal,
                      struct text *out);

#endif
