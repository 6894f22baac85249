// burst.h - several readings of the clock in a row, at different phases of its step.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A counter that moves by 10 ns shows an event up to 10 ns late. The mean of four readings that lie
// at four phases of its step is late by much less, and by much the same each time.
#ifndef RETICLE_RUNTIME_PROBE_CLOCK_BURST_H
#define RETICLE_RUNTIME_PROBE_CLOCK_BURST_H

#include "include/reticle/abi.h"
#include "runtime/probe/clock/timer.h"

enum { RRT_BURST_PAD_MAX = 16, RRT_BURST_TRIES = 64 };

/// Reads the clock RETICLE_BURST_READS times, and waits between readings for `pad` dependent
/// operations, multiplications on x86. Returns the CPU of the last reading. A test's coarse counter
/// is read as it is.
static inline uint32_t rrt_burst_raw(uint64_t out[RETICLE_BURST_READS], uint32_t pad) {
  uint32_t cpu;
#if defined(__x86_64__) && !defined(RRT_SCRIPTED_CLOCK)
  // Straight, but for jumps that always go to the same place: a branch that is predicted now and
  // then moves the readings behind it by 7 ns.
  uint64_t skipped = (RRT_BURST_PAD_MAX - (uint64_t)pad) * 4, value;
#define RRT_BURST_READ(offset)                                                                     \
  "rdtscp\n\t"                                                                                     \
  "shlq $32, %%rdx\n\t"                                                                            \
  "orq %%rax, %%rdx\n\t"                                                                           \
  "movq %%rdx, " offset "(%[out])\n\t"
#define RRT_BURST_WAIT                                                                             \
  "movq %%rdx, %[value]\n\t"                                                                       \
  "leaq 1f(%%rip), %%rax\n\t"                                                                      \
  "addq %[skipped], %%rax\n\t"                                                                     \
  "notrack jmp *%%rax\n"                                                                           \
  "1:\n\t"                                                                                         \
  ".rept %c[most]\n\t"                                                                             \
  "imulq %[value], %[value]\n\t" /* four bytes */                                                  \
  ".endr\n\t"
  __asm__ volatile(RRT_BURST_READ("0") RRT_BURST_WAIT RRT_BURST_READ("8")
                       RRT_BURST_WAIT RRT_BURST_READ("16") RRT_BURST_WAIT RRT_BURST_READ("24")
                   : [value] "=&r"(value), "=&c"(cpu)
                   : [out] "r"(out), [skipped] "r"(skipped), [most] "i"(RRT_BURST_PAD_MAX)
                   : "rax", "rdx", "cc", "memory");
#else
  for (int i = 0; i < RETICLE_BURST_READS; i++) {
    for (uint32_t k = i ? pad : 0; k; k--)
      __asm__ volatile("" : "+r"(k));
    out[i] = rrt_timer_begin(&cpu);
  }
#endif
  return cpu;
}

/// The same as the counter of this build shows it. *cpu: of the last reading.
static inline void rrt_burst_read(uint64_t out[RETICLE_BURST_READS], uint32_t pad, uint32_t *cpu) {
  *cpu = rrt_burst_raw(out, pad);
  for (int i = 0; i < RETICLE_BURST_READS; i++)
    out[i] = RRT_COARSE(out[i]);
}

/// Mean of a burst's readings, in whole ticks.
static inline uint64_t rrt_burst_mean_of(const uint64_t at[RETICLE_BURST_READS]) {
  uint64_t first = RRT_COARSE(at[0]), sum = 0;
  for (int i = 0; i < RETICLE_BURST_READS; i++)
    sum += RRT_COARSE(at[i]) - first;
  return first + sum / RETICLE_BURST_READS;
}

/// Mean of a burst, in whole ticks.
static inline uint64_t rrt_burst_mean(uint32_t pad, uint32_t *cpu) {
  uint64_t at[RETICLE_BURST_READS];
  *cpu = rrt_burst_raw(at, pad);
  return rrt_burst_mean_of(at);
}

/// Mean time between two readings of a burst, in ticks times 256. Bursts that were interrupted
/// don't count.
static inline uint64_t rrt_burst_spacing256(uint32_t pad, uint64_t step_ticks) {
  uint64_t span[RRT_BURST_TRIES], at[RETICLE_BURST_READS], least = UINT64_MAX, sum = 0, count = 0;
  uint32_t cpu;
  for (int i = 0; i < RRT_BURST_TRIES; i++) {
    rrt_burst_read(at, pad, &cpu);
    span[i] = at[RETICLE_BURST_READS - 1] - at[0];
    least = span[i] < least ? span[i] : least;
  }
  for (int i = 0; i < RRT_BURST_TRIES; i++)
    if (span[i] <= 2 * least + 2 * step_ticks) {
      sum += span[i];
      count++;
    }
  return sum * 256 / (count * (RETICLE_BURST_READS - 1));
}

/// The smallest distance between two of the phases at which readings so far apart meet the step,
/// in the spacing's unit: a quarter of the step at best.
static inline uint64_t rrt_burst_phase_gap(uint64_t spacing, uint64_t step) {
  uint64_t least = step;
  for (uint64_t apart = 1; apart < RETICLE_BURST_READS; apart++) {
    uint64_t phase = apart * spacing % step;
    uint64_t gap = phase < step - phase ? phase : step - phase;
    least = gap < least ? gap : least;
  }
  return least;
}

struct rrt_burst {
  uint32_t pad;           ///< for rrt_burst_read
  uint32_t is_of_use;     ///< 0: the step is so fine that a mean shows no more than one reading
  uint64_t spacing_ticks; ///< between two readings
};

/// Chooses the pad that spreads the readings best over the step. step_ticks > 0.
///
/// Of no use: a step below four ticks (the mean is kept in whole ticks), or below a quarter of the
/// time that a reading takes, which varies by more than that from one to the next.
static inline struct rrt_burst rrt_burst_choose(uint64_t step_ticks) {
  struct rrt_burst best = {0, 0, 0};
#if !defined(RRT_SCRIPTED_CLOCK)
  uint64_t step256 = step_ticks * 256, widest = 0;
  for (uint32_t pad = 0; pad <= RRT_BURST_PAD_MAX; pad++) {
    uint64_t spacing256 = rrt_burst_spacing256(pad, step_ticks);
    uint64_t gap = rrt_burst_phase_gap(spacing256, step256);
    if (pad && gap <= widest)
      continue;
    widest = gap;
    best.pad = pad;
    best.spacing_ticks = spacing256 / 256;
    best.is_of_use = step_ticks >= RETICLE_BURST_READS && step_ticks * 4 >= best.spacing_ticks;
    if (!best.is_of_use || gap >= step256 / 6) // a wider spread gains little
      break;
  }
#else
  (void)step_ticks; // it stands still by itself
#endif
  return best;
}

#endif
