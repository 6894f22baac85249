// calibrate_plot.h - what reticle calibrate found, as a picture.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_RENDER_TEXT_BLOCK_CALIBRATE_PLOT_H
#define RETICLE_TOOLS_RENDER_TEXT_BLOCK_CALIBRATE_PLOT_H

#include "tools/model/doctor/calibrate_result.h"
#include "tools/support/text.h"

/// Adds an SVG: cumulative distributions of measured less expected, a panel for each flush size.
void calibrate_plot(const struct calibration *calibration, struct text *out);

#endif
