// svg_pair.h - two sides in one picture: a change with its interval, durations.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_RENDER_HTML_SVG_PAIR_H
#define RETICLE_TOOLS_RENDER_HTML_SVG_PAIR_H

#include "tools/analysis/compare/diff.h"
#include "tools/model/loop/loop_plot.h"
#include "tools/support/text.h"

/// Adds a change as a dot with its 95 % interval, on an axis from -range to range around no change;
/// what is too small to be reported is shaded. Changes are logarithms. An interval beyond the axis
/// ends in an arrow.
void svg_change(struct text *out, const struct diff_outcome *outcome, double range,
                const char *class);

/// Adds the durations of A above the axis and those of B below it, each as a part of its own side's
/// executions, with the medians.
void svg_durations_pair(struct text *out, const struct loop_plot *a, const struct loop_plot *b,
                        struct quantity median_a, struct quantity median_b);

#endif
