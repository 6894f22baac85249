// page_parts.h - the sections of the page, each in a file of its own.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_RENDER_HTML_PAGE_PARTS_H
#define RETICLE_TOOLS_RENDER_HTML_PAGE_PARTS_H

#include "tools/model/report/section.h"
#include "tools/model/struct/struct_summary.h"

/// Rows of a table at most.
#define PAGE_ROWS 5000
/// Loops and structs that are shown by themselves at most.
#define PAGE_CARDS 150

/// Each adds a section with its heading, or nothing where there is nothing to show.
void page_changes_add(const struct report *report, struct text *out);
void page_findings_add(const struct report *report, struct text *out);
void page_loops_add(const struct report *report, struct text *out);
void page_structs_add(const struct report *report, struct text *out);
void page_sites_add(const struct report *report, struct text *out);
void page_calls_add(const struct report *report, struct text *out);
void page_code_add(const struct report *report, struct text *out);
void page_blocks_add(const struct report *report, struct text *out);
void page_topdown_add(const struct report *report, struct text *out);
void page_waits_add(const struct report *report, struct text *out);
void page_method_add(const struct report *report, struct text *out);

/// Whether a function has a card with its source and machine code, F and its place in the table.
bool page_has_code(const struct measurement *m, const struct sampled_function *function);
/// Adds these cards.
void page_code_cards_add(const struct measurement *m, struct text *out);

/// Adds the struct's fields in lines of a cache, as written.
void page_struct_map_add(const struct struct_use *use, struct text *out);
/// Adds them as advised: in another order, or apart; nothing where nothing is.
void page_struct_advised_add(const struct struct_use *use, const struct struct_summary *summary,
                             struct text *out);

/// Adds why a loop's executions were slow, to its card.
void page_delays_add(const struct measurement *m, const struct measured_loop *loop,
                     struct text *out);

/// Adds a link to a part of the page by its id (L1, S1, A1, B1), or the text where it has none.
void page_link(const struct measurement *m, const char *id, struct text *out);

/// A share as number and bar.
void page_share(struct quantity share, struct text *out);

#endif
