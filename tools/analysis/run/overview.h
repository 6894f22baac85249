// overview.h - what holds for a whole run: its times, what probing took, and what was left out.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_ANALYSIS_RUN_OVERVIEW_H
#define RETICLE_TOOLS_ANALYSIS_RUN_OVERVIEW_H

#include "tools/analysis/stats/quantity.h"
#include "tools/profile/profile.h"

#include <stdbool.h>

/// Why a profile shows no loop times; the first that holds, in this order.
enum overview_gap {
  OVERVIEW_MEASURED,     ///< there are samples
  OVERVIEW_EPOCHS,       ///< samples of closed epochs alone
  OVERVIEW_NO_OBJECTS,   ///< no object file was compiled with the plug-in
  OVERVIEW_NO_LOOPS,     ///< the instrumented objects hold no loop
  OVERVIEW_ALL_LEFT_OUT, ///< they do, but none got a probe
  OVERVIEW_TABLE_FULL,   ///< probed loops, but none that ran has a place in the runtime's table
  OVERVIEW_NOT_ENTERED,  ///< probed loops, but the program entered none
  OVERVIEW_SWITCHED_OFF, ///< loops are known and the runtime ran, but without timing (loop=0)
  OVERVIEW_NO_SAMPLES,   ///< entered, but too short a run to take a sample
};

struct overview {
  struct quantity elapsed_ns;     ///< wall clock from the start to the last checkpoint
  struct quantity stopped_ns;     ///< of that: stopped by a signal, a debugger, suspend
  struct quantity run_ns;         ///< elapsed_ns less what is known to be stopped
  struct quantity cpu_ns;         ///< CPU time of the process
  struct quantity step_ns;        ///< the timer's tick
  struct quantity probe_share;    ///< of the CPU time, spent in probes; 0 to 1
  struct quantity setup_share;    ///< likewise, as threads and loops in them began
  struct quantity sideline_share; ///< likewise, in the runtime's own thread
  struct quantity runtime_share;  ///< likewise, in all of the runtime; not the gates themselves
  double probe_budget;            ///< 0 to 1
  bool over_budget; ///< the runtime without its start took far more, and the run was long enough

  // Sums over the object files.
  uint64_t functions, functions_probed;
  uint64_t loops, loops_probed, loops_short, loops_ignored, loops_unsupported;
  uint64_t objects_unoptimised; ///< compiled with -O0

  // Sums over the loops.
  uint64_t loops_entered, executions, samples;

  enum overview_gap gap;
};

/// From the start to the last checkpoint, less the time that the process was stopped.
uint64_t overview_run_ticks(const struct profile_env *env);
/// What the threads lived, less the same; 0: not known.
uint64_t overview_lives_ticks(const struct profile_env *env);

/// profile  merged or not; not modified
struct overview overview_of(const struct profile *profile);

#endif
