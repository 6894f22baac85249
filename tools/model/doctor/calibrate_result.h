// calibrate_result.h - what reticle calibrate was asked for, and what it found.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_MODEL_DOCTOR_CALIBRATE_RESULT_H
#define RETICLE_TOOLS_MODEL_DOCTOR_CALIBRATE_RESULT_H

#include "runtime/harness/flush.h"
#include "runtime/harness/survey.h"
#include "runtime/harness/timers.h"
#include "tools/analysis/run/floor.h"
#include "tools/machine/machine.h"
#include "tools/support/text.h"

#include <stdbool.h>

/// Flush sizes: nothing, and four times each cache, as in [timing2024].
enum { CALIBRATE_FLUSHES = 4 };

/// What is asked for.
struct calibrate_request {
  bool timers[HARNESS_TIMER_COUNT];
  bool flushes[CALIBRATE_FLUSHES];
  bool quick;
  double limit_s;
  unsigned mask_ticks;
};

/// One timer behind one flush.
struct calibrate_cell {
  struct timing_floor floor; ///< t_e_ns is that behind the flush
  double *deviations_ns;     ///< [deviation_count] measured less expected, ascending; may be null
  size_t deviation_count;
};

struct calibrate_timer {
  const struct harness_timer *timer;
  bool asked;
  bool used;               ///< asked for and there
  struct quantity pair_ns; ///< wall-clock cost of an empty pair of reads
  struct quantity t_e_ns;  ///< the same as a sample shows it, nothing flushed
  double step_ns;          ///< smallest step; NaN where it isn't used
};

struct calibrate_flush {
  const char *key;  ///< "0", "l1", "l2" or "l3"
  const char *name; ///< "no flush", "4 x L1d", ...
  uint64_t bytes;
  bool asked;
  bool used;          ///< cells hold what was measured
  struct text reason; ///< why not, or why so little; "" if all is well
  double sweep_ns;
  size_t samples, rounds; ///< of the rows that are done
  double seconds;         ///< that it took
  struct calibrate_cell cells[HARNESS_TIMER_COUNT];
};

struct calibration {
  struct calibrate_request request;
  struct machine machine;
  struct harness_caches caches;
  struct harness_clock clock;
  int cpu; ///< that all of it ran on; -1: it could not be kept on one
  struct calibrate_timer timers[HARNESS_TIMER_COUNT];
  struct calibrate_flush flushes[CALIBRATE_FLUSHES];
  double seconds;
  uint64_t time_s;
};

/// Where the floor went.
struct calibrate_stored {
  const char *path;   ///< null: it was not stored
  const char *reason; ///< why not
};

/// The row that the runtime's floor comes from, and PAPI's.
static inline const struct calibrate_cell *calibrate_ours(const struct calibrate_flush *flush) {
  return &flush->cells[HARNESS_TIMER_PROBE];
}
static inline const struct calibrate_cell *calibrate_papi(const struct calibrate_flush *flush) {
  return &flush->cells[HARNESS_TIMER_PAPI];
}

#endif
