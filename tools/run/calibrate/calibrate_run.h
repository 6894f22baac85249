// calibrate_run.h - the measuring of reticle calibrate: what is asked for, and what comes out.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_RUN_CALIBRATE_CALIBRATE_RUN_H
#define RETICLE_TOOLS_RUN_CALIBRATE_CALIBRATE_RUN_H

#include "tools/model/doctor/calibrate_result.h"

#include <stdbool.h>

/// Called now and then: the flush size that is under way, and the seconds since the start.
typedef void calibrate_progress(const struct calibrate_flush *flush, double seconds,
                                double limit_s);

/// Names and keys of timers and flush sizes, and what of them is there; measures nothing.
void calibration_init(struct calibration *calibration);
void calibration_release(struct calibration *calibration);

/// Measures all that is asked for. Returns false when the counter doesn't advance evenly.
bool calibrate_run(struct calibration *calibration, calibrate_progress *progress);

#endif
