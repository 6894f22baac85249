// trace.h - children that are traced, and memory shared with them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// As in runtime/sys/sys.h: results are >= 0 or -errno, no libc, no errno.
#ifndef RETICLE_RUNTIME_SYS_TRACE_H
#define RETICLE_RUNTIME_SYS_TRACE_H

#include <stddef.h>
#include <stdint.h>

/// A copy of the calling thread as a process of its own, without what libc does around fork(). 0 in
/// the child, which may use this file and its own memory alone.
long rrt_sys_fork(void);

/// Waits until the child stops or ends; *status as in wait(2). Signals don't end it.
long rrt_sys_wait_child(long pid, int *status);
void rrt_sys_kill_child(long pid);

/// ptrace(2) as the kernel has it.
long rrt_sys_ptrace(long request, long pid, void *address, void *data);

/// A file in memory of that size, all zeros.
int rrt_sys_memory_file(const char *name, size_t bytes);
/// Maps a part of a file, shared. `address` 0: anywhere; else exactly there, unless something is.
///
/// protection  as in mmap(2)
long rrt_sys_map_shared(uint64_t address, size_t bytes, int protection, int fd, uint64_t offset);

/// Called by a child that is going to be traced: it ends with its parent, is traced by it, gets a
/// process group of its own, blocks no signal, and keeps no file but `fd` open.
/// cpu  the processor it stays on; negative: any
long rrt_sys_become_traced(int cpu, int fd);

/// From now on only the system calls numbers[count] work, made by the instruction that ends at
/// `ip`; any other raises SIGSYS. count <= 8.
long rrt_sys_confine(uint64_t ip, const uint32_t *numbers, size_t count);

/// The processor that the calling thread runs on.
long rrt_sys_current_cpu(void);

/// Processors that a thread may run on.
struct rrt_processors {
  uint64_t mask[128];
  size_t bytes; ///< of the mask, in use; 0: not known
};
/// Those of the calling thread.
void rrt_sys_get_processors(struct rrt_processors *out);
/// Leaves the calling thread these; where the system refuses, or they aren't known, nothing
/// changes.
void rrt_sys_set_processors(const struct rrt_processors *processors);
/// Leaves it one.
void rrt_sys_stay_on(int cpu);
/// The next one, in a circle; `cpu` itself if there is no other, or they aren't known.
int rrt_sys_next_processor(const struct rrt_processors *processors, int cpu);

#endif
