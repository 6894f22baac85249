// heap.c - opens the shadow memory, samples at the rate that the budget allows, and sums up.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/heap/heap.h"

#include "runtime/heap/draw.h"
#include "runtime/heap/duty.h"
#include "runtime/heap/frames.h"
#include "runtime/heap/globals.h"
#include "runtime/heap/line.h"
#include "runtime/heap/malloc.h"
#include "runtime/heap/mapped.h"
#include "runtime/heap/pace.h"
#include "runtime/heap/shadow_memory.h"
#include "runtime/heap/shadow_scan.h"
#include "runtime/heap/sharing.h"
#include "runtime/heap/site.h"
#include "runtime/heap/visits.h"
#include "runtime/heap/words.h"
#include "runtime/probe/clock/timer.h"
#include "runtime/support/fork.h"
#include "runtime/support/options.h"
#include "runtime/support/stops.h"
#include "runtime/sys/sys.h"

#include <errno.h>

static struct {
  uint32_t shadow; // enum reticle_shadow_state
  uint32_t error, present;
  int opened; // of rrt_heap_open; 1: not called yet
  uint64_t due_ns, opened_ns;
  uint64_t read_ticks;
} state = {.opened = 1};
static struct {
  uint32_t scanning; // lock of the scan
  uint64_t samples, scan_ns, living_due_ns, last_ns;
} process RRT_PER_PROCESS;

static void lock_scan(void) { rrt_sys_lock(&process.scanning); }
static void unlock_scan(void) { rrt_sys_unlock(&process.scanning); }

void rrt_heap_close(void) { rrt_shadow_memory_close(); }

int rrt_heap_can_open(void) { return rrt_shadow_memory_open(); }

static uint64_t interval_ns(void) { return 1000000000u / rrt_options.shadow_hz; }

// The budget is of the time from here on; the first burst, if there are any.
static void plan_first(void) {
  state.opened_ns = rrt_stops_run_ns();
  state.due_ns = rrt_duty_has_bursts() ? state.opened_ns + rrt_duty_rest_ns(interval_ns()) : 0;
}

static uint32_t objects_every(void) {
  enum { EVERY_IN_BURSTS = 8 };
  if (rrt_options.shadow_objects)
    return (uint32_t)rrt_options.shadow_objects;
  // Where samples tell whose objects registers point into, each object must be known.
  return rrt_duty_has_bursts() && !rrt_options.sample ? EVERY_IN_BURSTS : 1;
}

int rrt_heap_open(void) {
  if (state.opened <= 0)
    return state.opened;
  int result = rrt_shadow_memory_open();
  if (result == 0 && rrt_sites_open() < 0) {
    result = -ENOMEM;
    __atomic_store_n(&rrt_shadow.on, 0, __ATOMIC_RELEASE);
  }
  state.shadow = result == 0 ? RETICLE_SHADOW_ON : RETICLE_SHADOW_NO_PLANE;
  state.error = (uint32_t)-result;
  rrt_shadow.start_ticks = rrt_timer_glance();
  if (result < 0) {
    rrt_shadow_memory_open_none();
  } else {
    rrt_visits_open(!rrt_duty_has_bursts());
    rrt_duty_open();
    rrt_draw_open(objects_every());
    plan_first();
  }
  rrt_malloc_open();
  return state.opened = result;
}

void rrt_heap_open_none(uint32_t why) {
  if (!state.shadow)
    state.shadow = why;
  rrt_shadow_memory_open_none();
  rrt_malloc_open(); // the program's allocator isn't glibc's only because nothing is measured
}

void rrt_heap_expect(const struct reticle_shadow_module_desc *module) {
  const struct reticle_shadow_desc *u = module->units_begin, *end = module->units_end;
  for (; u && u < end && !rrt_shadow.is_sharing; u++)
    if (u->flags & RETICLE_SHADOW_UNIT_DETAIL && state.shadow == RETICLE_SHADOW_ON) {
      rrt_sharing_open();
      rrt_sites_tell_kinds();
      return;
    }
}

// The mask, while the module's code runs.
static int may_change(const struct reticle_shadow_module_desc *module) {
  const struct reticle_shadow_desc *u = module->units_begin, *end = module->units_end;
  for (; u && u < end; u++)
    if (u->marked && !u->copied)
      return 0;
  return 1;
}

int rrt_heap_add(const struct reticle_shadow_module_desc *module) {
  __atomic_store_n(&state.present, 1, __ATOMIC_RELEASE);
  rrt_globals_add(module);
  if (state.shadow != RETICLE_SHADOW_ON)
    return 0;
  lock_scan();
  rrt_duty_add((uint64_t *)(uintptr_t)module->mask, may_change(module));
  unlock_scan();
  return may_change(module) || !rrt_duty_has_bursts() ? 0 : -EINVAL;
}

// --- samples -------------------------------------------------------------------------------------

void rrt_heap_remove(const struct reticle_shadow_module_desc *module) {
  if (state.shadow != RETICLE_SHADOW_ON)
    return;
  lock_scan();
  rrt_visits_describe();
  rrt_duty_remove(module->mask);
  rrt_globals_remove(module);
  unlock_scan();
}

int rrt_heap_present(void) { return (int)__atomic_load_n(&state.present, __ATOMIC_ACQUIRE); }

int rrt_heap_any(void) { return rrt_heap_present() && rrt_sites_any(); }

// Needs the scan's lock. Returns how long it took.
static uint64_t scan(int all) {
  uint64_t start_ns = rrt_stops_run_ns();
  if (rrt_shadow.is_sharing)
    rrt_sharing_look();
  int r = rrt_scan(all);
  uint64_t took_ns = rrt_stops_run_ns() - start_ns;
  if (r < 0) {
    state.shadow = RETICLE_SHADOW_NO_SAMPLER;
    state.error = (uint32_t)-r;
  }
  __atomic_store_n(&process.samples, process.samples + 1, __ATOMIC_RELAXED);
  process.scan_ns += took_ns;
  process.last_ns = took_ns;
  return took_ns;
}

uint64_t rrt_heap_due_ns(void) {
  if (!rrt_heap_present() || state.shadow != RETICLE_SHADOW_ON)
    return UINT64_MAX;
  uint64_t visits_ns = rrt_duty_has_bursts() ? UINT64_MAX : rrt_visits_due_ns();
  return state.due_ns < visits_ns ? state.due_ns : visits_ns;
}

static struct rrt_pace pace(void) {
  return (struct rrt_pace){state.opened_ns, rrt_options.shadow_budget, process.scan_ns};
}

static uint64_t next_ns(uint64_t now_ns, uint64_t took_ns) {
  struct rrt_pace so_far = pace();
  uint64_t least_ns = rrt_duty_has_bursts() ? rrt_duty_rest_ns(interval_ns()) : interval_ns();
  return rrt_pace_next_ns(&so_far, now_ns, took_ns, least_ns);
}

// When a sample of what is touched now is within the budget; what is alive is looked at at a
// checkpoint in any case. Needs the scan's lock.
static uint64_t try_ns(uint64_t now_ns) {
  enum { GROWTH = 8 }; // for less there is room, and the pages needn't be counted
  struct rrt_pace so_far = pace();
  if (rrt_pace_within_ns(&so_far, GROWTH * process.last_ns) <= now_ns)
    return now_ns;
  return rrt_pace_try_ns(&so_far, now_ns, process.last_ns, rrt_scan_plane_bytes(),
                         rrt_shadow_memory_touched_bytes());
}

// How often threads meet at the shared lines: whether they were there again in so short a time.
static void look_again(uint64_t sample_ns) {
  enum { MEETING_NS = 200000 };
  uint32_t never = 0;
  rrt_sys_wait(&never, 0, MEETING_NS);
  rrt_sharing_look_again(sample_ns);
}

void rrt_heap_sample(uint64_t now_ns) {
  if (now_ns < rrt_heap_due_ns())
    return;
  lock_scan();
  if (!rrt_duty_has_bursts())
    rrt_visits_tick_at(now_ns);
  if (now_ns < state.due_ns) {
    unlock_scan();
    return;
  }
  uint64_t try = rrt_duty_has_bursts() ? now_ns : try_ns(now_ns);
  if (rrt_duty_begin(now_ns)) {
    rrt_visits_tick();
    state.due_ns = now_ns + interval_ns();
  } else if (try > now_ns) {
    state.due_ns = try;
  } else {
    if (rrt_duty_end(now_ns))
      rrt_visits_end();
    state.due_ns = next_ns(now_ns, scan(0));
    if (rrt_shadow.is_sharing && rrt_sharing_any())
      look_again(now_ns);
  }
  unlock_scan();
}

int64_t rrt_heap_samples(void) {
  if (!rrt_heap_present() || state.shadow != RETICLE_SHADOW_ON)
    return -1;
  return (int64_t)__atomic_load_n(&process.samples, __ATOMIC_RELAXED);
}

void rrt_heap_forked(void) {
  rrt_visits_forked();
  if (state.shadow == RETICLE_SHADOW_ON) {
    rrt_visits_open(!rrt_duty_has_bursts());
    rrt_duty_open();
    plan_first();
  }
  rrt_sites_forked();
  rrt_sharing_forked();
}

// --- numbers -------------------------------------------------------------------------------------

/// With bursts, living objects are looked at so many times less often.
enum { RESTING_LIVING = 4 };

// Living objects are looked at within the budget, too.
static void scan_live_objects(int force_live_scan) {
  uint64_t now_ns = rrt_stops_run_ns();
  if (!force_live_scan && now_ns < process.living_due_ns)
    return;
  lock_scan();
  int is_resting = rrt_duty_has_bursts() && !rrt_duty_end(now_ns);
  if (rrt_duty_has_bursts())
    rrt_visits_end();
  uint64_t then_ns = next_ns(now_ns, scan(1));
  if (!is_resting)
    state.due_ns = then_ns;
  process.living_due_ns =
      rrt_duty_has_bursts() ? now_ns + RESTING_LIVING * (then_ns - now_ns) : then_ns;
  unlock_scan();
}

void rrt_heap_read(struct reticle_file_shadow *out, int force_live_scan) {
  if (state.shadow == RETICLE_SHADOW_ON) {
    scan_live_objects(force_live_scan);
    rrt_frames_name();
  }
  state.read_ticks = rrt_timer_between(rrt_shadow.start_ticks, rrt_timer_glance());
  *out = (struct reticle_file_shadow){.state = state.shadow,
                                      .sites_state = rrt_malloc_state(),
                                      .error = state.error,
                                      .interval_us = (uint32_t)(interval_ns() / 1000),
                                      .samples = process.samples,
                                      .scan_ns = process.scan_ns,
                                      .plane_bytes = rrt_scan_plane_bytes(),
                                      .no_room = rrt_malloc_no_room(),
                                      .foreign = rrt_malloc_foreign(),
                                      .duty = (uint32_t)rrt_options.duty,
                                      .every = rrt_draw_every,
                                      .bursts = rrt_duty_bursts(),
                                      .burst_ns = rrt_duty_burst_ns()};
  rrt_sharing_read(out);
}

// Without sampling, only freed objects are counted.
static int has_told(void) { return state.shadow == RETICLE_SHADOW_ON; }

uint32_t rrt_heap_site_count(void) { return rrt_sites_bytes() ? rrt_sites_count() : 1; }

int rrt_heap_site(uint32_t i, struct reticle_file_site *out) {
  struct rrt_site *s = rrt_site_get(i);
  rrt_site_lock(s);
  struct rrt_use ever = has_told() ? s->told : s->ever;
  uint64_t touched = has_told() ? s->told_touched : s->touched;
  unsigned __int128 lifetime = rrt_site_lifetime(s, state.read_ticks);
  *out = (struct reticle_file_site){.id = rrt_frames_id(s),
                                    .kind = s->is_global   ? RETICLE_SITE_GLOBAL
                                            : s->is_mapped ? RETICLE_SITE_MMAP
                                                           : RETICLE_SITE_HEAP,
                                    .line = s->line,
                                    .name = s->name,
                                    .file = s->file,
                                    .objects = s->objects,
                                    .live_objects = s->live,
                                    .touched_objects = touched + s->living_touched,
                                    .bytes = s->bytes,
                                    .live_bytes = s->live_bytes,
                                    .peak_bytes = s->peak_bytes,
                                    .min_bytes = s->min_bytes,
                                    .max_bytes = s->max_bytes,
                                    .lifetime_ticks =
                                        lifetime < UINT64_MAX ? (uint64_t)lifetime : UINT64_MAX,
                                    .lifetime_high = (uint64_t)(lifetime >> 32),
                                    .fetched_bytes = s->last.fetched + s->sampled.fetched,
                                    .used_bytes = s->last.used + s->sampled.used,
                                    .ever_fetched_bytes = ever.fetched + s->living.fetched,
                                    .ever_used_bytes = ever.used + s->living.used};
  rrt_site_unlock(s);
  return out->objects != 0;
}

int rrt_heap_frame(uint32_t i, uint32_t depth, struct reticle_file_siteframe *out) {
  struct rrt_site *s = rrt_site_get(i);
  if (depth >= s->depth)
    return 0;
  const struct rrt_frame *f = &s->frames[depth];
  *out = (struct reticle_file_siteframe){.site = rrt_frames_id(s),
                                         .depth = depth,
                                         .module = f->module,
                                         .build_id = f->build_id,
                                         .offset = f->offset};
  return 1;
}

int rrt_heap_word(uint32_t i, uint32_t word, struct reticle_file_siteword *out) {
  struct rrt_site *s = rrt_site_get(i);
  struct rrt_word *known = rrt_site_word(s, word);
  if (word >= RRT_SITE_WORDS || 4 * (uint64_t)word >= s->max_bytes)
    return -1;
  *out = (struct reticle_file_siteword){.site = rrt_frames_id(s), .word = word};
  if (known) {
    out->objects = (has_told() ? known->told : known->ever) + known->living;
    out->heat = known->last + known->sampled;
  }
  const struct rrt_kinds *kinds = rrt_site_kinds(s, word);
  if (kinds) {
    out->reads = kinds->reads + kinds->last_reads;
    out->writes = kinds->writes + kinds->last_writes;
  }
  return out->objects || out->heat;
}

const struct reticle_file_shadowunit *rrt_heap_units(uint32_t *count) {
  return rrt_globals_units(count);
}

int rrt_heap_has_detail(void) { return rrt_shadow.is_sharing != 0; }

int rrt_heap_shared_line(uint32_t i, struct reticle_file_sharedline *out) {
  return rrt_sharing_line(i, out);
}

uint64_t rrt_heap_bytes(void) { return rrt_sites_bytes() + rrt_sharing_bytes(); }
