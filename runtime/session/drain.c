// drain.c - from the threads' rings to the store.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/session/drain.h"

#include "runtime/feature/field/fields.h"
#include "runtime/feature/loop/store.h"
#include "runtime/feature/topdown/topdown.h"
#include "runtime/probe/clock/timer.h"
#include "runtime/session/threads.h"
#include "runtime/support/fork.h"
#include "runtime/sys/sys.h"

#include <errno.h>

// AHEAD: records whose loops' memory is fetched ahead of their turn. A thread that has ended holds
// its memory until it is folded, and losses are counted in 16 bits: so both hasten the next drain
// as records do.
enum { AHEAD = 3, ENDED_RECORDS = 64, LOSSES_A_RECORD = 16 };

static struct {
  uint32_t locked;
  uint64_t ended, losses_max; // since rrt_drain_news
} process RRT_PER_PROCESS;

int rrt_drain_try(void) { return !__atomic_exchange_n(&process.locked, 1, __ATOMIC_ACQUIRE); }

void rrt_drain_lock(void) {
  for (unsigned spins = 0; !rrt_drain_try(); spins++)
    if (spins > 16)
      rrt_sys_wait(&process.locked, 1, 1000000); // wakes by itself: unlock doesn't
}

int rrt_drain_lock_within(uint64_t timeout_ns) {
  uint64_t start = rrt_sys_monotonic_raw_ns();
  for (unsigned tries = 0; !rrt_drain_try(); tries++) {
    if (rrt_sys_monotonic_raw_ns() - start >= timeout_ns)
      return -ETIMEDOUT;
    if (tries > 16)
      rrt_sys_wait(&process.locked, 1, 1000000);
  }
  return 0;
}

void rrt_drain_unlock(void) { __atomic_store_n(&process.locked, 0, __ATOMIC_RELEASE); }

static void drain_ring(struct rrt_thread *t) {
  uint32_t head = __atomic_load_n(&t->ring_head, __ATOMIC_ACQUIRE);
  uint32_t tail = t->ring_tail;
  rrt_store.start_ticks = rrt_probe.start_ticks;
  rrt_store.now_ticks = rrt_timer_between(rrt_probe.start_ticks, rrt_timer_glance());
  for (; tail != head; tail++) {
    if (head - tail > AHEAD)
      rrt_store_prefetch(&t->ring[(tail + AHEAD) % RRT_RING_RECORDS]);
    rrt_store_add(&t->ring[tail % RRT_RING_RECORDS], t->number);
  }
  __atomic_store_n(&t->ring_tail, tail, __ATOMIC_RELEASE);
  rrt_topdown_drain(t);
}

// Losses counted by the hot zone in 16 bits. What is added between load and store is lost from the
// count (not from the data): at most one a drain.
static void drain_losses(struct rrt_loop_state *s, struct reticle_file_loop *f) {
  uint32_t losses = s->lost > s->abandoned ? s->lost : s->abandoned;
  if (losses < s->migrated)
    losses = s->migrated;
  if (process.losses_max < losses)
    process.losses_max = losses;
  f->lost += s->lost;
  f->abandoned += s->abandoned;
  f->migrated += s->migrated;
  s->lost = s->abandoned = s->migrated = 0;
}

static void fold(struct rrt_thread *t) {
  for (uint32_t i = t->entered; i;) {
    struct rrt_loop_state *s = &t->loops[i];
    uint32_t next = s->next_entered;
    if (i < rrt_store.count) {
      rrt_store.loops[i].record.executions += s->base; // final since rrt_threads_leave
      drain_losses(s, &rrt_store.loops[i].record);
    }
    rrt_zero(s, sizeof *s);
    i = next;
  }
  rrt_fields_fold(t);
  rrt_threads_free(t);
  process.ended++;
}

void rrt_drain_all(void) {
  for (struct rrt_thread *t = rrt_threads_first(); t; t = t->next) {
    uint32_t life = __atomic_load_n(&t->life, __ATOMIC_ACQUIRE);
    if (life == RRT_THREAD_FREE)
      continue;
    drain_ring(t);
    if (life == RRT_THREAD_EXITED) {
      fold(t);
      continue;
    }
    if (!__atomic_exchange_n(&t->has_losses, 0, __ATOMIC_RELAXED))
      continue;
    for (uint32_t i = __atomic_load_n(&t->entered, __ATOMIC_ACQUIRE); i;
         i = t->loops[i].next_entered)
      if (i < rrt_store.count)
        drain_losses(&t->loops[i], &rrt_store.loops[i].record);
  }
}

uint64_t rrt_drain_news(void) {
  uint64_t most = process.losses_max / LOSSES_A_RECORD;
  for (struct rrt_thread *t = rrt_threads_first(); t; t = t->next) {
    uint32_t head = __atomic_load_n(&t->ring_head, __ATOMIC_ACQUIRE);
    uint32_t records = head - t->seen_head;
    t->seen_head = head;
    if (most < records)
      most = records;
  }
  most += process.ended * ENDED_RECORDS;
  process.ended = process.losses_max = 0;
  return most;
}

void rrt_drain_own(struct rrt_thread *t) {
  if (!rrt_drain_try())
    return;
  drain_ring(t);
  rrt_drain_unlock();
}
