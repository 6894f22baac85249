// history_page.h - a history of checks as one HTML file that needs nothing else.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_RENDER_HTML_HISTORY_PAGE_H
#define RETICLE_TOOLS_RENDER_HTML_HISTORY_PAGE_H

#include "tools/model/compare/history.h"
#include "tools/support/text.h"

/// Adds the page: each series as a picture with its changes, those that changed first.
void history_page_add(const struct history *history, struct text *out);

#endif
