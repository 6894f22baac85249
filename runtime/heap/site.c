// site.c - the table of sites.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/heap/site.h"

#include "runtime/heap/words.h"
#include "runtime/support/fork.h"
#include "runtime/sys/scale.h"
#include "runtime/sys/sys.h"

enum { SLOTS = 4 * RRT_SITES };

// A slot is read without a lock: its number comes last, and it never changes again.
struct slot {
  uint64_t key;
  uint32_t number; // 0: free
};

struct rrt_site *rrt_sites;
static struct {
  struct slot *slots; // [SLOTS]
  uint32_t count;
  uint64_t inherited; // objects of the process that we were forked from
} state = {.count = 1};
static uint32_t table_lock RRT_PER_PROCESS;

int rrt_sites_open(void) {
  if (!rrt_sites)
    rrt_sites = rrt_sys_map(RRT_SITES * sizeof *rrt_sites);
  if (!state.slots)
    state.slots = rrt_sys_map(SLOTS * sizeof *state.slots);
  return rrt_sites && state.slots ? 0 : -1;
}

uint32_t rrt_sites_count(void) { return __atomic_load_n(&state.count, __ATOMIC_ACQUIRE); }
uint64_t rrt_sites_bytes(void) {
  return rrt_sites ? rrt_sites_count() * sizeof *rrt_sites + rrt_words_bytes() : 0;
}

// Needs the lock of the table.
static uint32_t take(void) {
  if (!rrt_sites ||
      state.count == (rrt_draw_every > 1 ? RRT_SITE_DRAWN : RRT_SITES)) // no shadow memory, or full
    return 0;
  rrt_sites[state.count].min_bytes = UINT64_MAX;
  __atomic_store_n(&state.count, state.count + 1, __ATOMIC_RELEASE);
  return state.count - 1;
}

uint32_t rrt_sites_add(void) {
  rrt_sys_lock(&table_lock);
  uint32_t number = take();
  rrt_sys_unlock(&table_lock);
  return number;
}

static uint32_t look_up(uint64_t key, uint32_t *at) {
  for (;; *at = (*at + 1) % SLOTS) {
    uint32_t number = __atomic_load_n(&state.slots[*at].number, __ATOMIC_ACQUIRE);
    if (!number || state.slots[*at].key == key)
      return number;
  }
}

static uint32_t first_slot(uint64_t key) { return (uint32_t)(key >> 20) % SLOTS; }

static __attribute__((noinline)) uint32_t add(uint64_t key, const uintptr_t *addresses,
                                              uint32_t depth) {
  uint32_t at = first_slot(key);
  rrt_sys_lock(&table_lock);
  uint32_t number = look_up(key, &at);
  if (!number && (number = take())) {
    rrt_copy(rrt_sites[number].addresses, addresses, depth * sizeof *addresses);
    rrt_sites[number].depth = depth;
    state.slots[at].key = key;
    __atomic_store_n(&state.slots[at].number, number, __ATOMIC_RELEASE);
  }
  rrt_sys_unlock(&table_lock);
  return number;
}

uint32_t rrt_sites_find(uint64_t key, const uintptr_t *addresses, uint32_t depth) {
  uint32_t at = first_slot(key);
  uint32_t number = look_up(key, &at);
  return number ? number : add(key, addresses, depth);
}

void rrt_sites_tell_kinds(void) {
  rrt_words_tell_kinds();
  for (uint32_t i = 1; rrt_sites && i < rrt_sites_count(); i++) {
    rrt_site_lock(&rrt_sites[i]);
    rrt_words_make(&rrt_sites[i], rrt_sites[i].max_bytes);
    rrt_site_unlock(&rrt_sites[i]);
  }
}

static void forget(void) {
  for (uint32_t i = 1; rrt_sites && i < state.count; i++) {
    struct rrt_site *s = &rrt_sites[i];
    uint64_t mean = s->objects ? rrt_divide(rrt_site_births(s), s->objects) : 0;
    unsigned __int128 births = (unsigned __int128)mean * s->live; // not known one by one
    s->lock = 0;
    s->objects = s->live;
    s->bytes = s->peak_bytes = s->live_bytes;
    s->births = (uint64_t)births;
    s->births_high = (uint32_t)(births >> 64);
    s->deaths_high = 0;
    s->deaths = s->touched = s->told_touched = 0;
    s->ever = s->last = s->sampled = s->told = (struct rrt_use){0, 0};
    rrt_words_forget(s);
  }
}

static uint64_t allocated(void) {
  uint64_t objects = 0;
  for (uint32_t i = 1; rrt_sites && i < rrt_sites_count(); i++)
    objects += rrt_sites[i].is_global ? 0 : rrt_sites[i].objects;
  return objects;
}

int rrt_sites_any(void) { return allocated() > state.inherited; }

void rrt_sites_forked(void) {
  forget();
  state.inherited = allocated();
}
