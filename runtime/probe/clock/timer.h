// timer.h - the serialized-barrier clock.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Nothing of the measured region runs before the first reading or after the second, and nothing
// from before it during it. Source: [timing2024], which puts barriers on both sides of both
// readings; RDTSCP by itself waits until all that is before it has executed, and what comes behind
// the second reading may begin when it likes. LFENCE is dispatch-serialising on Intel, and on AMD
// where CPUID 8000_0021 EAX[2] says so.
//
// The core's own clock is read likewise, where the kernel lets a program read it: which counter it
// is, and whether it is the same at both ends, only the kernel's page about it says
// (runtime/harness/core_clock.c).
#ifndef RETICLE_RUNTIME_PROBE_CLOCK_TIMER_H
#define RETICLE_RUNTIME_PROBE_CLOCK_TIMER_H

#include <stdint.h>

#if defined(RRT_COARSE_STEP_TICKS)
/// A test's counter that moves by so many ticks at a time, as in many virtual machines.
#define RRT_COARSE(ticks) ((ticks) - (ticks) % RRT_COARSE_STEP_TICKS)
#else
#define RRT_COARSE(ticks) (ticks)
#endif

#if defined(RRT_SCRIPTED_CLOCK)

#define RRT_TIMER_NAME "scripted"
/// Advanced by tests alone (reticle_scripted_advance).
extern uint64_t rrt_scripted_ticks;
extern uint32_t rrt_scripted_cpu;
static inline uint64_t rrt_timer_begin(uint32_t *cpu) {
  *cpu = __atomic_load_n(&rrt_scripted_cpu, __ATOMIC_RELAXED);
  return __atomic_load_n(&rrt_scripted_ticks, __ATOMIC_RELAXED);
}
static inline uint64_t rrt_timer_end(uint32_t *cpu) { return rrt_timer_begin(cpu); }
static inline uint64_t rrt_timer_glance(void) {
  return __atomic_load_n(&rrt_scripted_ticks, __ATOMIC_RELAXED);
}

#define RRT_CORE_NAME "scripted"
extern uint64_t rrt_scripted_cycles;
static inline int rrt_core_can_read(uint32_t counter) { return counter < 64; }
static inline uint64_t rrt_core_read(uint32_t counter) {
  (void)counter;
  return __atomic_load_n(&rrt_scripted_cycles, __ATOMIC_RELAXED);
}
static inline void rrt_core_barrier(void) {}
static inline uint64_t rrt_core_glance(uint32_t counter) { return rrt_core_read(counter); }

#elif defined(__x86_64__)

#define RRT_TIMER_NAME "rdtscp;lfence to rdtscp"
/// Ticks of the invariant counter, in front of what is measured; *cpu is whatever the kernel keeps
/// in TSC_AUX, one value a CPU.
static inline uint64_t rrt_timer_begin(uint32_t *cpu) {
  uint32_t low, high;
  __asm__ volatile("rdtscp\n\tlfence" : "=a"(low), "=d"(high), "=c"(*cpu) : : "memory");
  return RRT_COARSE((uint64_t)high << 32 | low);
}
/// The same behind it.
static inline uint64_t rrt_timer_end(uint32_t *cpu) {
  uint32_t low, high;
  __asm__ volatile("rdtscp" : "=a"(low), "=d"(high), "=c"(*cpu) : : "memory");
  return RRT_COARSE((uint64_t)high << 32 | low);
}
/// The same counter without barriers, for budgets and rates.
static inline uint64_t rrt_timer_glance(void) {
  uint32_t low, high;
  __asm__ volatile("rdtsc" : "=a"(low), "=d"(high));
  return (uint64_t)high << 32 | low;
}

#define RRT_CORE_NAME "lfence;rdpmc;lfence"
#if !defined(RRT_CORE_INSTRUCTION) // bench/topdown_read.c has "rdtsc" where there is no PMU
#define RRT_CORE_INSTRUCTION "rdpmc"
#endif
/// 1 if there is an instruction that reads the counter of that number.
static inline int rrt_core_can_read(uint32_t counter) {
  (void)counter;
  return 1;
}
/// As many bits of the counter as it has. Faults where the kernel doesn't allow it.
static inline uint64_t rrt_core_read(uint32_t counter) {
  uint32_t low, high;
  __asm__ volatile("lfence\n\trdpmc\n\tlfence" : "=a"(low), "=d"(high) : "c"(counter) : "memory");
  return (uint64_t)high << 32 | low;
}
/// What is in front of it has executed, and nothing behind it has begun.
static inline void rrt_core_barrier(void) { __asm__ volatile("lfence" : : : "memory"); }
/// rrt_core_read without barriers.
static inline uint64_t rrt_core_glance(uint32_t counter) {
  uint32_t low, high;
  __asm__ volatile(RRT_CORE_INSTRUCTION : "=a"(low), "=d"(high) : "c"(counter) : "memory");
  return (uint64_t)high << 32 | low;
}

#elif defined(__aarch64__)

#define RRT_TIMER_NAME "isb;cntvct_el0;isb"
/// From the thread pointer to where the kernel keeps the number of the CPU (struct rseq, which libc
/// registers); 0: nobody does, and a change of CPU goes unnoticed. The counter is one for all of
/// them.
extern int64_t rrt_timer_cpu_offset;
static inline uint64_t rrt_timer_begin(uint32_t *cpu) {
  uint64_t ticks;
  __asm__ volatile("isb\n\tmrs %0, cntvct_el0\n\tisb" : "=r"(ticks) : : "memory");
  *cpu = 0;
  if (rrt_timer_cpu_offset) {
    const char *thread;
    __asm__("mrs %0, tpidr_el0" : "=r"(thread));
    *cpu = *(const volatile uint32_t *)(thread + rrt_timer_cpu_offset);
  }
  return ticks;
}
static inline uint64_t rrt_timer_end(uint32_t *cpu) { return rrt_timer_begin(cpu); }
static inline uint64_t rrt_timer_glance(void) {
  uint64_t ticks;
  __asm__ volatile("mrs %0, cntvct_el0" : "=r"(ticks));
  return ticks;
}

#define RRT_CORE_NAME "isb;pmccntr_el0;isb"
/// The cycle counter is number 31; the others, 0 to 30, have a register of their own each.
static inline int rrt_core_can_read(uint32_t counter) { return counter <= 31; }
#define RRT_CORE_REGISTER(n)                                                                       \
  if (counter == n)                                                                                \
    __asm__ volatile("isb\n\tmrs %0, pmevcntr" #n "_el0\n\tisb" : "=r"(count) : : "memory");
#define RRT_CORE_EIGHT(a, b, c, d, e, f, g, h)                                                     \
  RRT_CORE_REGISTER(a)                                                                             \
  RRT_CORE_REGISTER(b)                                                                             \
  RRT_CORE_REGISTER(c)                                                                             \
  RRT_CORE_REGISTER(d)                                                                             \
  RRT_CORE_REGISTER(e)                                                                             \
  RRT_CORE_REGISTER(f)                                                                             \
  RRT_CORE_REGISTER(g)                                                                             \
  RRT_CORE_REGISTER(h)
static inline uint64_t rrt_core_read(uint32_t counter) {
  uint64_t count = 0;
  if (counter == 31)
    __asm__ volatile("isb\n\tmrs %0, pmccntr_el0\n\tisb" : "=r"(count) : : "memory");
  RRT_CORE_EIGHT(0, 1, 2, 3, 4, 5, 6, 7);
  RRT_CORE_EIGHT(8, 9, 10, 11, 12, 13, 14, 15);
  RRT_CORE_EIGHT(16, 17, 18, 19, 20, 21, 22, 23);
  RRT_CORE_REGISTER(24);
  RRT_CORE_REGISTER(25);
  RRT_CORE_REGISTER(26);
  RRT_CORE_REGISTER(27);
  RRT_CORE_REGISTER(28);
  RRT_CORE_REGISTER(29);
  RRT_CORE_REGISTER(30);
  return count;
}
static inline void rrt_core_barrier(void) { __asm__ volatile("isb" : : : "memory"); }
static inline uint64_t rrt_core_glance(uint32_t counter) { return rrt_core_read(counter); }
#undef RRT_CORE_EIGHT
#undef RRT_CORE_REGISTER

#endif

/// to - from; 0 where `to` is the earlier one, as two threads' readings may be, those of one that
/// changed its CPU, and those of which one was reckoned from another clock.
static inline uint64_t rrt_timer_between(uint64_t from, uint64_t to) {
  return to > from ? to - from : 0;
}

#endif
