// facts.h - what the kernel tells of a thread at both ends of a timed execution.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_RUNTIME_PROBE_FACTS_H
#define RETICLE_RUNTIME_PROBE_FACTS_H

#include <stdint.h>

/// Of a thread's life. The counts wrap; so do their differences, to what is meant.
struct rrt_facts {
  uint64_t cpu_ns;
  uint64_t runnable_ns; ///< waited for a processor until some time before; UINT64_MAX: not known
  uint32_t minor_faults, major_faults;
  uint16_t waits, preemptions;
  uint16_t is_known;   ///< of an open sample: it has them
  uint16_t cost_ticks; ///< what reading them took
};

struct rrt_thread;
struct rrt_open;
struct rrt_record;

/// Reads them where the loop's executions are so long that it doesn't matter, in front of the first
/// reading of the clock; what that took. samples, duration_ticks: of the loop, and of its last one.
uint64_t rrt_facts_begin(struct rrt_thread *thread, struct rrt_open *open, uint32_t samples,
                         uint32_t duration_ticks);

/// Behind the second reading, of an execution whose facts were read at its begin. 1 with a record
/// for the ring, in front of the sample's own; 0: not known.
///
/// cost_ticks  out: what reading took
int rrt_facts_end(struct rrt_thread *thread, const struct rrt_open *open, struct rrt_record *out,
                  uint64_t *cost_ticks);

#endif
