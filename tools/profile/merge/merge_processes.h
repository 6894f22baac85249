// merge_processes.h - whose samples a merged profile has: processes, their threads' numbers, when.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_PROFILE_MERGE_MERGE_PROCESSES_H
#define RETICLE_TOOLS_PROFILE_MERGE_MERGE_PROCESSES_H

#include "tools/profile/profile.h"

/// What becomes of an input's samples and chains.
struct merge_source {
  struct profile_process *processes; ///< [process_count] of the input, in order of thread_first
  size_t process_count;
  size_t *places;      ///< [process_count] where each is in the result
  unsigned when_shift; ///< bits that `when` loses
  const struct profile *out;
};

/// Puts the processes of all inputs together, in an order that doesn't depend on that of the
/// inputs, and numbers their threads in a row. Fills in out->processes, and of out->env timer_hz
/// and when_shift.
///
/// sources  [count] filled in, owned by out
int merge_processes(const struct profile *const *in, size_t count, struct profile *out,
                    struct merge_source *sources);

/// A thread's number in the result. identity: of the thread whatever is merged with it.
uint32_t merge_thread(const struct merge_source *source, uint32_t thread, uint64_t *identity);

/// Whether two of the result's processes have timers of rates that differ by more than runs as
/// short as theirs can tell.
bool merge_rates_differ(const struct profile *out);

#endif
