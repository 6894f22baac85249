// loop_plot.c - converts a loop's histogram and raw samples to nanoseconds.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/model/loop/loop_plot.h"

#include "include/reticle/hist.h"
#include "tools/support/memory.h"

#include <stdlib.h>

/// Units of pair_ticks in a tick.
#define PAIR_UNITS 256.0

void loop_plot_get(const struct profile_env *env, const struct profile_loop *loop,
                   struct loop_plot *out) {
  *out = (struct loop_plot){0};
  if (!env->timer_hz)
    return;
  double tick_ns = 1e9 / (double)env->timer_hz;
  double pair_ns = (double)env->pair_ticks / PAIR_UNITS * tick_ns;
  double unit_ns = tick_ns * (double)(UINT64_C(1) << profile_when_shift(env));
  out->bars = memory_zeroed(loop->hist_count + 1, sizeof *out->bars);
  for (uint32_t i = 0; i < loop->hist_count; i++) {
    const struct profile_hist *hist = &loop->hist[i];
    double low = (double)reticle_hist_low(hist->bucket) * tick_ns - pair_ns;
    double high = ((double)reticle_hist_last(hist->bucket) + 1) * tick_ns - pair_ns;
    if (high > 0 && hist->weight)
      out->bars[out->bar_count++] =
          (struct loop_plot_bar){low > 0 ? low : 0, high, (double)hist->weight};
  }
  // Raw samples are a fair choice of all, in no order, so every n-th is one of them.
  uint64_t step = loop->raw_count / LOOP_PLOT_DOTS + 1;
  out->dots = memory_zeroed(LOOP_PLOT_DOTS + 1, sizeof *out->dots);
  for (uint64_t i = 0; i < loop->raw_count && out->dot_count < LOOP_PLOT_DOTS; i += step) {
    double ns = (double)loop->raw[i].duration_ticks * tick_ns - pair_ns;
    if (ns > 0)
      out->dots[out->dot_count++] = (struct loop_plot_dot){(double)loop->raw[i].when * unit_ns, ns};
  }
}

void loop_plot_release(struct loop_plot *plot) {
  free(plot->bars);
  free(plot->dots);
  *plot = (struct loop_plot){0};
}
