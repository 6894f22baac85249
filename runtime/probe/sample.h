// sample.h - samples by signals: from the handler to the sideline.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_RUNTIME_PROBE_SAMPLE_H
#define RETICLE_RUNTIME_PROBE_SAMPLE_H

#include <stddef.h>
#include <stdint.h>

/// Words that a sample has in the ring for its call stack: their number, and addresses.
#define RRT_SAMPLE_RING_WORDS 64

/// Where the kernel's context of a signal has the program counter, and its siginfo the expiries of
/// the timer that came too late for a signal of their own.
#if defined(__x86_64__)
#define RRT_CONTEXT_PC 168
#define RRT_CONTEXT_SP 160
#define RRT_CONTEXT_FRAME 120
#else
#define RRT_CONTEXT_PC 440
#define RRT_CONTEXT_SP 432
#define RRT_CONTEXT_FRAME 416
#endif
#define RRT_INFO_OVERRUN 20

#define RRT_SAMPLE_SLOTS 4096

/// Handler of the samples' signal, on whatever stack. Async-signal-safe; touches no thread-local
/// variable.
void rrt_sample_signal(int signal, void *info, void *context);

/// Samples come with call stacks from now on, by the rules that were published or frame pointers.
///
/// peek  copies memory of this process, which may be none. 0 or -1; async-signal-safe
/// room  [RRT_SAMPLE_SLOTS * RRT_SAMPLE_RING_WORDS], or null: without stacks
void rrt_sample_walk_stacks(int (*peek)(const void *address, void *out, size_t bytes),
                            uint64_t *room);

/// Takes the oldest sample. By the drain alone. 0 if there is none.
///
/// address  out: the program counter
/// periods  out: how many periods of CPU time it stands for
/// stack    [RRT_SAMPLE_RING_WORDS] out: a number and so many addresses, innermost first; more were
///          not looked for. May be null
int rrt_sample_take(uint64_t *address, uint32_t *periods, uint64_t *stack);

/// Samples without a place, since the last call.
uint64_t rrt_sample_lost(void);

/// How full the ring is, in permille.
uint32_t rrt_sample_fill(void);

/// After fork: none are left of the parent's.
void rrt_sample_clear(void);

#endif
