// loop_neighbours.h - successive samples of one thread: between them a machine changes little.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_ANALYSIS_LOOP_LOOP_NEIGHBOURS_H
#define RETICLE_TOOLS_ANALYSIS_LOOP_LOOP_NEIGHBOURS_H

#include "tools/analysis/loop/loop_detect.h"

/// Sets group_share, group_excess, group_error, clustering and bursts; out->control_cold is set.
///
/// points  [sample->own_count] with is_slow set; get ordered by thread and time
/// room    [the more of sample->own_count and the chains] scratch
void loop_neighbours(const struct loop_sample *sample, struct loop_point *points, double *room,
                     struct loop_evidence *out);

#endif
