// cpu.h - what names this machine's timing: processor, hypervisor, clock source.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_RUNTIME_SYS_CPU_H
#define RETICLE_RUNTIME_SYS_CPU_H

enum { RRT_CPU_TEXT_BYTES = 128 };

struct rrt_cpu {
  char model[RRT_CPU_TEXT_BYTES];
  char hypervisor[RRT_CPU_TEXT_BYTES];   ///< "" on bare metal
  char clock_source[RRT_CPU_TEXT_BYTES]; ///< the kernel's, "" if unknown
  int is_invariant;                      ///< the counter runs at one rate in every state
  int is_serializing;                    ///< the timer's barrier is dispatch-serialising
};

/// Never fails: what is unknown is "" or 0. No libc.
void rrt_cpu_read(struct rrt_cpu *out);

/// 0 under valgrind where the kernel names no rdtscp: valgrind then kills the program that executes
/// it. Processors of today have it, also where a hypervisor doesn't say so.
int rrt_cpu_has_timer(void);

#endif
