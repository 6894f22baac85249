// choice.c - whether an execution is timed that its loop's countdown has come to.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/probe/choice.h"

#include "runtime/probe/clock/timer.h"
#include "runtime/probe/rate.h"

// Iterations of a loop that was entered so often are left alone: it has samples of its own. Looked
// at once in so many samples, as the descriptor is a cache miss.
enum { OFTEN_ENTERED = 1000, LOOKED_AT = 64 };

// Before it was timed.
static int is_likely_short(const struct reticle_site *site) {
  return rrt_rate_is_likely_short(site->loops[site->number & RETICLE_SITE_NUMBER].flags);
}

// Facts are asked of a loop's first execution, which may be the only one: of a short one's in the
// first threads alone.
uint32_t rrt_samples_for_facts(const struct rrt_thread *t, const struct rrt_loop_state *s,
                               const struct reticle_site *site) {
  return s->samples || t->number < RRT_CREDITED ? s->samples : (uint32_t)is_likely_short(site);
}

// A loop so long that a probe is nothing beside it, and the first samples of a loop that may be,
// are let through whatever the others have spent: a loop of 40 ms must not starve because short
// ones came first. An innermost one without calls is likely short: so many of them came at once
// that the first second of a program of 2,000 loops cost it several per cent. They have a
// budget of their own.
static int is_cheap(const struct rrt_thread *t, const struct rrt_loop_state *s,
                    const struct reticle_site *site) {
  if (s->samples >= 2)
    return rrt_rate_is_cheap(s->sampled_duration);
  if (!is_likely_short(site))
    return 1;
  if (__atomic_load_n(&rrt_probe.first_ticks, __ATOMIC_RELAXED) <= 0)
    return 0;
  __atomic_fetch_sub(&rrt_probe.first_ticks, (int64_t)rrt_rate_charge(t->pair_cost_ticks),
                     __ATOMIC_RELAXED);
  return 1;
}

// While the newest open sample is young, and one of a loop that takes no longer, no other is begun
// inside of it. One that takes longer will hold samples anyway; what each of its iterations does
// first would never be timed, as all of a loop's iterations may be.
static int is_short_inside(struct rrt_thread *t) {
  const struct rrt_open *o = &t->open[t->open_count - 1];
  t->glance_ticks = rrt_timer_glance();
  return rrt_timer_between(o->begin_ticks, t->glance_ticks) < rrt_probe.nested_after_ticks &&
         o->state->sampled_duration < rrt_probe.nested_after_ticks;
}

int rrt_may_sample(struct rrt_thread *t, const struct rrt_loop_state *s,
                   const struct reticle_site *site) {
  if (t->open_count == RRT_OPEN_MAX || (t->open_count && is_short_inside(t)))
    return 0;
  if (rrt_probe.period || is_cheap(t, s, site) || rrt_rate_allows(t))
    return 1;
  t->glance_ticks = rrt_timer_glance();
  return rrt_rate_allows(t);
}

// A loop that is always left without its exit (a coroutine's, by longjmp) would be sampled at every
// entry and never be done with its first sample: exponential back-off, 2^n entries after n of them.
int rrt_shall_rest(const struct rrt_loop_state *s) {
  return s->consecutive_abandoned > 1 && !s->resting && !rrt_probe.period;
}

// The loop's record lies in front of that of its iterations, in the unit and so in the tables.
int rrt_is_left_alone(const struct rrt_thread *t, const struct rrt_loop_state *s,
                      const struct reticle_site *site, uint32_t number) {
  if (s->samples % LOOKED_AT != LOOKED_AT - 1 || rrt_probe.period)
    return 0;
  const struct reticle_loop_desc *loop = &site->loops[site->number & RETICLE_SITE_NUMBER];
  const struct rrt_loop_state *around = number > 1 ? rrt_loop_state(t, number - 2) : NULL;
  return loop->flags & RETICLE_LOOP_ITERATION && around && around->base > OFTEN_ENTERED;
}
