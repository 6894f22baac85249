// svg_levels.h - a level over checks: dots, the levels between changes, the changes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_RENDER_HTML_SVG_LEVELS_H
#define RETICLE_TOOLS_RENDER_HTML_SVG_LEVELS_H

#include "tools/support/text.h"

#include <stdbool.h>

struct svg_level {
  double ns;       ///< above 0
  char *label;     ///< what a reader who points at it is told, as HTML
  bool is_changed; ///< a new level begins with it
};

/// Adds the picture of count > 0 checks.
void svg_levels(struct text *out, const struct svg_level *levels, size_t count);

#endif
