// loop_verdict_tails.c - the verdict on slow executions that need no chains to be told.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/analysis/loop/loop_parts.h"
#include "tools/analysis/loop/loop_tail.h"
#include "tools/analysis/loop/loop_thresholds.h"
#include "tools/analysis/stats/statistics.h"

#include <math.h>

static void set_tail(const struct loop_sample *sample, const struct loop_tail *tail,
                     const char *reason, struct loop_stats *out) {
  double share = tail->share, by = tail->by_ns;
  double error = STATISTICS_Z95 * sqrt(share * (1 - share) / sample->effective);
  out->slow_share = quantity_of(share, fmax(0, share - error), fmin(1, share + error));
  error = STATISTICS_Z95 * tail->by_error + sample->step_ns / 4;
  out->slow_by_ns = quantity_of(by, fmax(0, by - error), by + error);
  out->verdict = LOOP_UNSTEADY;
  out->reason = reason;
}

void loop_judge_tails(const struct loop_sample *sample, struct loop_stats *out) {
  struct loop_tail work = loop_tail_of_work(sample), far = {0};
  bool is_work = out->variance_work.status == QUANTITY_OK && out->variance_work.low >= WORK_LEAST;
  if (!is_work && !work.follows) // the variance may be that of a few preemptions
    work.count = 0;
  if (work.count ? !is_work : out->verdict != LOOP_UNSTEADY)
    far = loop_tail_far(sample);
  if (far.share > MOST_OTHER * work.share) // most of the slow ones are slow for another reason
    work.count = 0;
  else if (work.count)
    far.count = 0;
  out->is_work = work.count > 0;
  if (out->is_work)
    set_tail(sample, &work, "slow runs do more work, as their trip counts say", out);
  else if (far.count)
    set_tail(sample, &far, "far slower runs, oftener than delays of that length come", out);
}
