// work_growth.h - whether a loop's executions have more and more to do as the program goes on.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_ANALYSIS_RUN_WORK_GROWTH_H
#define RETICLE_TOOLS_ANALYSIS_RUN_WORK_GROWTH_H

#include "tools/profile/profile.h"

#include <stdbool.h>

/// Parts of the run that are compared.
enum { WORK_GROWTH_PARTS = 5 };

struct work_growth {
  bool grows;
  bool is_quadratic; ///< from nothing, by the same with each part: all together as the square
  bool by_work;      ///< by iterations an execution; else by its duration in ticks
  double parts[WORK_GROWTH_PARTS]; ///< mean of an execution in each, one after the other
};

/// By raw samples, each of which stands for executions; grows is false with too few.
///
/// Those of merged runs are compared by their time since each run's start.
struct work_growth work_growth_of(const struct profile_loop *loop);

#endif
