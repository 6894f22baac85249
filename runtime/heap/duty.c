// duty.c - begins and ends bursts so that they take their share of the time.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/heap/duty.h"

#include "runtime/heap/visits.h"
#include "runtime/probe/clock/timer.h"
#include "runtime/probe/shadow.h"
#include "runtime/support/fork.h"
#include "runtime/support/options.h"
#include "runtime/sys/scale.h"
#include "runtime/sys/sys.h"

enum { FULL = RETICLE_DUTY_FULL, MASKS = 512 };

static struct {
  uint64_t **masks; // [mask_capacity]; null: free
  uint32_t mask_count, mask_capacity;
} state;

static struct {
  uint64_t begun_ns, last_ns; // last_ns: how long the last burst was; 0: none yet
  uint64_t count, total_ns;
  uint64_t random;
} bursts RRT_PER_PROCESS;

int rrt_duty_has_bursts(void) { return rrt_options.duty < FULL; }
int rrt_duty_is_on(void) { return (int)__atomic_load_n(&rrt_shadow.marking, __ATOMIC_RELAXED); }
uint64_t rrt_duty_bursts(void) { return bursts.count; }
uint64_t rrt_duty_burst_ns(void) { return bursts.total_ns; }

static void set(uint64_t *mask, int is_on) {
  uint64_t on = rrt_visits_is_open() ? RETICLE_SHADOW_MASK_WINDOW : UINT64_MAX;
  __atomic_store_n(mask, is_on ? on : 0, __ATOMIC_RELAXED);
}

static void exchange_all(uint64_t from, uint64_t to) {
  for (uint32_t i = 0; i < state.mask_count; i++) {
    uint64_t *mask = state.masks[i], expected = from;
    if (mask)
      __atomic_compare_exchange_n(mask, &expected, to, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
  }
}

void rrt_duty_open_window(void) {
  if (rrt_visits_is_open())
    exchange_all(UINT64_MAX, RETICLE_SHADOW_MASK_WINDOW);
}

void rrt_duty_close_window(void) { exchange_all(RETICLE_SHADOW_MASK_WINDOW, UINT64_MAX); }

static void set_all(int is_on) {
  __atomic_store_n(&rrt_shadow.marking, (uint32_t)is_on, __ATOMIC_RELAXED);
  for (uint32_t i = 0; i < state.mask_count; i++)
    if (state.masks[i])
      set(state.masks[i], is_on);
}

void rrt_duty_open(void) { set_all(!rrt_duty_has_bursts()); }

static uint64_t **free_place(void) {
  for (uint32_t i = 0; i < state.mask_count; i++)
    if (!state.masks[i])
      return &state.masks[i];
  if (state.mask_count == state.mask_capacity) {
    uint32_t wanted = state.masks ? 2 * state.mask_capacity : MASKS;
    void *grown = state.masks ? rrt_sys_grow(state.masks, state.mask_capacity * sizeof *state.masks,
                                             wanted * sizeof *state.masks)
                              : rrt_sys_map(wanted * sizeof *state.masks);
    if (!grown)
      return 0;
    state.masks = grown;
    state.mask_capacity = wanted;
  }
  return &state.masks[state.mask_count++];
}

void rrt_duty_add(uint64_t *mask, int may_change) {
  // What may keep the mask in a register doesn't see whether a window is open, where it needn't.
  uint64_t **place = may_change || !rrt_duty_has_bursts() ? free_place() : 0;
  if (place)
    *place = mask;
  if (place)
    set(mask, !rrt_duty_has_bursts() || rrt_duty_is_on());
  else
    __atomic_store_n(mask, rrt_duty_has_bursts() ? 0 : UINT64_MAX, __ATOMIC_RELAXED);
}

void rrt_duty_remove(const uint64_t *mask) {
  for (uint32_t i = 0; i < state.mask_count; i++)
    if (state.masks[i] == mask)
      state.masks[i] = 0;
}

int rrt_duty_begin(uint64_t now_ns) {
  if (!rrt_duty_has_bursts() || rrt_duty_is_on())
    return 0;
  bursts.begun_ns = now_ns;
  set_all(1);
  return 1;
}

int rrt_duty_end(uint64_t now_ns) {
  if (!rrt_duty_has_bursts() || !rrt_duty_is_on())
    return 0;
  set_all(0);
  bursts.count++;
  bursts.last_ns = now_ns - bursts.begun_ns;
  bursts.total_ns += bursts.last_ns;
  return 1;
}

// Marsaglia's xorshift64 (Xorshift RNGs, 2003).
static uint64_t next_random(void) {
  uint64_t r = bursts.random ? bursts.random : rrt_timer_glance() | 1;
  r ^= r << 13;
  r ^= r >> 7;
  r ^= r << 17;
  return bursts.random = r;
}

// By how long the burst really was: a machine that is busy wakes us late.
uint64_t rrt_duty_rest_ns(uint64_t interval_ns) {
  uint64_t burst_ns = bursts.last_ns ? bursts.last_ns : interval_ns;
  uint64_t mean_ns = rrt_scale(burst_ns, FULL - rrt_options.duty, rrt_options.duty);
  uint64_t part = mean_ns ? next_random() % mean_ns : 0;
  return bursts.last_ns ? mean_ns / 2 + part : part;
}
