// account.h - where the time of the process went: CPU, waiting for a processor, blocked, stopped.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// docs/decisions/0040. All without privileges: getrusage, CPU clocks, /proc. What can't be read is
// UINT64_MAX with an errno.
#ifndef RETICLE_RUNTIME_FEATURE_ACCOUNT_ACCOUNT_H
#define RETICLE_RUNTIME_FEATURE_ACCOUNT_ACCOUNT_H

#include "include/reticle/abi.h"

/// The session begins: what the process used before doesn't count. Async-signal-safe.
void rrt_account_start(void);

/// The same for what only files tell; at the first call. Needs the drain lock.
void rrt_account_watch(void);

/// The process has forked, which took the caller so long. Needs the drain lock.
void rrt_account_forked(uint64_t ns);

/// A thread has ended. Needs the drain lock.
///
/// cpu_ns, runnable_ns  over its life; runnable_ns UINT64_MAX: not known, the last look counts
/// weight  threads whose runnable_ns is this one's
void rrt_account_ended(uint32_t tid, uint64_t start_ticks, uint64_t end_ticks, uint64_t cpu_ns,
                       uint64_t runnable_ns, uint32_t weight);

/// The second number of the kernel's schedstat. 0, -EIO, or -ENOTSUP: the kernel keeps none.
int rrt_account_parse_runnable(const char *schedstat, uint64_t *runnable_ns);
/// What the calling thread has waited for a processor in its life; UINT64_MAX: not known.
/// Async-signal-safe.
uint64_t rrt_account_own_runnable_ns(void);

/// From the start of the session on. Needs the drain lock, and rrt_pressure_read before.
///
/// env  with the elapsed ticks and the timer's rate of this checkpoint
void rrt_account_read(const struct reticle_file_env *env, int has_hypervisor,
                      struct reticle_file_account *out);

#endif
