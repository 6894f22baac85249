// sample.h - samples by signals: from the handler to the sideline.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_RUNTIME_PROBE_SAMPLE_H
#define RETICLE_RUNTIME_PROBE_SAMPLE_H

#include <stdint.h>

/// Where the kernel's context of a signal has the program counter, and its siginfo the expiries of
/// the timer that came too late for a signal of their own.
#if defined(__x86_64__)
#define RRT_CONTEXT_PC 168
#else
#define RRT_CONTEXT_PC 440
#endif
#define RRT_INFO_OVERRUN 20

/// Handler of the samples' signal, on whatever stack. Async-signal-safe; touches no thread-local
/// variable.
void rrt_sample_signal(int signal, void *info, void *context);

/// Takes the oldest sample. By the drain alone. 0 if there is none.
///
/// address  out: the program counter
/// periods  out: how many periods of CPU time it stands for
int rrt_sample_take(uint64_t *address, uint32_t *periods);

/// Samples without a place, since the last call.
uint64_t rrt_sample_lost(void);

/// How full the ring is, in permille.
uint32_t rrt_sample_fill(void);

/// After fork: none are left of the parent's.
void rrt_sample_clear(void);

#endif
