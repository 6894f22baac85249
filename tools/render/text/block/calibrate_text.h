// calibrate_text.h - what reticle calibrate found, as text.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_RENDER_TEXT_BLOCK_CALIBRATE_TEXT_H
#define RETICLE_TOOLS_RENDER_TEXT_BLOCK_CALIBRATE_TEXT_H

#include "tools/model/doctor/calibrate_result.h"
#include "tools/support/text.h"
#include "tools/ui/terminal.h"

void calibrate_text(const struct calibration *calibration, const struct calibrate_stored *stored,
                    const struct terminal *terminal, struct text *out);

#endif
