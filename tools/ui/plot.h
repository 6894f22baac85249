// plot.h - cumulative distributions as an SVG picture.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_UI_PLOT_H
#define RETICLE_TOOLS_UI_PLOT_H

#include "tools/support/text.h"

/// Curves that a picture tells apart by colour and dashes.
#define PLOT_CURVES 8

struct plot_curve {
  const char *name; ///< curves of one name look alike in all panels
  unsigned look;    ///< below PLOT_CURVES
  const double *x;  ///< [n], ascending
  size_t n;         ///< 0: not drawn
};

struct plot_panel {
  const char *title;
  const char *note; ///< stands in the panel where there are no curves; null otherwise
  struct plot_curve curves[PLOT_CURVES];
  size_t curve_count;
};

/// Adds an SVG document: the panels two in a row, all with the same axes; the x axis is linear up
/// to one unit on either side of 0 and logarithmic beyond.
///
/// panels  [count], count >= 1
/// x_name  what x is, with its unit
void plot_distributions(struct text *out, const char *title, const char *subtitle,
                        const char *x_name, const struct plot_panel *panels, size_t count);

#endif
