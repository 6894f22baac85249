// loop_plot.h - a loop's executions as points of a picture: by duration, and over the run.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_MODEL_LOOP_LOOP_PLOT_H
#define RETICLE_TOOLS_MODEL_LOOP_LOOP_PLOT_H

#include "tools/profile/profile.h"

#include <stddef.h>

/// Dots of one loop at most.
#define LOOP_PLOT_DOTS 400

/// Start with loop_plot_get, end with loop_plot_release.
struct loop_plot {
  struct loop_plot_bar {
    double low_ns, high_ns; ///< of one execution, the probes' own cost taken out; low 0 at least
    double executions;      ///< that samples of this duration stand for
  } *bars;                  ///< [bar_count] ascending, those that are empty left out
  size_t bar_count;
  struct loop_plot_dot {
    double at_ns; ///< since the start of the run
    double ns;    ///< duration, above 0
  } *dots;        ///< [dot_count] in no order; a fair choice of the raw samples
  size_t dot_count;
};

/// Bars and dots of a loop; none where the timer's rate isn't known or nothing was timed.
void loop_plot_get(const struct profile_env *env, const struct profile_loop *loop,
                   struct loop_plot *out);
void loop_plot_release(struct loop_plot *plot);

#endif
