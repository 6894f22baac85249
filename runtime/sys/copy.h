// copy.h - a copy of the process that computes and nothing else.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// As in runtime/sys/sys.h: results are >= 0 or -errno, no libc, no errno.
#ifndef RETICLE_RUNTIME_SYS_COPY_H
#define RETICLE_RUNTIME_SYS_COPY_H

#include <stdint.h>

/// The calling thread as a process of its own, without what libc does around fork(), which ends
/// with its parent. Its end sends no signal, and the program's own waits don't see it. 0 in the
/// copy, whose signals are as before.
long rrt_sys_copy(void);
/// Waits for its end. 0, the signal that ended it, or 256 + its exit status.
int rrt_sys_wait_copy(long pid);

/// In a copy: SIGPROF ends it after so much CPU time, SIGALRM after so much time, whatever the
/// program has set.
void rrt_sys_limit_copy(uint64_t cpu_ns, uint64_t wall_ns);
/// In a copy: memory that other processes see can't be written any more, and devices not be read,
/// but for [keep_begin, keep_end). 0 or -errno.
int rrt_sys_unshare_memory(uint64_t keep_begin, uint64_t keep_end);
/// In a copy: a system call ends it by SIGSYS, but for its own end. 0 or -errno.
int rrt_sys_confine_copy(void);

#endif
