// chain.c - a load of known length, timed as a probe would.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/harness/chain.h"

#include "runtime/harness/machine.h"
#include "runtime/probe/step.h"
#include "runtime/probe/timer.h"
#include "runtime/sys/sys.h"

enum { BLOCK = 256, LONG_CHAIN = 32768, CLOCK_ROUNDS = 400 };

// adds = BLOCK * blocks + rest: whole blocks in a loop, then a jump into the last one.
static void run_chain(uint64_t blocks, uint64_t rest) {
#if defined(__x86_64__)
  uint64_t value = 1, target;
  __asm__ volatile("test %[blocks], %[blocks]\n\t"
                   "jz 2f\n"
                   "1:\n\t"
                   ".rept 256\n\t"
                   "addq %%rax, %%rax\n\t"
                   ".endr\n\t"
                   "dec %[blocks]\n\t"
                   "jnz 1b\n"
                   "2:\n\t"
                   "leaq 3f(%%rip), %[target]\n\t"
                   "leaq (%[rest], %[rest], 2), %[rest]\n\t" // an add is three bytes long
                   "subq %[rest], %[target]\n\t"
                   "jmp *%[target]\n\t"
                   ".rept 256\n\t"
                   "addq %%rax, %%rax\n\t"
                   ".endr\n"
                   "3:"
                   : "+a"(value), [blocks] "+r"(blocks), [rest] "+r"(rest), [target] "=&r"(target)
                   :
                   : "cc");
#elif defined(__aarch64__)
  uint64_t value = 1, target;
  __asm__ volatile("cbz %[blocks], 2f\n"
                   "1:\n\t"
                   ".rept 256\n\t"
                   "add %[value], %[value], %[value]\n\t"
                   ".endr\n\t"
                   "subs %[blocks], %[blocks], #1\n\t"
                   "b.ne 1b\n"
                   "2:\n\t"
                   "adr %[target], 3f\n\t"
                   "sub %[target], %[target], %[rest], lsl #2\n\t"
                   "br %[target]\n\t"
                   ".rept 256\n\t"
                   "add %[value], %[value], %[value]\n\t"
                   ".endr\n"
                   "3:"
                   : [value] "+r"(value), [blocks] "+r"(blocks), [target] "=&r"(target)
                   : [rest] "r"(rest)
                   : "cc");
#endif
}

const char *harness_timer_name(void) { return RRT_TIMER_NAME; }

uint64_t harness_chain_ticks(uint32_t adds, uint32_t dither) {
  for (;;) {
    uint32_t before, after;
    run_chain(0, dither % BLOCK);
    uint64_t start = rrt_timer_read(&before);
    run_chain(adds / BLOCK, adds % BLOCK);
    uint64_t end = rrt_timer_read(&after);
    if (before == after && end >= start)
      return end - start;
  }
}

static uint32_t next_dither(void) {
  static uint32_t state = 2463534242u; // xorshift32
  state ^= state << 13;
  state ^= state >> 17;
  state ^= state << 5;
  return state % BLOCK;
}

// From the fastest runs of a long and a half as long chain: what disturbs a run makes it longer,
// and over so many adds a step of the timer is nothing. (The smallest difference would take a slow
// short run from a fast long one.)
static double ticks_per_add(void) {
  uint64_t whole = UINT64_MAX, half = UINT64_MAX;
  for (int i = 0; i < CLOCK_ROUNDS; i++) {
    uint64_t a = harness_chain_ticks(LONG_CHAIN, next_dither());
    uint64_t b = harness_chain_ticks(LONG_CHAIN / 2, next_dither());
    whole = a < whole ? a : whole;
    half = b < half ? b : half;
  }
  return whole > half ? (double)(whole - half) / (LONG_CHAIN / 2) : 0;
}

int harness_clock_measure(struct harness_clock *out) {
  uint64_t raw = rrt_sys_monotonic_raw_ns(), start = rrt_timer_glance();
  double per_add = ticks_per_add();
  uint64_t raw_end = rrt_sys_monotonic_raw_ns(), end = rrt_timer_glance();
  if (raw_end <= raw || end <= start || per_add <= 0)
    return -1;
  out->ticks_per_ns = (double)(end - start) / (double)(raw_end - raw);
  out->ns_per_add = per_add / out->ticks_per_ns;
  out->step_ns = (double)rrt_timer_step_ticks(1000) / out->ticks_per_ns;
  return 0;
}

void harness_chain_times(const struct harness_clock *clock, const uint32_t *adds, size_t loads,
                         size_t samples, double *ns) {
  for (size_t load = 0; load < loads; load++) // caches and predictors
    harness_chain_ticks(adds[load], next_dither());
  for (size_t i = 0; i < samples; i++)
    for (size_t load = 0; load < loads; load++)
      ns[load * samples + i] =
          (double)harness_chain_ticks(adds[load], next_dither()) / clock->ticks_per_ns;
}
