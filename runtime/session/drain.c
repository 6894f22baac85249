// drain.c - from the threads' rings to the store.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/session/drain.h"

#include "runtime/feature/feature.h"
#include "runtime/session/threads.h"
#include "runtime/support/fork.h"
#include "runtime/sys/sys.h"

#include <errno.h>

// A thread that has ended holds its memory until it is folded: so it hastens the next drain as
// records do.
enum { ENDED_RECORDS = 64 };

static struct {
  uint32_t locked;
  uint64_t ended; // since rrt_drain_news
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

void rrt_drain_all(void) {
  for (struct rrt_thread *t = rrt_threads_first(); t; t = t->next) {
    uint32_t life = __atomic_load_n(&t->life, __ATOMIC_ACQUIRE);
    if (life == RRT_THREAD_FREE)
      continue;
    RRT_FEATURES_CALL(drain, t);
    if (life != RRT_THREAD_EXITED) {
      RRT_FEATURES_CALL(look, t);
      continue;
    }
    RRT_FEATURES_CALL(fold, t);
    rrt_threads_free(t);
    process.ended++;
  }
}

uint64_t rrt_drain_news(void) {
  uint64_t news = rrt_features_news() + process.ended * ENDED_RECORDS;
  process.ended = 0;
  return news;
}

void rrt_drain_own(struct rrt_thread *t) {
  if (!rrt_drain_try())
    return;
  RRT_FEATURES_CALL(drain, t);
  rrt_drain_unlock();
}
