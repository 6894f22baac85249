// counter.h - a hardware counter that can be read without the kernel.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_RUNTIME_SYS_COUNTER_H
#define RETICLE_RUNTIME_SYS_COUNTER_H

#include <stdint.h>

struct rrt_pmu_page;

/// Counts the calling thread's cycles in user mode until the process ends. The kernel's page about
/// the counter (struct perf_event_mmap_page), or null with an errno.
const void *rrt_sys_map_cycle_counter(uint32_t *error);

enum rrt_cache { RRT_CACHE_DATA, RRT_CACHE_CODE };

/// Counts the misses of a process's reads from a first cache in user mode. Returns a descriptor, to
/// be closed, or -errno.
int rrt_sys_open_misses(uint32_t pid, enum rrt_cache cache);
/// Reads such a counter. Returns 0 or -errno; -EBUSY if it did not count all the time, as others
/// use the PMU.
int rrt_sys_read_counter(int fd, uint64_t *count);

/// errno of opening a hardware cycle counter for this thread; 0 if it works.
/// can_read  whether a program may read it by an instruction
uint32_t rrt_sys_pmu_errno(int *can_read);

/// Counts an event of the processor in the calling thread, in user mode. Returns a descriptor, or
/// -errno: -ENOENT without a PMU, -EACCES or -EPERM where it is not allowed, -EINVAL where the
/// group has more than the processor counts at once.
///
/// code    raw, as in /sys/bus/event_source/devices/cpu/format
/// leader  descriptor of the group's first event; -1: this one leads a group, which is counted
///         whole or not at all
/// is_off  1: not before rrt_sys_switch_events
int rrt_sys_open_event(uint64_t code, int leader, int is_off);
/// The kernel's page about such an event, which goes on when its descriptor is closed. Null, and an
/// errno.
const volatile struct rrt_pmu_page *rrt_sys_map_event(int fd, uint32_t *error);
void rrt_sys_unmap_event(const void *page);
/// Lets the group of that leader count, or not.
void rrt_sys_switch_events(int leader, int on);
/// Has the register of an event begin at 0; PERF_METRICS with that of its slots.
void rrt_sys_reset_event(int fd);
/// Moves a descriptor above those that programs use, if it can; the new one.
int rrt_sys_raise_descriptor(int fd);

#endif
