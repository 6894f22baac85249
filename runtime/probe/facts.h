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
  uint16_t cost_ticks; ///< of an open sample: 1 + what reading them took; 0: it has none
  uint16_t
      delay_units; ///< the thread was switched out while they were read: 2^RRT_WHEN_SHIFT ticks
};

struct rrt_thread;
struct rrt_open;
struct rrt_record;

/// Reads them where the loop's executions are so long that it doesn't matter, in front of the first
/// reading of the clock; what that took. samples, duration_ticks: of the loop, and of its last one.
uint64_t rrt_facts_begin(struct rrt_thread *thread, struct rrt_open *open, uint32_t samples,
                         uint32_t duration_ticks);

/// Behind the second reading, of an execution whose facts were read at its begin. 1 with a record
/// for the ring, in front of the sample's own; 0: not known. Adds to open->facts.delay_units.
///
/// cost_ticks  out: what reading took
int rrt_facts_end(struct rrt_thread *thread, struct rrt_open *open, struct rrt_record *out,
                  uint64_t *cost_ticks);

/// The same of the execution with its delay.
struct rrt_record rrt_facts_late(const struct rrt_record *facts, uint64_t delay_ticks);

#endif
