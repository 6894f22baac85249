// loop_told.h - what every form for people says of a loop's numbers, bounds and gaps included.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_MODEL_LOOP_LOOP_TOLD_H
#define RETICLE_TOOLS_MODEL_LOOP_LOOP_TOLD_H

#include "tools/model/measurement/measurement.h"
#include "tools/support/units.h"

/// A number as it is told: text and page show the same words.
struct told {
  char words[40];     ///< "19 %", ">19 %" where it is at least that, "<19 %" where it is at most
                      ///< that, "0.41 s ?", "n/a", "steady"
  double value;       ///< the number in the words; NaN: there is none
  const char *reason; ///< why there is none; "" if there is
  bool is_least;      ///< no more is known than that it is at least the value
  bool is_most;       ///< ... that it is at most the value
};

/// A share of the time: what is known as a lower bound alone is one, and below 0.1 % that says
/// nothing.
///
/// is_least  it is a bound however narrow its interval
struct told told_share(struct quantity share, bool is_least);

struct told loop_told_share(const struct measured_loop *loop);
/// p95 / p50.
struct told loop_told_amplitude(const struct measured_loop *loop);
/// What slow executions lost, or the verdict where they lost nothing or that can't be said.
struct told loop_told_lost(const struct measured_loop *loop);

#endif
