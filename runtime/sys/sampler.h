// sampler.h - clocks of the kernel that say where threads are.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Same conventions as sys.h.
#ifndef RETICLE_RUNTIME_SYS_SAMPLER_H
#define RETICLE_RUNTIME_SYS_SAMPLER_H

#include <stdint.h>

/// What samples are to have, in this order, behind address, process, thread and time
/// (CLOCK_MONOTONIC_RAW).
struct rrt_sys_samples {
  uint64_t period_ns;
  uint32_t stack_depth; ///< a number and so many words: at most stack_depth addresses of the call
                        ///< stack by frame pointers, innermost first, and above -4096 what the
                        ///< kernel says of those behind. Not above rrt_sys_stack_depth; 0: without
  int with_registers; ///< a word, not 0, and in the kernel's order the 16 general registers and the
                      ///< program counter in user mode: ax bx cx dx si di bp sp ip r8 ... r15;
                      ///< x86-64
  uint32_t stack_bytes; ///< a number, so many bytes from the stack pointer upwards, and how many of
                        ///< them there are; a multiple of 8; 0: without
  int with_kernel;      ///< also while it runs in the kernel, which not every user may ask for
};

/// Samples a thread, and the threads that it starts from now on, while they run on one CPU.
/// Mappings of code come as records, with build ids where the kernel knows how. A descriptor or
/// -errno; -ENODEV: no such CPU.
int rrt_sys_open_samples(uint32_t tid, uint32_t cpu, const struct rrt_sys_samples *samples);

/// Addresses of a call stack that the kernel takes at most.
uint32_t rrt_sys_stack_depth(void);

/// Ring of such a descriptor, of data_bytes (a power of two pages) or less. Null, and *error.
void *rrt_sys_map_samples(int fd, uint64_t data_bytes, int *error);
/// What fd samples goes into the ring of another one for the same CPU.
int rrt_sys_join_samples(int fd, int into);

/// The CPU that the calling thread is on.
uint32_t rrt_sys_this_cpu(void);
/// CPUs that are online, ascending. The number there is.
/// out  [max]
uint32_t rrt_sys_online_cpus(uint32_t *out, uint32_t max);

/// Sends `signal` to a thread of the process each period_ns of its CPU time, or as often as the
/// kernel looks. A timer, or -errno.
int rrt_sys_start_timer(uint32_t tid, int signal, uint64_t period_ns);
void rrt_sys_stop_timer(int timer);
/// Gives a signal of rrt_sys_take_signal back; pending ones are gone.
void rrt_sys_give_signal(int signal);

/// Handles a signal that nothing handles yet, the highest one there is; the kernel's arguments as
/// they come. The signal, or -errno.
int rrt_sys_take_signal(void (*handler)(int signal, void *info, void *context));

#endif
