// rate.c - when to time a loop next.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A loop that is entered e times in a time t shall be timed once per `interval`: its next countdown
// is e/t * interval. One interval for all loops of a thread gives a loop of 20 ns and a loop of 20
// ms the same number of samples, which first come, first served doesn't. The interval is the longer
// of
//   * the one that the budget allows, steered so that probes take budget_permille of the time, and
//   * 2 * elapsed / target_samples: half of target_samples within each e-fold of the run time, so a
//     long run costs less and less, and one of a second has several times target_samples.
// Of loops that take 1 ms and more every execution is timed: a sample is next to nothing beside it,
// and the slowest are those of all.
#include "runtime/probe/rate.h"

#include "runtime/probe/clock/timer.h"

enum {
  COUNTDOWN_MAX = 1 << 24, // bounds what one wrong estimate can cost
  GROWTH = 4,              // countdown changes at most by this factor at a time
  INTERVAL_MIN_TICKS = 1 << 10,
  REFUSED_MIN = 1 << 12, // so many executions always cost far more than a refusal
  FACTS_LEAST = 4,       // one in so many of the budget
  FACTS_LONG = 2,        // of long executions
  FACTS_LONG_FACTOR = 5, // these take so many times the shortest with facts
  EVERY_FACTOR = 50,     // executions that take so many times that are timed each
  // Cold caches make a probe some times as dear as in the calibration; an interrupt, dozens of
  // times. A loop is long when a probe takes less than this part of its share of the budget.
  CHEAP_FACTOR = 8,
};
#define INTERVAL_MAX_TICKS (UINT64_C(1) << 40)
#define WINDOW_TICKS (UINT64_C(1) << 20) // about 0.4 ms: many samples, yet quick to adapt
#define WINDOW_UNKNOWN_TICKS (UINT64_C(1) << 22)
#define WINDOW_MOST_TICKS (UINT64_C(1) << 32) // 1.7 s at 2.6 GHz

static uint64_t random_next(struct rrt_thread *t) { // xorshift64
  t->random ^= t->random << 13;
  t->random ^= t->random >> 7;
  t->random ^= t->random << 17;
  return t->random;
}

uint32_t rrt_rate_below(struct rrt_thread *t, uint32_t n) {
  return (uint32_t)((random_next(t) >> 32) * n >> 32);
}

// A quarter up or down, against aliasing with the program's own periods.
static uint32_t jitter(struct rrt_thread *t, uint64_t k) {
  if (k > COUNTDOWN_MAX)
    k = COUNTDOWN_MAX;
  if (k < 2)
    return (uint32_t)k;
  return (uint32_t)(k - k / 4 + random_next(t) % (k / 2 + 1));
}

// The budget is a part of CPU time; a thread that waits or shares its CPU has less of that than the
// clock shows.
// A long time without a cold call may be one in which the process was stopped, and allows no more
// than WINDOW_MOST_TICKS do; nor one in which a new thread may have slept, before the sideline
// knows.
static uint64_t allowed_in(const struct rrt_thread *t, uint64_t window_ticks) {
  int is_known = __atomic_load_n(&t->is_cpu_known, __ATOMIC_RELAXED);
  uint64_t most = is_known ? WINDOW_MOST_TICKS : WINDOW_UNKNOWN_TICKS;
  if (window_ticks > most)
    window_ticks = most;
  uint32_t cpu_permille = __atomic_load_n(&t->cpu_permille, __ATOMIC_RELAXED);
  return window_ticks / 1000 * rrt_probe.budget_permille / 1000 * cpu_permille;
}

static uint64_t allowed(const struct rrt_thread *t) {
  uint64_t window = allowed_in(t, rrt_timer_between(t->window_ticks, t->glance_ticks));
  return t->allowed_ticks + window;
}

// Samples and facts are steered apart: facts of a few loops, which cost several times what their
// samples do, took four of five samples of loops of 20 us. Facts have a quarter of the budget,
// those of executions of 100 us and more, of which a thread has few, half of it; samples have the
// rest.
static uint64_t part_of_samples(const struct rrt_thread *t, uint64_t ticks) {
  enum { PARTS = 64 };
  if (!rrt_probe.facts)
    return ticks;
  uint64_t part = t->facts_spent_ticks / (allowed(t) / PARTS + 1);
  part = part < PARTS / FACTS_LEAST  ? PARTS / FACTS_LEAST
         : part > PARTS / FACTS_LONG ? PARTS / FACTS_LONG
                                     : part;
  return ticks - ticks / PARTS * part;
}

int rrt_rate_is_cheap(uint32_t duration_ticks) {
  return duration_ticks / 1000 * rrt_probe.budget_permille >
         rrt_probe.pair_cost_ticks * CHEAP_FACTOR;
}

int rrt_rate_allows(const struct rrt_thread *t) {
  return t->spent_ticks <= part_of_samples(t, allowed(t));
}

// Reading them is charged about as much as the shortest execution with facts takes. The first
// threads may be in debt by that; of thousands each would be.
int rrt_rate_allows_facts(const struct rrt_thread *t, uint32_t duration_ticks) {
  int is_long = duration_ticks > FACTS_LONG_FACTOR * rrt_probe.facts_least_ticks;
  uint64_t needed = t->number < RRT_CREDITED ? 0 : rrt_probe.facts_least_ticks;
  return t->facts_spent_ticks + needed <= allowed(t) / (is_long ? FACTS_LONG : FACTS_LEAST);
}

int rrt_rate_is_timed_each(uint32_t duration_ticks) {
  return duration_ticks > EVERY_FACTOR * rrt_probe.facts_least_ticks;
}

uint32_t rrt_rate_next(struct rrt_thread *t, struct rrt_loop_state *s, uint64_t now,
                       uint64_t executions) {
  if (rrt_probe.period)
    return rrt_probe.period - 1;
  uint64_t passed = rrt_timer_between(s->sampled_ticks, now);
  uint64_t interval = 2 * rrt_timer_between(rrt_probe.start_ticks, now) / rrt_probe.target_samples;
  if (interval < t->interval_ticks)
    interval = t->interval_ticks;
  if (interval > INTERVAL_MAX_TICKS)
    interval = INTERVAL_MAX_TICKS;
  if (s->samples < 2 || passed == 0) // no rate known yet
    return 0;
  if (rrt_rate_is_timed_each(s->sampled_duration))
    return 0;
  // executions * interval / passed, without overflow.
  uint64_t e = executions < (1u << 28) ? executions : (1u << 28);
  for (; interval >> 34; interval >>= 1)
    passed = passed >> 1 | 1;
  uint64_t wanted = e * interval / passed;
  uint64_t limit = executions * GROWTH + GROWTH;
  if (wanted > limit)
    wanted = limit;
  if (wanted < executions / GROWTH)
    wanted = executions / GROWTH;
  return jitter(t, wanted ? wanted - 1 : 0);
}

// How often the loop is executed until the budget has room again, by how often it was so far.
static uint64_t until_allowed(const struct rrt_thread *t, uint64_t executions) {
  uint64_t room = part_of_samples(t, allowed(t));
  if (t->spent_ticks <= room)
    return 0;
  uint64_t over = (t->spent_ticks - room) / (room / 256 + 1); // in 256ths
  return executions / 256 * (over < GROWTH * 256 ? over : GROWTH * 256);
}

uint32_t rrt_rate_refused(struct rrt_thread *t, const struct rrt_loop_state *s, uint32_t armed) {
  // Not in step with the loop around it, inside of whose samples it is refused.
  if (rrt_probe.period)
    return (rrt_probe.period - 1) / 2;
  // Seldom enough that refusals cost little, soon enough that a phase of the program isn't missed,
  // however many refusals in a row.
  uint64_t next = (uint64_t)armed + (armed >> 1) + 1, later = until_allowed(t, s->base);
  if (next < s->planned)
    next = s->planned;
  uint64_t most = (uint64_t)(s->planned > REFUSED_MIN ? s->planned : REFUSED_MIN) * GROWTH;
  next = next < most ? next : most;
  return jitter(t, next > later ? next : later);
}

// A cold call costs more than it sees from inside: mispredicted branches, a pipeline drained by
// barriers, caches it displaced, and the sideline that takes its sample apart and writes it.
// Samples switched on took 1.05, 1.15 and 1.4 % of the CPU time of lz4, zstd, sqlite3 and lua5.4
// (means over the four, three runs of 11 interleaved rounds, Intel Xeon VM, 2026-11-21), where at a
// factor of 2.5 they were charged 0.51, 0.66 and 0.69 %: twice that (docs/method/overhead.md). What
// is seen has become a sixth less since, by two barriers.
enum { UNSEEN = 6 };

uint64_t rrt_rate_charge(uint64_t cost_ticks) { return cost_ticks * UNSEEN; }

// Books ticks and steers.
static void spend(struct rrt_thread *t, uint64_t ticks) {
  t->spent_ticks += ticks;
  uint64_t window = rrt_timer_between(t->window_ticks, t->glance_ticks);
  if (window < WINDOW_TICKS)
    return;
  uint64_t spent = t->spent_ticks - t->window_spent;
  uint64_t allowed = allowed_in(t, window);
  t->allowed_ticks += allowed;
  allowed = part_of_samples(t, allowed);
  allowed -= allowed / 4; // for what passes the budget: first samples and long loops
  // Proportional, at most a factor of two a window: spent > allowed lengthens the interval.
  uint64_t ratio = allowed ? spent * 256 / allowed : 512;
  ratio = ratio < 128 ? 128 : ratio > 512 ? 512 : ratio;
  uint64_t interval = t->interval_ticks * ratio / 256;
  if (interval < INTERVAL_MIN_TICKS)
    interval = INTERVAL_MIN_TICKS;
  t->interval_ticks = interval < INTERVAL_MAX_TICKS ? interval : INTERVAL_MAX_TICKS;
  t->window_ticks = t->glance_ticks;
  t->window_spent = t->spent_ticks;
}

void rrt_rate_spend(struct rrt_thread *t, uint64_t cost) { spend(t, rrt_rate_charge(cost)); }

// What takes longer was interrupted.
#define CALL_MOST_TICKS (UINT64_C(1) << 21)

static uint64_t took(uint64_t begin_ticks) {
  uint64_t ticks = rrt_timer_between(begin_ticks, rrt_timer_glance());
  return ticks < CALL_MOST_TICKS ? ticks : 0;
}

uint64_t rrt_rate_spend_call(struct rrt_thread *t, uint64_t begin_ticks) {
  uint64_t seen = took(begin_ticks), usual = rrt_probe.refusal_cost_ticks;
  spend(t, seen > rrt_rate_charge(usual) ? seen : rrt_rate_charge(usual));
  return seen > usual ? seen : usual;
}

uint64_t rrt_rate_set_up(struct rrt_thread *t, uint64_t begin_ticks) {
  uint64_t seen = took(begin_ticks);
  t->setup_ticks += seen;
  return seen;
}

// What no interval steers must not steer it: with loops that are timed each time the others'
// interval grew without end.
void rrt_rate_spend_sample(struct rrt_thread *t, const struct rrt_loop_state *s) {
  if (rrt_rate_is_timed_each(s->sampled_duration))
    t->facts_spent_ticks += t->pair_cost_ticks;
  else
    rrt_rate_spend(t, t->pair_cost_ticks);
}
