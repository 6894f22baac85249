// sample.c - samples by signals: a ring that all threads' handlers write to.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Many writers, one reader. A slot is a writer's from the exchange of `head` until it stores the
// slot's turn; the reader waits at a slot whose turn has not come, which a later drain takes. A
// handler that another one interrupts has its slot already: nobody waits for a thread.
#include "runtime/probe/sample.h"

enum { SLOTS = 4096 };

static struct {
  uint64_t head, tail, lost;
  struct {
    uint64_t turn; // position + 1 once it is written
    uint64_t address;
    uint64_t periods;
  } ring[SLOTS];
} state;

void rrt_sample_signal(int signal, void *info, void *context) {
  (void)signal;
  uint64_t at = __atomic_load_n(&state.head, __ATOMIC_RELAXED);
  do {
    if (at - __atomic_load_n(&state.tail, __ATOMIC_ACQUIRE) >=
        SLOTS) { // pairs with rrt_sample_take
      __atomic_fetch_add(&state.lost, 1, __ATOMIC_RELAXED);
      return;
    }
  } while (!__atomic_compare_exchange_n(&state.head, &at, at + 1, 0, __ATOMIC_RELAXED,
                                        __ATOMIC_RELAXED));
  int overrun = *(const int *)((const char *)info + RRT_INFO_OVERRUN);
  state.ring[at % SLOTS].address = *(const uint64_t *)((const char *)context + RRT_CONTEXT_PC);
  state.ring[at % SLOTS].periods = 1 + (overrun > 0 ? (uint64_t)overrun : 0);
  __atomic_store_n(&state.ring[at % SLOTS].turn, at + 1,
                   __ATOMIC_RELEASE); // pairs with rrt_sample_take
}

int rrt_sample_take(uint64_t *address, uint32_t *periods) {
  if (__atomic_load_n(&state.ring[state.tail % SLOTS].turn, __ATOMIC_ACQUIRE) != state.tail + 1)
    return 0;
  *address = state.ring[state.tail % SLOTS].address;
  *periods = (uint32_t)state.ring[state.tail % SLOTS].periods;
  __atomic_store_n(&state.tail, state.tail + 1, __ATOMIC_RELEASE);
  return 1;
}

uint64_t rrt_sample_lost(void) { return __atomic_exchange_n(&state.lost, 0, __ATOMIC_RELAXED); }

uint32_t rrt_sample_fill(void) {
  return (
      uint32_t)(((__atomic_load_n(&state.head, __ATOMIC_RELAXED) - state.tail) * 1000 + SLOTS - 1) /
                SLOTS);
}

void rrt_sample_clear(void) {
  for (uint32_t i = 0; i < SLOTS; i++)
    state.ring[i].turn = 0;
  state.head = state.tail = state.lost = 0;
}
