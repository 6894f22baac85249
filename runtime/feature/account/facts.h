// facts.h - facts of long executions: what the kernel tells of a thread, and which are kept.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_RUNTIME_FEATURE_ACCOUNT_FACTS_H
#define RETICLE_RUNTIME_FEATURE_ACCOUNT_FACTS_H

#include "include/reticle/abi.h"
#include "runtime/probe/thread.h"

/// Has long executions ask, if the option is set. Once, before the first thread enters.
///
/// ticks_per_us  about
void rrt_facts_start(uint64_t ticks_per_us);

/// At each checkpoint: no more is asked once the main thread has another seccomp filter than at the
/// start.
void rrt_facts_look(void);

/// The thread ends: its file is closed. Async-signal-safe.
void rrt_facts_leave(struct rrt_thread *thread);

/// Closes all files: the library that carries the runtime is being unloaded, so nobody asks.
void rrt_facts_close(void);

/// In a forked child: files of the parent's threads are closed; the one that lives on opens its
/// own.
void rrt_facts_forked(void);

/// errno of the first thread that couldn't tell what it waited; 0: none.
uint32_t rrt_facts_error(void);

/// What is kept of a loop's executions; see facts_kept.c.
struct rrt_facts_kept;
/// Adds an execution. kept: of its loop, null at first; stays null without memory.
///
/// facts, sample  as they come from the ring
/// begin_ticks, duration_ticks  since the start of the session; stops taken out
void rrt_facts_keep(struct rrt_facts_kept **kept, const struct rrt_record *facts,
                    const struct rrt_record *sample, uint64_t begin_ticks, uint64_t duration_ticks,
                    uint32_t thread_number, uint64_t random);
/// Adds an execution without facts, if it is one of the slowest.
void rrt_facts_keep_slow(struct rrt_facts_kept **kept, const struct rrt_record *sample,
                         uint64_t begin_ticks, uint64_t duration_ticks, uint32_t thread_number);
void rrt_facts_forget(struct rrt_facts_kept **kept);

/// The clocks at a checkpoint.
struct rrt_facts_clock {
  uint32_t when_shift;
  uint64_t hz, now_ticks, now_ns; ///< since the start of the session; since 1970
};
/// Calls with each record of the loop's that is kept.
void rrt_facts_visit(const struct rrt_facts_kept *kept, uint64_t loop,
                     const struct rrt_facts_clock *clock,
                     void (*visit)(const struct reticle_file_fact *record));

#endif
