// sample.c - samples by signals: a ring that all threads' handlers write to.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Many writers, one reader. A slot is a writer's from the exchange of `head` until it stores the
// slot's turn; the reader waits at a slot whose turn has not come, which a later drain takes. A
// handler that another one interrupts has its slot already: nobody waits for a thread.
#include "runtime/probe/sample.h"

#include "runtime/probe/unwind.h"

enum { SLOTS = RRT_SAMPLE_SLOTS, WINDOW_BYTES = 256, BEFORE_BYTES = 32, PAGE_BYTES = 4096 };

static struct {
  uint64_t head, tail, lost;
  struct {
    uint64_t turn; // position + 1 once it is written
    uint64_t address;
    uint64_t periods;
  } ring[SLOTS];
} state;

static struct {
  int (*peek)(const void *address, void *out, size_t bytes);
  uint64_t *room; // null: no stacks
} stacks;

void rrt_sample_walk_stacks(int (*peek)(const void *address, void *out, size_t bytes),
                            uint64_t *room) {
  stacks.peek = peek;
  stacks.room = room;
}

static uint64_t word_of(const void *context, uint32_t offset) {
  return *(const uint64_t *)((const char *)context + offset);
}

struct window {
  uint64_t words[WINDOW_BYTES / sizeof(uint64_t)];
  uint64_t low, high;
};

static int fill(struct window *w, uint64_t from) {
  uint64_t bytes = PAGE_BYTES - from % PAGE_BYTES;
  bytes = bytes < WINDOW_BYTES ? bytes : WINDOW_BYTES;
  w->low = w->high = from;
  if (stacks.peek((const void *)from, w->words, bytes) < 0)
    return -1;
  w->high += bytes;
  return 0;
}

// Any register's value may stand for a frame, and other threads unmap memory: so the stack is
// never read but copied, by a system call that may fail, some frames at a time, from a little
// below: what is saved beside a return address is read before or behind. A copy ends at its page's
// end.
static int read_word(void *context, uint64_t address, uint64_t *out) {
  struct window *w = context;
  if (address < w->low || address + sizeof *out > w->high) {
    uint64_t before = address % PAGE_BYTES < BEFORE_BYTES ? 0 : BEFORE_BYTES;
    if (fill(w, address - before) < 0 && (!before || fill(w, address) < 0))
      return -1;
  }
  *out = w->words[(address - w->low) / sizeof *w->words];
  return 0;
}

static void walk(const void *context, uint64_t *out) {
  struct window window; // as a whole it isn't set: there is no memset here
  window.low = window.high = 0;
  struct rrt_unwind_frame frame = {word_of(context, RRT_CONTEXT_PC),
                                   word_of(context, RRT_CONTEXT_SP),
                                   word_of(context, RRT_CONTEXT_FRAME)};
  uint64_t depth = 1;
  out[1] = frame.pc;
  while (depth < RRT_SAMPLE_RING_WORDS - 1 &&
         rrt_unwind_step(&frame, depth > 1, read_word, &window) > 0)
    out[1 + depth++] = frame.pc;
  out[0] = depth;
}

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
  state.ring[at % SLOTS].address = word_of(context, RRT_CONTEXT_PC);
  if (stacks.room)
    walk(context, stacks.room + at % SLOTS * RRT_SAMPLE_RING_WORDS);
  state.ring[at % SLOTS].periods = 1 + (overrun > 0 ? (uint64_t)overrun : 0);
  __atomic_store_n(&state.ring[at % SLOTS].turn, at + 1,
                   __ATOMIC_RELEASE); // pairs with rrt_sample_take
}

int rrt_sample_take(uint64_t *address, uint32_t *periods, uint64_t *stack) {
  if (__atomic_load_n(&state.ring[state.tail % SLOTS].turn, __ATOMIC_ACQUIRE) != state.tail + 1)
    return 0;
  *address = state.ring[state.tail % SLOTS].address;
  *periods = (uint32_t)state.ring[state.tail % SLOTS].periods;
  if (stack && stacks.room) {
    const uint64_t *from = stacks.room + state.tail % SLOTS * RRT_SAMPLE_RING_WORDS;
    for (uint64_t i = 0; i <= from[0]; i++)
      stack[i] = from[i];
  }
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
