// visits.c - opens and closes windows, keeps the buffers and what is known of sites.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/heap/visits.h"

#include "include/reticle/values.h"
#include "runtime/heap/duty.h"
#include "runtime/heap/heap.h"
#include "runtime/probe/shadow.h"
#include "runtime/probe/thread.h"
#include "runtime/probe/visit.h"
#include "runtime/support/fork.h"
#include "runtime/support/stops.h"
#include "runtime/support/strings.h"
#include "runtime/sys/sys.h"

enum { BUFFERS = RRT_VISIT_WINDOWS / RRT_VISIT_SLOTS, INTERVAL_NS = 20000000 };

static struct {
  struct rrt_visit_buffer *buffers[BUFFERS]; // [buffer_count] of all threads, never unmapped
  uint32_t buffer_count;                     // atomic; may go beyond BUFFERS
  struct reticle_file_visitsite *sites; // [site_count] a record a field, those of a site in a row
  uint32_t site_count, site_capacity;
  uint32_t described; // number of the last site that is in sites
} state;

static struct {
  uint32_t windows[RRT_VISIT_SLOTS]; // which window each slot has; 0: none
  uint32_t last;                     // number of the newest window
  uint32_t gap, ticks;               // a window each so many ticks
  uint64_t due_ns;                   // of the next one, without bursts
  uint32_t held;                     // lock: what is being written stays
} process RRT_PER_PROCESS;

int rrt_visits_is_open(void) { return __atomic_load_n(&rrt_visits.window, __ATOMIC_RELAXED) != 0; }

void rrt_visits_hold(void) { rrt_sys_lock(&process.held); }
void rrt_visits_let_go(void) { rrt_sys_unlock(&process.held); }

// --- buffers -------------------------------------------------------------------------------------

// In a handler that interrupts this the thread would map a second one: it stays empty.
static struct rrt_visit_buffer *open_buffer(struct rrt_thread *t) {
  if (__atomic_load_n(&state.buffer_count, __ATOMIC_RELAXED) >= BUFFERS)
    return NULL;
  uint32_t place = __atomic_fetch_add(&state.buffer_count, 1, __ATOMIC_RELAXED);
  if (place >= BUFFERS)
    return NULL;
  struct rrt_visit_buffer *b = rrt_sys_map(sizeof *b);
  if (!b)
    return NULL;
  __atomic_store_n(&state.buffers[place], b, __ATOMIC_RELEASE);
  return t->visits = b;
}

// --- windows -------------------------------------------------------------------------------------

static void close_window(uint32_t window) {
  if (window && __atomic_compare_exchange_n(&rrt_visits.window, &window, 0, 0, __ATOMIC_RELAXED,
                                            __ATOMIC_RELAXED))
    rrt_duty_close_window();
}

// Every other one, so that those that are left are spread as before.
static void thin(void) {
  uint32_t kept = 0;
  for (uint32_t turn = 0; turn < RRT_VISIT_SLOTS; turn++) {
    uint32_t oldest = RRT_VISIT_SLOTS;
    for (uint32_t i = 0; i < RRT_VISIT_SLOTS; i++)
      if (process.windows[i] > kept &&
          (oldest == RRT_VISIT_SLOTS || process.windows[i] < process.windows[oldest]))
        oldest = i;
    if (oldest == RRT_VISIT_SLOTS)
      break;
    kept = process.windows[oldest];
    if (turn % 2)
      process.windows[oldest] = 0;
  }
  process.gap *= 2;
}

static void open_window(void) {
  uint32_t slot = 0;
  while (slot < RRT_VISIT_SLOTS && process.windows[slot])
    slot++;
  if (slot == RRT_VISIT_SLOTS) {
    thin();
    for (slot = 0; process.windows[slot]; slot++)
      ;
  }
  process.windows[slot] = ++process.last;
  __atomic_store_n(&rrt_visits.slot, slot, __ATOMIC_RELAXED);
  __atomic_store_n(&rrt_visits.window, process.last, __ATOMIC_RELEASE);
}

void rrt_visits_open(int opens_window) {
  rrt_visits.open = open_buffer;
  rrt_visits.close = close_window;
  process.gap = 1;
  process.due_ns = rrt_stops_run_ns() + INTERVAL_NS;
  if (opens_window)
    open_window();
}

void rrt_visits_tick(void) {
  if (process.ticks++ % process.gap)
    return;
  rrt_visits_hold();
  close_window(__atomic_load_n(&rrt_visits.window, __ATOMIC_RELAXED));
  open_window();
  rrt_visits_let_go();
  rrt_duty_open_window();
}

void rrt_visits_tick_at(uint64_t now_ns) {
  if (now_ns < process.due_ns)
    return;
  rrt_visits_tick();
  process.ticks = 0; // the time has the gap in it
  process.due_ns = now_ns + (uint64_t)process.gap * INTERVAL_NS;
}

uint64_t rrt_visits_due_ns(void) { return process.due_ns; }

void rrt_visits_end(void) { close_window(__atomic_load_n(&rrt_visits.window, __ATOMIC_RELAXED)); }

void rrt_visits_forked(void) {
  uint32_t n = __atomic_load_n(&state.buffer_count, __ATOMIC_RELAXED);
  rrt_visits.window = 0;
  for (uint32_t i = 0; i < n && i < BUFFERS; i++)
    if (state.buffers[i]) {
      rrt_zero(state.buffers[i]->slots, sizeof state.buffers[i]->slots);
      state.buffers[i]->window = 0;
      state.buffers[i]->busy = 0;
    }
}

// --- what the profile has ------------------------------------------------------------------------

static struct reticle_file_visitsite *add_records(uint32_t n) {
  if (state.site_count + n > state.site_capacity) {
    uint32_t wanted = 2 * state.site_capacity + n + 64;
    void *grown = state.sites ? rrt_sys_grow(state.sites, state.site_capacity * sizeof *state.sites,
                                             wanted * sizeof *state.sites)
                              : rrt_sys_map(wanted * sizeof *state.sites);
    if (!grown)
      return NULL;
    state.sites = grown;
    state.site_capacity = wanted;
  }
  state.site_count += n;
  return state.sites + state.site_count - n;
}

// What has been seen since.
static void describe_values(void) {
  const struct reticle_visit_desc *d = NULL;
  for (uint32_t i = 0, touch = 0; i < state.site_count; i++, touch++) {
    struct reticle_file_visitsite *to = &state.sites[i];
    if (!i || to->number != to[-1].number) {
      d = __atomic_load_n(&rrt_visit_sites[to->number], __ATOMIC_ACQUIRE);
      touch = 0;
    }
    const struct reticle_touch_desc *from = (const struct reticle_touch_desc *)d->touches + touch;
    if (!(from->flags & RETICLE_ACCESS_INTEGER))
      continue;
    uint32_t values = __atomic_load_n(&from->values, __ATOMIC_RELAXED);
    to->values = reticle_values_count(values);
    to->unsigned_bits = reticle_values_unsigned_bits(values);
    to->signed_bits = reticle_values_signed_bits(values);
  }
}

void rrt_visits_describe(void) {
  uint32_t count = __atomic_load_n(&rrt_visits.site_count, __ATOMIC_RELAXED);
  for (uint32_t n = state.described + 1; n <= count && n < RETICLE_VISIT_SITES_MOST; n++) {
    const struct reticle_visit_desc *d = __atomic_load_n(&rrt_visit_sites[n], __ATOMIC_ACQUIRE);
    struct reticle_file_visitsite *to = d ? add_records(d->touch_count) : NULL;
    if (!to)
      break; // about to be numbered: at the next checkpoint
    const struct reticle_touch_desc *touch = d->touches;
    for (uint32_t i = 0; i < d->touch_count; i++)
      to[i] = (struct reticle_file_visitsite){.id = d->id,
                                              .loop = d->loop,
                                              .structure = touch[i].structure,
                                              .number = n,
                                              .back_bytes = touch[i].back_bytes,
                                              .offset_bytes = touch[i].offset_bytes,
                                              .bytes = touch[i].bytes,
                                              .times = touch[i].times,
                                              .flags = touch[i].flags,
                                              .line = d->line,
                                              .function = rrt_strings_add(d->function)};
    state.described = n;
  }
  describe_values();
}

void rrt_visits_read(struct rrt_visits_tables *out) {
  rrt_visits_describe();
  out->sites = state.sites;
  out->site_count = state.site_count;
}

int rrt_visits_window(uint32_t i, struct reticle_file_visitwindow *out, const uint8_t **bytes) {
  uint32_t place = i / RRT_VISIT_SLOTS, slot = i % RRT_VISIT_SLOTS;
  if (place >= BUFFERS || place >= __atomic_load_n(&state.buffer_count, __ATOMIC_RELAXED))
    return -1;
  const struct rrt_visit_buffer *b = __atomic_load_n(&state.buffers[place], __ATOMIC_ACQUIRE);
  const struct rrt_visit_slot *s = b ? &b->slots[slot] : NULL;
  uint32_t window = s ? __atomic_load_n(&s->window, __ATOMIC_ACQUIRE) : 0;
  if (!window || window != process.windows[slot])
    return 0;
  *out = (struct reticle_file_visitwindow){
      .window = window, .thread = s->thread, .bytes = __atomic_load_n(&s->used, __ATOMIC_ACQUIRE)};
  out->begin_ticks = rrt_timer_between(rrt_shadow.start_ticks, s->begin_ticks);
  *bytes = b->bytes[slot];
  return out->bytes != 0;
}
