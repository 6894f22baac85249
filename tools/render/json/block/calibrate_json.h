// calibrate_json.h - what reticle calibrate found, as JSON.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_RENDER_JSON_BLOCK_CALIBRATE_JSON_H
#define RETICLE_TOOLS_RENDER_JSON_BLOCK_CALIBRATE_JSON_H

#include "tools/model/doctor/calibrate_result.h"

#include <stdio.h>

/// Writes schema reticle-calibrate/1 (docs/schema/calibrate.json). Returns false if the stream took
/// not all of it.
bool calibrate_json(const struct calibration *calibration, const struct calibrate_stored *stored,
                    FILE *stream);

#endif
