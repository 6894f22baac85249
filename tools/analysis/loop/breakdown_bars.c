// breakdown_bars.c - one loop's samples by duration: the histogram of a card.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/analysis/loop/breakdown.h"
#include "tools/analysis/loop/loop_sample.h"

#include <math.h>

/// Wider ranges than this are divided in even ratios.
#define EVEN_RATIO 4.0

/// How a range is divided into bars.
struct division {
  double step_ns; ///< width of an even bar
  double ratio;   ///< high over low; 0 for even bars
};

static struct division divide(double low_ns, double high_ns, double step_ns) {
  if (low_ns <= 0 || high_ns <= EVEN_RATIO * low_ns) {
    // A whole number of the timer's steps: otherwise some bars hold one step more than others.
    double steps = ceil((high_ns - low_ns) / step_ns / (BREAKDOWN_BARS - 1));
    return (struct division){.step_ns = step_ns * fmax(1, steps)};
  }
  return (struct division){.step_ns = step_ns,
                           .ratio = pow(high_ns / low_ns, 1.0 / (BREAKDOWN_BARS - 1))};
}

/// Upper end of the bar that starts at low_ns.
static double bar_end(const struct division *division, double low_ns) {
  if (division->ratio == 0)
    return low_ns + division->step_ns;
  return fmax(low_ns * division->ratio, low_ns + division->step_ns);
}

size_t breakdown_bars(const struct profile_loop *loop, const struct profile_env *env,
                      const struct timing_floor *floor, struct breakdown_bar *bars) {
  struct loop_sample sample;
  if (!env->timer_hz)
    return 0;
  loop_sample_init(loop, env, floor, NULL, &sample);
  size_t used = 0, i = 0;
  if (sample.own_count) {
    // Samples lie on the timer's steps: the first bar starts half a step below the shortest.
    double low_ns = fmax(0, sample.points[0].ns - sample.step_ns / 2);
    double high_ns = sample.points[sample.own_count - 1].ns;
    struct division division = divide(low_ns, high_ns, sample.step_ns);
    while (i < sample.own_count && used < BREAKDOWN_BARS) {
      struct breakdown_bar bar = {.low_ns = low_ns, .high_ns = bar_end(&division, low_ns)};
      bool last = used + 1 == BREAKDOWN_BARS;
      for (; i < sample.own_count && (last || sample.points[i].ns < bar.high_ns); i++)
        bar.share += sample.points[i].weight / sample.weight;
      bars[used++] = bar;
      low_ns = bar.high_ns;
    }
  }
  if (i < sample.count) {
    struct breakdown_bar bar = {.low_ns = sample.points[i].ns,
                                .high_ns = sample.points[sample.count - 1].ns,
                                .noise = true};
    for (; i < sample.count; i++)
      bar.share += sample.points[i].weight / sample.weight;
    bars[used++] = bar;
  }
  loop_sample_release(&sample);
  return used;
}
