// account.h - where the time of a run went: CPU, waiting for a processor, blocked, stopped.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_ANALYSIS_RUN_ACCOUNT_H
#define RETICLE_TOOLS_ANALYSIS_RUN_ACCOUNT_H

#include "tools/analysis/run/overview.h"

/// Times are sums over the program's threads: user, system, runnable, blocked and stopped together
/// are threads_ns.
struct account {
  struct quantity threads_ns; ///< wall-clock time that they lived
  struct quantity user_ns, system_ns;
  struct quantity runnable_ns; ///< waited for a processor
  struct quantity blocked_ns;  ///< waited for anything else: the rest
  struct quantity stopped_ns;
  struct quantity stolen_ns; ///< of the whole machine, no part of threads_ns
  const char *no_counts;     ///< why the counts aren't known; null where they are
  uint64_t minor_faults, major_faults, switches, preemptions, migrations;
  bool has_migrations;
  struct quantity fork_ns, fork_longest_ns; ///< what forks took their callers
  uint64_t forks;
  bool has_forks;
};

/// profile   merged or not; not modified
/// overview  of the same
struct account account_of(const struct profile *profile, const struct overview *overview);

#endif
