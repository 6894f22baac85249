// slow_cause.h - why executions of a loop were slow: parts that make all of the lost time.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Formulas and limits: docs/method/causes.md.
#ifndef RETICLE_TOOLS_ANALYSIS_LOOP_SLOW_CAUSE_H
#define RETICLE_TOOLS_ANALYSIS_LOOP_SLOW_CAUSE_H

#include "tools/analysis/loop/control.h"
#include "tools/analysis/loop/loop.h"
#include "tools/analysis/stats/quantity.h"
#include "tools/profile/profile.h"

#include <stdbool.h>
#include <stddef.h>

enum slow_cause {
  SLOW_ITERATIONS,    ///< more trips
  SLOW_TAG,           ///< more work, as the program says
  SLOW_PAGE_FAULTS,   ///< CPU time that goes with page faults
  SLOW_WAITS_FOR_CPU, ///< runnable, and not running
  SLOW_MIGRATION,     ///< CPU time that goes with a change of processor
  SLOW_CLOCK,         ///< CPU time at a lower clock than the usual one
  SLOW_BLOCKED,       ///< waited for a lock, input, a timer
  SLOW_GAP,           ///< not on a processor, without a switch: interrupt, SMI or steal
  SLOW_UNEXPLAINED,
  SLOW_CAUSES
};

#define SLOW_SHOWN 5

struct slow_causes {
  const char *gap; ///< why there is no table; null where there is one
  /// Of the time that executions took longer than the usual one; together 1.
  struct quantity share[SLOW_CAUSES];
  enum slow_cause order[SLOW_CAUSES]; ///< largest first, unexplained last
  bool has_first;                     ///< order[0] is beyond chance, and a large part
  double usual_ns, lost_ns;           ///< of the executions that those with facts stand for
  size_t executions;                  ///< with facts
  bool no_runnable;                   ///< what they waited for a processor isn't known
  const struct profile_fact *slowest[SLOW_SHOWN]; ///< [slowest_count] slowest first
  size_t slowest_count;
  struct quantity period_ns; ///< of the times at which slow executions begin
};

/// What is known beside the executions.
struct slow_known {
  double usual_ns; ///< median duration of the loop; not > 0: that of those with facts counts
  double lost_ns;  ///< what an execution lost at least, in the mean of all timed ones; 0: not known
  double executions;    ///< of the loop; 0: not known
  double fault_most_ns; ///< CPU time that a minor page fault takes at most; INFINITY: not known
  const struct control *control; ///< null, or without `clock`: the clock isn't known
};

/// What executions take that aren't slow; 0 if not known.
double slow_usual_ns(const struct loop_stats *stats);

/// facts  [count] of one loop, of a profile; any order
void slow_causes_of(const struct profile_fact *const *facts, size_t count,
                    const struct slow_known *known, struct slow_causes *out);

/// Whether the kernel was asked about it: the slowest are kept without, too.
static inline bool slow_has_facts(const struct profile_fact *fact) {
  return fact->cpu_ns != UINT64_MAX;
}

/// "page-faults", as in JSON.
const char *slow_cause_name(enum slow_cause cause);
/// "page faults", in a sentence.
const char *slow_cause_words(enum slow_cause cause);

#endif
