// page.h - the report as one HTML file that needs nothing else: no address outside, no library.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_RENDER_HTML_PAGE_H
#define RETICLE_TOOLS_RENDER_HTML_PAGE_H

#include "tools/model/report/section.h"

/// Adds the page. It reads without JavaScript, which sorts and filters; the same data are in it as
/// JSON, for scripts.
///
/// json  the report as `reticle report --json` writes it; "" leaves it out
void html_page_add(const struct report *report, const char *json, struct text *out);

#endif
