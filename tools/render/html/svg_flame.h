// svg_flame.h - the flame graph: callers above, what they called below, as wide as its CPU time.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_RENDER_HTML_SVG_FLAME_H
#define RETICLE_TOOLS_RENDER_HTML_SVG_FLAME_H

#include "tools/model/sample/call_tree.h"
#include "tools/support/text.h"

/// Adds the graph with a legend, and what was too small for it. It has all its width in percent, so
/// that text keeps its size on any screen, and page.js can zoom by other percentages.
void svg_flame(struct text *out, const struct call_tree *tree);

#endif
