// facts.c - reads facts around long executions, and says what that cost.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Some 1.2 us of system calls at either end, outside of what is timed: they are part of the probes'
// cost, and taken out of executions around this one. The first execution of a loop has them, too,
// as it may be the only one. Samples come first: facts take what they leave of the budget
// (rate.c).
#include "runtime/probe/facts.h"

#include "runtime/probe/rate.h"
#include "runtime/probe/thread.h"
#include "runtime/probe/timer.h"

// CHARGE: with what a system call takes behind it, as caches and predictors go.
enum { CHARGE = 2 };

// More than reading ever takes: the thread was interrupted, which is no cost of probes.
#define MOST_TICKS (UINT64_C(1) << 17)

// Beside an execution of some ms the facts of it are nothing, whatever others have spent: 0.2 % of
// it at the default budget.
#define CHEAP_TICKS (UINT64_C(1) << 15)

static int is_cheap(uint32_t duration_ticks) {
  return (uint64_t)duration_ticks / 1000 * rrt_probe.budget_permille > CHEAP_TICKS;
}

static uint64_t cost_since(uint64_t before) {
  uint64_t cost = rrt_timer_glance() - before;
  return cost < MOST_TICKS ? cost : MOST_TICKS;
}

static void charge(struct rrt_thread *t, uint64_t cost) { t->facts_spent_ticks += CHARGE * cost; }

uint64_t rrt_facts_begin(struct rrt_thread *t, struct rrt_open *o, uint32_t samples,
                         uint32_t duration_ticks) {
  o->has_facts = 0;
  if (!rrt_probe.facts || (samples && duration_ticks < rrt_probe.facts_least_ticks) ||
      (!rrt_probe.period && !is_cheap(duration_ticks) && !rrt_rate_allows_facts(t)))
    return 0;
  uint64_t before = rrt_timer_glance();
  o->has_facts = rrt_probe.facts(t, &o->facts) == 0;
  uint64_t cost = cost_since(before);
  o->facts_ticks = (uint32_t)cost;
  charge(t, cost);
  return cost;
}

int rrt_facts_end(struct rrt_thread *t, const struct rrt_open *o, struct rrt_record *out,
                  uint64_t *cost_ticks) {
  struct rrt_facts now;
  *cost_ticks = 0;
  if (!o->has_facts)
    return 0;
  uint64_t before = rrt_timer_glance();
  int known = rrt_probe.facts(t, &now) == 0;
  *cost_ticks = cost_since(before);
  charge(t, *cost_ticks);
  if (!known)
    return 0;
  int is_known = now.runnable_ns != UINT64_MAX && o->facts.runnable_ns != UINT64_MAX;
  *out = (struct rrt_record){.duration_ticks = now.cpu_ns - o->facts.cpu_ns,
                             .work = is_known ? now.runnable_ns - o->facts.runnable_ns : UINT64_MAX,
                             .when = now.minor_faults - o->facts.minor_faults,
                             .weight = now.major_faults - o->facts.major_faults,
                             .covered = (now.waits - o->facts.waits) << 16 |
                                        ((now.preemptions - o->facts.preemptions) & UINT16_MAX),
                             .index = RRT_FACTS_INDEX};
  return 1;
}
