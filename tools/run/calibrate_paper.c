// calibrate_paper.c - runs algorithms 1 and 2 on the harness's timers.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/run/calibrate_paper.h"

#include "runtime/harness/survey.h"
#include "tools/analysis/calibration.h"
#include "tools/support/memory.h"

#include <math.h>

/// Between two looks at the time.
#define SLICE_NS 2e7

enum { TIMINGS = 1000, TIMINGS_QUICK = 100 };

/// What measure() needs.
struct timing_of {
  struct calibration *calibration;
  struct calibrate_flush *flush;
  const struct harness_flush *array;
  const struct harness_timer *timer;
  calibrate_progress *progress;
  double start_s, end_s;
};

/// The callback of tools/analysis/calibration.h.
static int measure(void *context, uint64_t adds, size_t n, double *timings) {
  struct timing_of *t = context;
  const struct harness_clock *clock = &t->calibration->clock;
  double one_ns = t->array->sweep_ns + 1000 + (double)adds * clock->ns_per_add;
  size_t slice = one_ns > 1 ? (size_t)fmax(1, SLICE_NS / one_ns) : n;
  for (size_t done = 0; done < n;) {
    double now_s = calibrate_now_s();
    if (now_s > t->end_s)
      return 1;
    t->progress(t->flush, now_s - t->start_s, t->calibration->request.limit_s);
    size_t count = n - done < slice ? n - done : slice;
    harness_times(t->timer, clock, t->array, t->calibration->request.mask_ticks, adds, count,
                  timings + done);
    done += count;
  }
  return 0;
}

/// The answer in ns, or what kept it from being reached.
static struct quantity answer(const struct calibration_result *result,
                              const struct calibration_clock *clock) {
  switch (result->status) {
  case CALIBRATION_OK:
    return calibration_quantity(result, clock);
  case CALIBRATION_NOT_REACHED:
    return quantity_none(QUANTITY_TOO_NOISY, "not reached: nothing up to the ceiling passes");
  case CALIBRATION_OUT_OF_TIME:
    return quantity_none(QUANTITY_TOO_NOISY, "not reached in the time there was");
  case CALIBRATION_FAILED:
    break;
  }
  return quantity_none(QUANTITY_UNSUPPORTED, "the timer gave no numbers");
}

static void run_timer(struct timing_of *t, size_t timer, double budget_s) {
  struct calibration *c = t->calibration;
  struct timing_floor *out = &t->flush->cells[timer].floor;
  struct calibration_source source = {.measure = measure,
                                      .context = t,
                                      .clocks = 1,
                                      .clock = {{.cost = c->timers[timer].t_e_ns.value,
                                                 .tick = c->timers[timer].step_ns,
                                                 .per_add = c->clock.ns_per_add}}};
  struct calibration_options options = calibration_t_min_defaults();
  struct calibration_result t_min, t_diff;
  options.timings = c->request.quick ? TIMINGS_QUICK : TIMINGS;
  t->timer = c->timers[timer].timer;
  t->end_s = calibrate_now_s() + budget_s / 2;
  out->t_diff_ns =
      quantity_none(QUANTITY_TOO_NOISY, "not reached: there is no t_min to start from");
  if (calibration_t_min_paper(&source, 0, &options, &t_min) != 0)
    memory_exhausted();
  out->t_min_ns = answer(&t_min, &source.clock[0]);
  if (t_min.status != CALIBRATION_OK)
    return;
  t->end_s = calibrate_now_s() + budget_s / 2;
  size_t timings = options.timings;
  options = calibration_t_diff_defaults();
  options.timings = timings;
  if (calibration_t_diff_paper(&source, 0, t_min.adds, &options, &t_diff) != 0)
    memory_exhausted();
  out->t_diff_ns = answer(&t_diff, &source.clock[0]);
}

void calibrate_paper(struct calibration *calibration, struct calibrate_flush *flush,
                     const struct harness_flush *array, double budget_s,
                     calibrate_progress *progress, double start_s) {
  struct timing_of t = {.calibration = calibration,
                        .flush = flush,
                        .array = array,
                        .progress = progress,
                        .start_s = start_s};
  size_t left = 0;
  double end_s = calibrate_now_s() + budget_s;
  for (size_t i = 0; i < HARNESS_TIMER_COUNT; i++)
    left += calibration->timers[i].used;
  for (size_t i = 0; i < HARNESS_TIMER_COUNT; i++)
    if (calibration->timers[i].used)
      run_timer(&t, i, fmax(end_s - calibrate_now_s(), 0) / (double)left--);
}
