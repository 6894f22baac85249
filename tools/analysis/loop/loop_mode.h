// loop_mode.h - a slow mode of a loop, however rare, that the chains beside it lack.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_ANALYSIS_LOOP_LOOP_MODE_H
#define RETICLE_TOOLS_ANALYSIS_LOOP_LOOP_MODE_H

#include "tools/analysis/loop/loop_detect.h"

/// Sets mode_* of `out`: where late samples are most above the density beside them and above what
/// hit the chains. All 0 without a control, or if nowhere.
void loop_mode(const struct loop_sample *sample, const struct loop_blocks *blocks,
               struct loop_evidence *out);

#endif
