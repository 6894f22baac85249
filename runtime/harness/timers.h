// timers.h - the ways to read time that a calibration compares.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_RUNTIME_HARNESS_TIMERS_H
#define RETICLE_RUNTIME_HARNESS_TIMERS_H

#include <stddef.h>
#include <stdint.h>

enum harness_unit {
  HARNESS_TICKS,  ///< of the invariant counter
  HARNESS_NS,     ///< as a library or the kernel says
  HARNESS_CYCLES, ///< of the core's own clock
};

enum harness_timer_id {
  HARNESS_TIMER_PROBE, ///< what the runtime's probes use
  HARNESS_TIMER_FENCED,
  HARNESS_TIMER_BURST,
  HARNESS_TIMER_BARE,
  HARNESS_TIMER_LIBC,
  HARNESS_TIMER_PAPI,
  HARNESS_TIMER_CORE,
  HARNESS_TIMER_COUNT,
};

struct harness_timer {
  const char *key;    ///< one word
  const char *name;   ///< how it reads
  const char *absent; ///< why it can't be used here; null if it can. Not owned
  enum harness_unit unit;
  unsigned reads; ///< at each end of a measurement; what is returned is the sum over them
  uint64_t (*read)(uint64_t step);
  /// Duration of a chain (harness_chain_run) in units, times `reads`; negative when it has to be
  /// repeated.
  int64_t (*time)(uint64_t blocks, uint64_t rest, uint64_t step);
  /// Runs so many empty pairs, one after the other.
  void (*pairs)(unsigned count);
};

/// All timers, those that are absent here too; looks for PAPI and for a hardware counter when first
/// called. [HARNESS_TIMER_COUNT], by enum harness_timer_id.
const struct harness_timer *harness_timers(void);

/// What a tick and an add are worth now. The core's clock may move: measure close to its use.
struct harness_clock {
  double ticks_per_ns;
  double ns_per_add;
};

/// About 60 ms. Returns 0, or -1 when the counter doesn't advance evenly.
int harness_clock_measure(struct harness_clock *out);

/// ns that one unit of harness_timer.time is worth.
double harness_timer_unit_ns(const struct harness_timer *timer, const struct harness_clock *clock);

/// Smallest step that the timer takes, in ns, over all its reads (rrt_step_ticks). A clock of the
/// kernel rounds to ns what it reads from the counter, so its step is at least the counter's.
///
/// mask_ticks  see harness_step_units
double harness_timer_step_ns(const struct harness_timer *timer, const struct harness_clock *clock,
                             unsigned mask_ticks);

/// The step to which readings are cut, in the timer's units, that makes it as coarse as a counter
/// which moves by mask_ticks ticks at a time (a test aid); 1 for mask_ticks <= 1.
uint64_t harness_step_units(const struct harness_timer *timer, const struct harness_clock *clock,
                            unsigned mask_ticks);

/// Wall-clock cost in ns of an empty pair of reads: the mean over `count` in a row.
double harness_pair_ns(const struct harness_timer *timer, unsigned count);

#endif
