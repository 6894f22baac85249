// facts.c - reads facts around long executions, and says what that cost.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Some us of system calls at either end, outside of what is timed: they are part of the probes'
// cost, and taken out of executions around this one. The first execution of a loop has them, too,
// as it may be the only one. Facts have a part of the budget of their own (rate.c). What was just
// read serves again: for the loop around that ends with this one, for the execution that follows at
// once. The file that tells what a thread waited for a processor costs as much as all others: it is
// read behind executions in which the thread was switched out, and at the begin only by threads
// that block.
#include "runtime/probe/facts.h"

#include "runtime/probe/clock/timer.h"
#include "runtime/probe/rate.h"
#include "runtime/probe/thread.h"

// CHARGE: with what a system call takes behind it, as caches and predictors go. DELAY_LEAST: in
// units of 2^RRT_WHEN_SHIFT ticks, 0.1 ms; reading never takes that long by itself.
enum { CHARGE = 2, DELAY_LEAST = 4 };

// More than reading ever takes: the thread was interrupted, which is no cost of probes.
#define MOST_TICKS (UINT64_C(1) << 15)

// Beside an execution of some ms the facts of it are nothing, whatever others have spent: 0.2 % of
// it at the default budget.
#define CHEAP_TICKS (UINT64_C(1) << 15)

static int is_cheap(uint32_t duration_ticks) {
  return (uint64_t)duration_ticks / 1000 * rrt_probe.budget_permille > CHEAP_TICKS;
}

// What was read so short a time ago still holds, to a tenth of the shortest execution with facts;
// a thread that was switched out since comes later than that.
enum { FRESH_PART = 8 };

static int is_fresh(uint64_t then, uint64_t now) {
  return now - then < rrt_probe.facts_least_ticks / FRESH_PART;
}

static int read_facts(struct rrt_thread *t, uint64_t now, struct rrt_facts *out) {
  if (is_fresh(t->facts_ticks, now)) {
    *out = t->facts;
    return 1;
  }
  if (rrt_probe.facts(out) != 0)
    return 0;
  t->facts = *out;
  t->facts_ticks = rrt_timer_glance();
  // Switched out within: the loop around, of which that is a part, needs what was counted behind.
  if (t->facts_ticks - now > MOST_TICKS)
    t->facts_ticks = 0;
  return 1;
}

// The first loop inside of one with facts that was entered with it.
static int is_begun_with_outer(const struct rrt_thread *t) {
  return t->open_count > 1 && t->open[t->open_count - 2].facts.cost_ticks &&
         is_fresh(t->open[t->open_count - 2].begin_ticks, rrt_timer_glance());
}

static uint64_t at_most(uint64_t cost) { return cost < MOST_TICKS ? cost : MOST_TICKS; }

// A quota that is used up is found at the next system call, and so are some other ends of a
// thread's turn: each of these is the program's, and would have come in one of its executions.
static uint16_t delay_of(uint64_t ticks) {
  uint64_t units = ticks >> RRT_WHEN_SHIFT;
  return units < DELAY_LEAST ? 0 : units < UINT16_MAX ? (uint16_t)units : UINT16_MAX;
}

static void charge(struct rrt_thread *t, uint64_t cost) { t->facts_spent_ticks += CHARGE * cost; }

uint64_t rrt_facts_begin(struct rrt_thread *t, struct rrt_open *o, uint32_t samples,
                         uint32_t duration_ticks) {
  o->facts.cost_ticks = o->facts.delay_units = 0;
  if (!rrt_probe.facts || (samples && duration_ticks < rrt_probe.facts_least_ticks) ||
      (!rrt_probe.period && !is_cheap(duration_ticks) &&
       !rrt_rate_allows_facts(t, duration_ticks) && !is_begun_with_outer(t)))
    return 0;
  uint64_t before = rrt_timer_glance();
  int with_outer = is_begun_with_outer(t), known = read_facts(t, before, &o->facts);
  if (known)
    o->facts.runnable_ns =
        !t->facts_fd || t->facts_blocked ? rrt_probe.runnable(t) : t->facts_seen_ns;
  uint64_t whole = rrt_timer_between(before, rrt_timer_glance()), cost = at_most(whole);
  o->facts.cost_ticks = known ? (uint16_t)(cost + 1) : 0;
  o->facts.delay_units =
      with_outer ? t->open[t->open_count - 2].facts.delay_units : delay_of(whole);
  charge(t, cost);
  return cost;
}

// What the thread waited for a processor since the begin, or since it was read last: never less.
// A thread that wasn't switched out didn't wait.
static uint64_t waited_ns(struct rrt_thread *t, const struct rrt_open *o,
                          const struct rrt_facts *now) {
  t->facts_blocked = now->waits != o->facts.waits;
  if (o->facts.runnable_ns == UINT64_MAX)
    return UINT64_MAX;
  if (!t->facts_blocked && now->preemptions == o->facts.preemptions)
    return 0;
  uint64_t runnable_ns = rrt_probe.runnable(t);
  return runnable_ns == UINT64_MAX ? UINT64_MAX : runnable_ns - o->facts.runnable_ns;
}

int rrt_facts_end(struct rrt_thread *t, struct rrt_open *o, struct rrt_record *out,
                  uint64_t *cost_ticks) {
  struct rrt_facts now;
  *cost_ticks = 0;
  if (!o->facts.cost_ticks)
    return 0;
  uint64_t before = rrt_timer_glance();
  int known = read_facts(t, before, &now);
  uint64_t waited = known ? waited_ns(t, o, &now) : 0;
  uint64_t whole = rrt_timer_between(before, rrt_timer_glance());
  *cost_ticks = at_most(whole);
  o->facts.delay_units = (uint16_t)(o->facts.delay_units + delay_of(whole));
  charge(t, *cost_ticks);
  if (!known)
    return 0;
  *out = (struct rrt_record){.duration_ticks = now.cpu_ns - o->facts.cpu_ns,
                             .work = waited,
                             .when = now.minor_faults - o->facts.minor_faults,
                             .weight = now.major_faults - o->facts.major_faults,
                             .covered = (uint32_t)(uint16_t)(now.waits - o->facts.waits) << 16 |
                                        (uint16_t)(now.preemptions - o->facts.preemptions),
                             .index = RRT_FACTS_INDEX};
  return 1;
}

struct rrt_record rrt_facts_late(const struct rrt_record *facts, uint64_t delay_ticks) {
  const uint64_t least_ns =
      20000; // facts_least_ticks is about that; more than there was is cut off
  struct rrt_record late = *facts;
  late.covered++; // a preemption
  if (late.work != UINT64_MAX)
    late.work += delay_ticks / rrt_probe.facts_least_ticks * (least_ns + least_ns / 8);
  return late;
}
