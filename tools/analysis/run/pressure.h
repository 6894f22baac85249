// pressure.h - what quotas, other programs and the kernel took while a program ran.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_ANALYSIS_RUN_PRESSURE_H
#define RETICLE_TOOLS_ANALYSIS_RUN_PRESSURE_H

#include "tools/analysis/stats/quantity.h"
#include "tools/profile/profile.h"

#include <stdbool.h>

/// Of the program's cgroup, or of the whole machine: never of the program alone.
struct pressure {
  struct quantity throttled_ns; ///< processors withheld by a quota; several at once add up
  struct quantity quota;        ///< in processors; unsupported where there is none
  struct quantity cpu_ns, memory_ns, io_ns; ///< some thread of the machine waited for it
  struct quantity interrupt_ns;             ///< of all processors together
  const char *no_throttled, *no_memory;     ///< why the counts aren't known; null where they are
  uint64_t throttled;                       ///< periods of the quota
  uint64_t huge_pages, huge_misses, compactions;
};

/// profile  merged or not; not modified
struct pressure pressure_of(const struct profile *profile);

#endif
