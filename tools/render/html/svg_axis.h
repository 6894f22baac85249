// svg_axis.h - a logarithmic axis of durations.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_RENDER_HTML_SVG_AXIS_H
#define RETICLE_TOOLS_RENDER_HTML_SVG_AXIS_H

#include "tools/support/text.h"

/// Where a duration is on an axis from low to high, 0 to 1.
double svg_place(double ns, double low, double high);

/// Adds lines at powers of ten, and at two and five times these where there are few; the ends'
/// numbers where there are none.
///
/// bottom  where the lines end, from the top; text_y: where the numbers stand
void svg_time_axis(struct text *out, double low, double high, double width, double bottom,
                   double text_y);

#endif
