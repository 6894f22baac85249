// diff_page.h - a comparison of two sets of runs as one HTML page.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_RENDER_HTML_DIFF_PAGE_H
#define RETICLE_TOOLS_RENDER_HTML_DIFF_PAGE_H

#include "tools/model/compare/diff_input.h"
#include "tools/support/text.h"

/// Adds the whole page, which needs nothing else to be read.
void diff_page_add(const struct comparison *comparison, struct text *out);

#endif
