// timers.c - the ways to read time that a calibration compares.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/harness/timers.h"

#include "runtime/harness/chain.h"
#include "runtime/harness/core_clock.h"
#include "runtime/harness/machine.h"
#include "runtime/harness/papi.h"
#include "runtime/probe/clock/burst.h"
#include "runtime/probe/clock/step.h"
#include "runtime/probe/clock/timer.h"
#include "runtime/sys/sys.h"

#include <time.h>

enum { LONG_CHAIN = 32768, CLOCK_ROUNDS = 400, STEP_READS = 1000, BURST = RETICLE_BURST_READS };

static uint32_t burst_pad;

#if defined(__aarch64__)
int64_t rrt_timer_cpu_offset; // nobody asks for the CPU
#endif

const char *harness_timer_name(void) { return RRT_TIMER_NAME; }

// --- single reads -------------------------------------------------------------------------------

static inline uint64_t begin_probe(void) {
  uint32_t cpu;
  return rrt_timer_begin(&cpu);
}

static inline uint64_t end_probe(void) {
  uint32_t cpu;
  return rrt_timer_end(&cpu);
}

// All barriers on both sides of both readings.
static inline uint64_t read_fenced(void) {
#if defined(__x86_64__)
  uint32_t low, high;
  __asm__ volatile("lfence\n\trdtsc\n\tlfence" : "=a"(low), "=d"(high) : : "memory");
  return (uint64_t)high << 32 | low;
#else
  return begin_probe();
#endif
}

static inline uint64_t read_bare(void) { return rrt_timer_glance(); }

static inline uint64_t read_libc(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static inline uint64_t read_papi(void) { return (uint64_t)harness_papi_real_ns(); }

// --- pairs --------------------------------------------------------------------------------------

static inline uint64_t cut(uint64_t value, uint64_t step) {
  return step > 1 ? value - value % step : value;
}

// Both reads stand in one function; the call of the chain between them is a part of t_e.
#define TIMER(name, begin, end)                                                                    \
  static uint64_t cut_##name(uint64_t step) { return cut(begin(), step); }                         \
  static int64_t time_##name(uint64_t blocks, uint64_t rest, uint64_t step) {                      \
    uint64_t start = begin();                                                                      \
    harness_chain_run(blocks, rest);                                                               \
    uint64_t stop = end();                                                                         \
    return (int64_t)(cut(stop, step) - cut(start, step));                                          \
  }                                                                                                \
  static void pairs_##name(unsigned count) {                                                       \
    while (count--) {                                                                              \
      uint64_t start = begin();                                                                    \
      __asm__ volatile("" : : "r"(start));                                                         \
      uint64_t stop = end();                                                                       \
      __asm__ volatile("" : : "r"(stop));                                                          \
    }                                                                                              \
  }

TIMER(probe, begin_probe, end_probe)
TIMER(fenced, read_fenced, read_fenced)
TIMER(bare, read_bare, read_bare)
TIMER(libc, read_libc, read_libc)
TIMER(papi, read_papi, read_papi)

// As the probes do it with the option burst=1.
static int64_t time_burst(uint64_t blocks, uint64_t rest, uint64_t step) {
  uint64_t start[BURST], end[BURST], sum = 0;
  uint32_t cpu;
  rrt_burst_read(start, burst_pad, &cpu);
  harness_chain_run(blocks, rest);
  rrt_burst_read(end, burst_pad, &cpu);
  for (unsigned i = 0; i < BURST; i++)
    sum += cut(end[i], step) - cut(start[i], step);
  return (int64_t)sum;
}

static void pairs_burst(unsigned count) {
  uint64_t at[BURST];
  uint32_t cpu;
  for (count *= 2; count; count--) {
    rrt_burst_read(at, burst_pad, &cpu);
    __asm__ volatile("" : : "r"(at[0]), "r"(at[BURST - 1]));
  }
}

static int64_t time_core(uint64_t blocks, uint64_t rest, uint64_t step) {
  struct harness_core_read start, end;
  harness_core_read(&start);
  harness_chain_run(blocks, rest);
  harness_core_read(&end);
  int64_t cycles = harness_core_between(&start, &end);
  return cycles < 0 ? cycles : (int64_t)cut((uint64_t)cycles, step);
}

static uint64_t cut_core(uint64_t step) {
  struct harness_core_read now;
  harness_core_read(&now);
  return cut(now.count, step);
}

static void pairs_core(unsigned count) {
  for (count *= 2; count; count--)
    cut_core(1);
}

// --- table --------------------------------------------------------------------------------------

const struct harness_timer *harness_timers(void) {
  static struct harness_timer timers[HARNESS_TIMER_COUNT] = {
#if defined(__x86_64__)
      {"rdtscp", RRT_TIMER_NAME, NULL, HARNESS_TICKS, 1, cut_probe, time_probe, pairs_probe},
      {"rdtsc", "lfence;rdtsc;lfence", NULL, HARNESS_TICKS, 1, cut_fenced, time_fenced,
       pairs_fenced},
      {"burst", "rdtscp;lfence x 4", NULL, HARNESS_TICKS, BURST, cut_probe, time_burst,
       pairs_burst},
      {"bare", "rdtsc", NULL, HARNESS_TICKS, 1, cut_bare, time_bare, pairs_bare},
#else
      {"cntvct", RRT_TIMER_NAME, NULL, HARNESS_TICKS, 1, cut_probe, time_probe, pairs_probe},
      {"fenced", RRT_TIMER_NAME, "the same as cntvct", HARNESS_TICKS, 1, cut_fenced, time_fenced,
       pairs_fenced},
      {"burst", RRT_TIMER_NAME " x 4", NULL, HARNESS_TICKS, BURST, cut_fenced, time_burst,
       pairs_burst},
      {"bare", "cntvct_el0", NULL, HARNESS_TICKS, 1, cut_bare, time_bare, pairs_bare},
#endif
      {"clock", "clock_gettime", NULL, HARNESS_NS, 1, cut_libc, time_libc, pairs_libc},
      {"papi", "PAPI_get_real_nsec", NULL, HARNESS_NS, 1, cut_papi, time_papi, pairs_papi},
      {"core", RRT_CORE_NAME, NULL, HARNESS_CYCLES, 1, cut_core, time_core, pairs_core},
  };
  static int is_looked_for;
  if (!is_looked_for) {
    is_looked_for = 1;
    burst_pad = rrt_burst_choose(rrt_timer_step_ticks(STEP_READS)).pad;
    timers[HARNESS_TIMER_PAPI].absent = harness_papi_open();
    timers[HARNESS_TIMER_CORE].absent = harness_core_open();
  }
  return timers;
}

// --- clock --------------------------------------------------------------------------------------

// From the fastest runs of a long and a half as long chain: what disturbs a run makes it longer,
// and over so many adds a step of the timer is nothing. (The smallest difference would take a slow
// short run from a fast long one.)
static double ticks_per_add(void) {
  int64_t whole = INT64_MAX, half = INT64_MAX;
  for (int i = 0; i < CLOCK_ROUNDS; i++) {
    int64_t a = time_probe(LONG_CHAIN / HARNESS_CHAIN_BLOCK, 0, 1);
    int64_t b = time_probe(LONG_CHAIN / 2 / HARNESS_CHAIN_BLOCK, 0, 1);
    whole = a >= 0 && a < whole ? a : whole;
    half = b >= 0 && b < half ? b : half;
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
  return 0;
}

static double unit_ns(enum harness_unit unit, const struct harness_clock *clock) {
  return unit == HARNESS_TICKS ? 1 / clock->ticks_per_ns
         : unit == HARNESS_NS  ? 1
                               : clock->ns_per_add; // an add is a cycle
}

double harness_timer_unit_ns(const struct harness_timer *timer, const struct harness_clock *clock) {
  return unit_ns(timer->unit, clock) / timer->reads;
}

uint64_t harness_step_units(const struct harness_timer *timer, const struct harness_clock *clock,
                            unsigned mask_ticks) {
  if (mask_ticks <= 1)
    return 1;
  if (timer->unit == HARNESS_TICKS)
    return mask_ticks;
  return (uint64_t)(mask_ticks / clock->ticks_per_ns / unit_ns(timer->unit, clock) + 0.5);
}

static uint64_t step_of_reads(const struct harness_timer *timer, uint64_t mask) {
  struct rrt_step step = {0, 0, 0};
  uint64_t last = timer->read(mask);
  for (int i = 0; i < STEP_READS; i++) {
    harness_chain_run(0, (uint64_t)i % HARNESS_CHAIN_BLOCK);
    uint64_t now = timer->read(mask);
    rrt_step_add(&step, now - last);
    last = now;
  }
  return rrt_step_ticks(&step);
}

double harness_timer_step_ns(const struct harness_timer *timer, const struct harness_clock *clock,
                             unsigned mask_ticks) {
  const struct harness_timer *probe = &harness_timers()[HARNESS_TIMER_PROBE];
  uint64_t step = harness_step_units(timer, clock, mask_ticks);
  double own = (double)step_of_reads(timer, step) * harness_timer_unit_ns(timer, clock);
  if (timer->unit != HARNESS_NS)
    return own;
  double beneath = (double)step_of_reads(probe, 1) * harness_timer_unit_ns(probe, clock);
  return own > beneath ? own : beneath;
}

double harness_pair_ns(const struct harness_timer *timer, unsigned count) {
  uint64_t start = rrt_sys_monotonic_raw_ns();
  timer->pairs(count);
  return (double)(rrt_sys_monotonic_raw_ns() - start) / count;
}
