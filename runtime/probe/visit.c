// visit.c - notes one visit of an element.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/probe/visit.h"

#include "include/reticle/values.h"
#include "runtime/probe/clock/timer.h"
#include "runtime/probe/thread.h"

struct rrt_visit_control rrt_visits;
const struct reticle_visit_desc *rrt_visit_sites[RETICLE_VISIT_SITES_MOST];

struct unaligned_8 {
  uint64_t value;
} __attribute__((packed, may_alias));
struct unaligned_4 {
  uint32_t value;
} __attribute__((packed, may_alias));
struct unaligned_2 {
  uint16_t value;
} __attribute__((packed, may_alias));

// Number of a site that has none and gets none any more.
static const uint32_t no_number = UINT32_MAX;

// The site's number from 1 on; no_number where another thread is just giving one, or there are no
// more.
static uint32_t give_number(struct reticle_visit_desc *site) {
  uint32_t number = 0;
  if (!__atomic_compare_exchange_n(&site->number, &number, no_number, 0, __ATOMIC_RELAXED,
                                   __ATOMIC_RELAXED))
    return number;
  number = __atomic_add_fetch(&rrt_visits.site_count, 1, __ATOMIC_RELAXED);
  if (number >= RETICLE_VISIT_SITES_MOST)
    return no_number;
  __atomic_store_n(&rrt_visit_sites[number], site, __ATOMIC_RELEASE);
  __atomic_store_n(&site->number, number, __ATOMIC_RELAXED);
  return number;
}

static void begin(struct rrt_visit_buffer *b, uint32_t window, uint32_t thread) {
  b->slot = __atomic_load_n(&rrt_visits.slot, __ATOMIC_RELAXED) % RRT_VISIT_SLOTS;
  struct rrt_visit_slot *slot = &b->slots[b->slot];
  __atomic_store_n(&slot->window, 0, __ATOMIC_RELEASE);
  __atomic_store_n(&slot->used, 0, __ATOMIC_RELEASE);
  slot->thread = thread;
  slot->begin_ticks = rrt_timer_glance();
  for (uint32_t i = 0; i < RETICLE_VISIT_PLACES; i++)
    b->codec.last[i] = 0;
  b->window = window;
  __atomic_store_n(&slot->window, window, __ATOMIC_RELEASE);
}

// What an integer field holds that is about to be read, so that it is there. In front of a write it
// may hold anything. Threads may lose one another's.
static void see_values(const struct reticle_visit_desc *site, uint64_t address) {
  struct reticle_touch_desc *touches = (struct reticle_touch_desc *)(uintptr_t)site->touches;
  for (uint32_t i = 0; i < site->touch_count; i++) {
    struct reticle_touch_desc *t = &touches[i];
    // Without INTEGER, as in older builds, they can't be written to.
    if (!(t->flags & RETICLE_ACCESS_INTEGER) || !(t->flags & RETICLE_ACCESS_READ))
      continue;
    uint64_t at = address - (uint64_t)(int64_t)(int32_t)t->back_bytes + t->offset_bytes, value = 0;
    if (t->bytes == 8)
      value = ((const volatile struct unaligned_8 *)(uintptr_t)at)->value;
    else if (t->bytes == 4)
      value = ((const volatile struct unaligned_4 *)(uintptr_t)at)->value;
    else if (t->bytes == 2)
      value = ((const volatile struct unaligned_2 *)(uintptr_t)at)->value;
    else
      continue;
    uint32_t before = __atomic_load_n(&t->values, __ATOMIC_RELAXED);
    __atomic_store_n(&t->values, reticle_values_add(before, value, t->bytes), __ATOMIC_RELAXED);
  }
}

static void note(struct rrt_visit_buffer *b, uint32_t window, struct reticle_visit_desc *site,
                 uint64_t address, uint32_t thread) {
  uint32_t number = __atomic_load_n(&site->number, __ATOMIC_RELAXED);
  if (!number)
    number = give_number(site);
  if (number == no_number)
    return;
  if (b->window != window)
    begin(b, window, thread);
  struct rrt_visit_slot *slot = &b->slots[b->slot];
  uint32_t used = slot->used;
  if (used + RETICLE_VISIT_BYTES_MOST > RRT_VISIT_SLOT_BYTES) {
    rrt_visits.close(window);
    return;
  }
  used += (uint32_t)reticle_visit_put(&b->codec, &b->bytes[b->slot][used], number, address);
  __atomic_store_n(&slot->used, used, __ATOMIC_RELEASE);
  see_values(site, address);
}

void rrt_visit(struct reticle_visit_desc *site, uint64_t address) {
  uint32_t window = __atomic_load_n(&rrt_visits.window, __ATOMIC_ACQUIRE);
  struct rrt_thread *t = rrt_thread_self;
  if (!window || !t)
    return;
  struct rrt_visit_buffer *b = t->visits ? t->visits : rrt_visits.open(t);
  if (!b || __atomic_load_n(&b->busy, __ATOMIC_RELAXED))
    return;
  __atomic_store_n(&b->busy, 1, __ATOMIC_RELAXED);
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  note(b, window, site, address, t->number);
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  __atomic_store_n(&b->busy, 0, __ATOMIC_RELAXED);
}
