// ranks_page.h - the ranks of a parallel job as one HTML file that needs nothing else.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_RENDER_HTML_RANKS_PAGE_H
#define RETICLE_TOOLS_RENDER_HTML_RANKS_PAGE_H

#include "tools/model/rank/ranks.h"
#include "tools/support/text.h"

/// Adds the page: slow ranks, loops by ranks as a picture, waits, and each rank's account.
void ranks_page_add(const struct ranks *ranks, struct text *out);

#endif
