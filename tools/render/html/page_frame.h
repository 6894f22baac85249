// page_frame.h - what begins and ends each page, and makes it safe to open.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_RENDER_HTML_PAGE_FRAME_H
#define RETICLE_TOOLS_RENDER_HTML_PAGE_FRAME_H

#include "tools/support/text.h"

/// A word that text in the page can't know: scripts and styles without it don't count.
struct page_nonce {
  char hex[33];
};

struct page_nonce page_nonce_new(void);
/// Adds everything up to and with <body>. title: of others, "- Reticle" is added
void page_begin(const char *title, const struct page_nonce *nonce, struct text *out);
/// Adds the script that sorts and filters, and ends the page.
void page_end(const struct page_nonce *nonce, struct text *out);

#endif
