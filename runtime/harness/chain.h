// chain.h - a load of known length: a chain of dependent one-cycle adds, timed as a probe would.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// n adds of a register to itself take n core cycles by construction: nothing to fetch from memory,
// no branch to mispredict. Later Intel cores fold additions of constants, not these.
// Source: [timing2024] section 5 (test load).
#ifndef RETICLE_RUNTIME_HARNESS_CHAIN_H
#define RETICLE_RUNTIME_HARNESS_CHAIN_H

#include <stddef.h>
#include <stdint.h>

/// What a tick and an add are worth now. The core's clock may move: measure close to its use.
struct harness_clock {
  double ticks_per_ns;
  double ns_per_add;
  double step_ns; ///< smallest step that the timer takes
};

/// About 60 ms. Returns 0, or -1 when the timer doesn't advance evenly.
int harness_clock_measure(struct harness_clock *out);

/// Times a chain of `adds` adds once, in ticks, the timer's own cost included. `dither` (0 to some
/// hundred) shifts the start against the timer's step. Repeats itself when the CPU changed.
uint64_t harness_chain_ticks(uint32_t adds, uint32_t dither);

/// Times each of `loads` chains `samples` times, one after the other in turn, so that a disturbance
/// meets all of them alike.
///
/// adds   [loads]
/// ns     [loads][samples], the timer's own cost included
void harness_chain_times(const struct harness_clock *clock, const uint32_t *adds, size_t loads,
                         size_t samples, double *ns);

#endif
