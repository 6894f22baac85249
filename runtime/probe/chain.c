// chain.c - times the chain now and then, within the probe budget.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/probe/chain.h"

#include "runtime/probe/clock/clock.h"

enum {
  BLOCK_ADDS = 64,
  TURNS = 4,
  COST_SHARE = 4,       // a chain may take this part of the probe budget, ...
  COST_DISTANCE = 100,  // ... and never more than this part of the time
  COST_MAX_PAIRS = 4096 // the longest chain takes a tenth of so many empty pairs
};

// Short ones for what a pair of probes adds by itself, long ones for what comes with time: 0.3, 2
// and 10 us at 3.6 GHz.
static const uint16_t blocks[TURNS] = {16, 128, 16, 576};

#if defined(RRT_SCRIPTED_CLOCK)

extern uint64_t rrt_scripted_chain_ns;
static void run(uint64_t count) {
  __atomic_fetch_add(&rrt_scripted_ticks, count * rrt_scripted_chain_ns, __ATOMIC_RELAXED);
}

#else

// BLOCK_ADDS * count additions, each of which waits for the one before: as many core cycles.
// Additions of a register to itself, as later Intel cores fold those of constants. Source:
// [timing2024] section 5.
static void run(uint64_t count) {
  uint64_t value = 1;
#if defined(__x86_64__)
  __asm__ volatile("1:\n\t"
                   ".rept 64\n\t"
                   "addq %[value], %[value]\n\t"
                   ".endr\n\t"
                   "decq %[count]\n\t"
                   "jnz 1b"
                   : [value] "+r"(value), [count] "+r"(count)
                   :
                   : "cc");
#elif defined(__aarch64__)
  __asm__ volatile("1:\n\t"
                   ".rept 64\n\t"
                   "add %[value], %[value], %[value]\n\t"
                   ".endr\n\t"
                   "subs %[count], %[count], #1\n\t"
                   "b.ne 1b"
                   : [value] "+r"(value), [count] "+r"(count)
                   :
                   : "cc");
#endif
}

#endif

// Twice as often as a loop is timed (rate.c), from the same parts of the run: what one chain says
// of the clock serves the others and all loops. But no oftener than its share of the budget allows.
static uint64_t interval_ticks(uint64_t now, uint64_t cost) {
  uint64_t distance = 1000 * COST_SHARE / (rrt_probe.budget_permille + 1);
  uint64_t least = cost * (distance > COST_DISTANCE ? distance : COST_DISTANCE);
  uint64_t interval = rrt_timer_between(rrt_probe.start_ticks, now) / rrt_probe.target_samples;
  return interval > least ? interval : least;
}

static struct rrt_chain_timing time_one(uint64_t count) {
  uint32_t cpu, end_cpu;
  uint64_t begin = rrt_clock_begin(&cpu);
  // Behind a burst with no store before the additions the longest chain was late by 790 ns in 2 to
  // 98 % of the times, as the program was laid out: docs/method/loops.md, "Behind a burst".
  volatile uint32_t settled = 0;
  (void)settled;
  run(count);
  uint64_t end = rrt_clock_end(&end_cpu);
  return (struct rrt_chain_timing){
      .begin_ticks = begin,
      .record = {.when = rrt_record_when(begin),
                 .duration_ticks = rrt_timer_between(begin, end),
                 .work = count * BLOCK_ADDS,
                 .weight = 1,
                 .covered = 1,
                 .index = RRT_CHAIN_INDEX,
                 .flags = cpu != end_cpu ? RETICLE_SAMPLE_MIGRATED : 0}};
}

uint64_t rrt_chain_charge(uint64_t took_ticks) {
  uint64_t most = (rrt_probe.pair_cost_ticks + 1) * COST_MAX_PAIRS;
  return took_ticks < most ? took_ticks : most;
}

uint64_t rrt_chain_time(struct rrt_thread *t, struct rrt_chain_timing out[RRT_CHAIN_RECORDS]) {
  uint64_t before = rrt_timer_glance(), count = 1;
  t->chain_due_ticks = UINT64_MAX; // a signal's loops shall not start another
  // The same instructions twice: the first time they come from wherever they were.
  for (int i = 0; i < RRT_CHAIN_RECORDS; i++) {
    out[i] = time_one(count);
    count = blocks[t->chain_turn % TURNS];
    __asm__("" : "+r"(count)); // or the compiler makes two copies
  }
  out[0].record.flags |= RETICLE_SAMPLE_COLD;
  t->chain_turn++;
  uint64_t end = out[1].begin_ticks + out[1].record.duration_ticks;
  uint64_t took_ticks = rrt_timer_between(before, end);
  t->chain_due_ticks = end + interval_ticks(end, rrt_chain_charge(took_ticks));
  return took_ticks;
}

void rrt_chain_time_beside(struct rrt_chain_timing out[RRT_CHAIN_RECORDS]) {
  const uint64_t counts[] = {1, blocks[0], blocks[TURNS - 1]}; // the first one fetches the code
  for (int i = 0; i <= RRT_CHAIN_RECORDS; i++) {
    uint64_t count = counts[i];
    __asm__("" : "+r"(count));
    struct rrt_chain_timing timing = time_one(count);
    timing.record.flags |= RETICLE_SAMPLE_BESIDE;
    if (i)
      out[i - 1] = timing;
  }
}
