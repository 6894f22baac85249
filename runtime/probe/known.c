// known.c - loops that the process knows, in a thread that hasn't entered them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/probe/known.h"

#include "runtime/probe/loop.h"

int32_t rrt_known_places[RRT_BOOT_CELLS];
uint64_t rrt_known_ended[RRT_BOOT_CELLS];

// Cells of executables are thread-local variables, at one distance in all threads.
static char *thread_pointer(void) {
  char *pointer;
#if defined(__x86_64__)
  __asm__("movq %%fs:0, %0" : "=r"(pointer));
#elif defined(__aarch64__)
  __asm__("mrs %0, tpidr_el0" : "=r"(pointer));
#endif
  return pointer;
}

static const struct rrt_known_loop *find(const struct rrt_known *known, uint32_t index) {
  return known && index < known->count && known->loop[index].period ? &known->loop[index] : NULL;
}

static uint32_t duration(const struct rrt_known *known, uint32_t index) {
  return known && index < known->count ? known->loop[index].duration_ticks : 0;
}

static int32_t *cell_of(const struct rrt_thread *t, const struct rrt_known_loop *l,
                        uint32_t index) {
  return l->place == RRT_KNOWN_IN_TABLE
             ? &t->cells[index]
             : (int32_t *)(void *)(t->thread_pointer + (ptrdiff_t)l->place * 4);
}

static uint64_t counted(const struct rrt_thread *t, const struct rrt_known_loop *l,
                        uint32_t index) {
  uint32_t armed = rrt_known_armed(t, l, index);
  int32_t left = __atomic_load_n(cell_of(t, l, index), __ATOMIC_RELAXED);
  return left < 0 ? armed : armed - (uint32_t)left;
}

static uint32_t count_in(const struct rrt_thread *t, const struct rrt_known *known) {
  uint32_t count = known ? known->count : 0;
  return count < t->capacity ? count : t->capacity;
}

static int is_counted(const struct rrt_thread *t, const struct rrt_known_loop *l, uint32_t index) {
  return l->period && !rrt_loop_state(t, index);
}

static void set_cells(struct rrt_thread *t, const struct rrt_known *known) {
  uint32_t count = count_in(t, known);
  for (uint32_t i = 1; i < count; i++)
    if (is_counted(t, &known->loop[i], i))
      *(volatile int32_t *)cell_of(t, &known->loop[i], i) =
          (int32_t)rrt_known_armed(t, &known->loop[i], i);
}

void rrt_known_begin(struct rrt_thread *t) {
  const struct rrt_known *known = __atomic_load_n(&rrt_probe.known, __ATOMIC_ACQUIRE);
  if (!known || t->known)
    return;
  t->thread_pointer = thread_pointer();
  t->known_phase = (uint32_t)(t->random >> 32);
  if (t->interval_ticks < known->interval_ticks)
    t->interval_ticks = known->interval_ticks;
  set_cells(t, known);
  __atomic_store_n(&t->known, known, __ATOMIC_RELEASE); // from now on what is missing counts
}

static int32_t place_of(const struct rrt_thread *t, const int32_t *cell) {
  if (cell >= t->cells && cell < t->cells + RRT_BOOT_CELLS)
    return RRT_KNOWN_IN_TABLE;
  int64_t distance = ((const char *)cell - thread_pointer()) / 4;
  return distance > INT32_MIN && distance < INT32_MAX ? (int32_t)distance : 0;
}

void rrt_known_enter(struct rrt_thread *t, struct rrt_loop_state *s) {
  uint32_t index = s->index;
  const struct rrt_known *newest = __atomic_load_n(&rrt_probe.known, __ATOMIC_ACQUIRE);
  const struct rrt_known_loop *l = find(t->known, index);
  if (!rrt_known_places[index])
    __atomic_store_n(&rrt_known_places[index], place_of(t, s->cell), __ATOMIC_RELAXED);
  s->sampled_duration = duration(newest, index);
  if (l) {
    s->armed = rrt_known_armed(t, l, index);
  } else if ((l = find(newest, index))) {
    s->postponed = 1;
  }
  if (l) {
    s->samples = l->samples;
    s->sampled_ticks = t->start_ticks;
    s->planned = l->period;
  }
}

uint32_t rrt_known_period(uint32_t index) {
  const struct rrt_known_loop *l = find(__atomic_load_n(&rrt_probe.known, __ATOMIC_ACQUIRE), index);
  return l ? l->period : 0;
}

// The thread gets its state before the cell is set anew, so what was read without one is of the
// time before.
uint64_t rrt_known_executions(const struct rrt_thread *t, uint32_t index) {
  const struct rrt_known_loop *l = find(t->known, index);
  const struct rrt_loop_state *s = rrt_loop_state(t, index);
  if (!s) {
    uint64_t executions = l ? counted(t, l, index) : 0;
    s = rrt_loop_state(t, index);
    if (!s)
      return executions;
  }
  return rrt_loop_executions(s);
}

void rrt_known_leave(struct rrt_thread *t) {
  uint32_t count = count_in(t, t->known);
  for (uint32_t i = 1; i < count; i++) {
    const struct rrt_known_loop *l = &t->known->loop[i];
    if (!is_counted(t, l, i))
      continue;
    uint64_t executions = counted(t, l, i);
    if (executions)
      __atomic_fetch_add(&rrt_known_ended[i], executions, __ATOMIC_RELAXED);
    *cell_of(t, l, i) = 0; // the next entry, in another thread, is a cold call
  }
  t->known = NULL;
}

void rrt_known_forked(struct rrt_thread *t) { set_cells(t, t->known); }

void rrt_known_reuse(struct rrt_thread *t) {
  uint32_t count = count_in(t, t->known);
  for (uint32_t i = 1; i < count; i++)
    if (t->known->loop[i].place == RRT_KNOWN_IN_TABLE)
      t->cells[i] = 0;
  t->known = NULL;
}
