// svg.h - small pictures: shares as a bar, durations, samples over time, a struct's lines.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_RENDER_HTML_SVG_H
#define RETICLE_TOOLS_RENDER_HTML_SVG_H

#include "tools/analysis/loop/loop.h"
#include "tools/model/loop/loop_plot.h"
#include "tools/support/text.h"

/// A part of a bar; class: of page.css, "c1" to "c7".
struct svg_part {
  const char *label, *class;
  double share; ///< 0 to 1 of the bar
};

/// Adds a bar of parts one behind the other, with a legend.
void svg_stack(struct text *out, const struct svg_part *parts, size_t count, const char *label);

/// Adds a bar for a share of 0 to 1.
void svg_share(struct text *out, double share, const char *class);

/// Adds the distribution of a loop's durations as small bars, without an axis.
void svg_spark(struct text *out, const double *heights, size_t count, const char *label);

/// Adds the distribution on a logarithmic axis, with its percentiles.
void svg_durations(struct text *out, const struct loop_plot *plot, const struct loop_stats *stats);

/// Adds a dot for each sample: when it began, and how long it took, on a logarithmic axis.
void svg_over_time(struct text *out, const struct loop_plot *plot);

#endif
