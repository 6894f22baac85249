// scripted.h - what a test program linked with libreticle_rt_scripted.a may call.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_RUNTIME_PROBE_CLOCK_SCRIPTED_H
#define RETICLE_RUNTIME_PROBE_CLOCK_SCRIPTED_H

#include <stdint.h>

/// Lets the clock of all threads go on. One tick is one nanosecond.
void reticle_scripted_advance(uint64_t ns);
/// Lets the core's own clock go on.
void reticle_scripted_advance_core(uint64_t cycles);
/// The CPU that all threads seem to run on from now on.
void reticle_scripted_move_to_cpu(uint32_t cpu);

/// What 64 additions of the control chain take from now on, in ns; 1 at first. The chain lets the
/// clock go on, so a test of exact times switches it off (option chain=0).
void reticle_scripted_chain(uint64_t ns);

#endif
