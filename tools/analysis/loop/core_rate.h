// core_rate.h - how fast the core's clock ran during a run without a PMU.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_ANALYSIS_LOOP_CORE_RATE_H
#define RETICLE_TOOLS_ANALYSIS_LOOP_CORE_RATE_H

#include "tools/analysis/loop/control.h"

/// Core cycles in a nanosecond: an addition of the control chain takes one. From its longest length
/// and its shortest one, so what a pair of probes costs is not in it.
struct quantity core_rate(const struct control *control);

#endif
