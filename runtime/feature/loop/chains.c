// chains.c - times chains of additions beside the program, and at its end.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Samples become cycles by the core's clock, which chains tell. Those of a program whose loops
// hardly ever end are too few; then some are timed here: 42 us a time.
#include "runtime/feature/feature.h"

#include "runtime/feature/loop/store.h"
#include "runtime/probe/chain.h"
#include "runtime/probe/clock/timer.h"
#include "runtime/session/drain.h"
#include "runtime/support/chunk.h"
#include "runtime/support/fork.h"
#include "runtime/support/options.h"

#if !defined(RRT_SCRIPTED_CLOCK)

enum {
  PAIRS = 4,
  ENOUGH = 100,
  LEAST = 24, // the tools want 20 of either length
  OFTEN_NS = 20000000,
  SELDOM_NS = 1000000000,
  FINISH_PART = 100 // of the run time
};

static uint64_t before_ns RRT_PER_PROCESS; // when some were timed last

static int are_wanted(void) {
  const struct rrt_store *s = &rrt_store;
  return rrt_options.sample && rrt_probe.chain &&
         s->chains_seen - RRT_CHAIN_RECORDS * s->beside_count <= 8 * ENOUGH;
}

static void time_pair(void) {
  struct rrt_store *s = &rrt_store;
  struct rrt_chain_timing timing[RRT_CHAIN_RECORDS];
  rrt_chain_time_beside(timing);
  s->start_ticks = rrt_probe.start_ticks;
  s->now_ticks = rrt_timer_between(rrt_probe.start_ticks, rrt_timer_glance());
  for (int k = 0; k < RRT_CHAIN_RECORDS; k++)
    rrt_store_add(&timing[k].record, 0);
  s->beside_count++;
}

// Now and then, where samples are taken.
static void beside(uint64_t now) {
  uint64_t wait_ns = rrt_store.beside_count < ENOUGH ? OFTEN_NS : SELDOM_NS;
  if (!are_wanted() || now - before_ns < wait_ns)
    return;
  before_ns = now;
  for (int i = 0; i < PAIRS; i++)
    time_pair();
}

// Those that are missing to know the core's clock, for 1 % of the run time at most: on a busy
// machine the sideline of a short program hardly ran.
static void finish(void) {
  if (!are_wanted() || rrt_store.beside_count >= LEAST || !rrt_drain_try())
    return;
  uint64_t begin = rrt_timer_glance(),
           most = rrt_timer_between(rrt_probe.start_ticks, begin) / FINISH_PART;
  while (rrt_store.beside_count < LEAST && rrt_timer_between(begin, rrt_timer_glance()) < most)
    time_pair();
  rrt_drain_unlock();
}

#else

static void beside(uint64_t now) { (void)now; }
static void finish(void) {}

#endif

static void write(struct rrt_checkpoint *c) {
  (void)c;
  rrt_chunk_write("chain", rrt_store.chain, sizeof *rrt_store.chain, rrt_store.chain_count);
}

const struct rrt_feature rrt_feature_chain = {.finish = finish, .beside = beside, .write = write};
