// calibrate_paper.h - t_min and t_diff by the published algorithms, taken literally.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_RUN_CALIBRATE_PAPER_H
#define RETICLE_TOOLS_RUN_CALIBRATE_PAPER_H

#include "tools/run/calibrate_run.h"

/// Measures each timer that is used behind the flush, one after the other, for its part of the
/// budget; what doesn't end is QUANTITY_TOO_NOISY with the reason "not reached: ...".
void calibrate_paper(struct calibration *calibration, struct calibrate_flush *flush,
                     const struct harness_flush *array, double budget_s,
                     calibrate_progress *progress, double start_s);

#endif
