// bound.c - loops that have copies: which execution is taken, and what is kept: the feature bound.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/feature/feature.h"

#include "runtime/feature/bound/case.h"
#include "runtime/probe/clock/timer.h"
#include "runtime/probe/loop.h"
#include "runtime/session/drain.h"
#include "runtime/session/session.h"
#include "runtime/support/chunk.h"
#include "runtime/support/fork.h"
#include "runtime/support/stops.h"
#include "runtime/support/strings.h"
#include "runtime/sys/sys.h"

enum {
  SITES = 256,
  ROWS = 1 << 15,
  ENTRIES_LEAST = 6,
  ENTRIES_MOST = 12,
  GAP = 2 /* times as long as the last case took */
};
/// More entries than the least as long as the program has waited for less.
#define WAIT_NS UINT64_C(1000000000)
/// The next execution behind a moment is one behind a long pause more often than others are: the
/// first of a batch. So up to SKIPPED are let go by, at random, for no longer than SKIP_NS.
#define SKIPPED 64
#define SKIP_NS UINT64_C(20000000)

struct site {
  struct reticle_bound_desc *desc; ///< null: its module is gone
  struct reticle_file_bound record;
  uint64_t due_ns;        ///< when it is armed again; UINT64_MAX: it is, or runs
  uint64_t skip_until_ns; ///< while it is armed: executions are let go by until then
  uint32_t skipped;       ///< that are still to be let go by
};

static struct {
  struct site sites[SITES];
  uint32_t count;
  struct reticle_file_boundtime *rows; ///< [row_count]
  uint32_t row_count;
  uint64_t ticks_per_us, random;
} state;
static uint32_t is_busy RRT_PER_PROCESS;

// --- modules -------------------------------------------------------------------------------------

static void add(struct reticle_bound_desc *desc) {
  uint32_t number = 0; // of a library that is opened again: as before
  while (number < state.count &&
         (state.sites[number].desc || state.sites[number].record.id != desc->id))
    number++;
  if (number == SITES)
    return;
  struct site *s = &state.sites[number];
  if (number < state.count) {
    s->desc = desc;
    s->due_ns = 0;
    return;
  }
  rrt_zero(s, sizeof *s);
  s->desc = desc;
  s->record = (struct reticle_file_bound){.id = desc->id,
                                          .function = rrt_strings_add(desc->function),
                                          .inlined_from = rrt_strings_add(desc->inlined_from),
                                          .file = rrt_strings_add(desc->file),
                                          .line = desc->line,
                                          .column = desc->column,
                                          .depth = desc->depth,
                                          .reason = desc->reason};
  __atomic_store_n(&state.count, state.count + 1, __ATOMIC_RELEASE);
  if (desc->reason)
    return;
  s->record.reason = RETICLE_BOUND_UNSEEN;
  s->due_ns = UINT64_MAX;
  __atomic_store_n(&desc->armed, state.count, __ATOMIC_RELAXED); // a loop may run only once
}

__attribute__((visibility("default"))) void
__reticle_bounds_start(const struct reticle_bound_module_desc *module) {
  struct reticle_bound_desc *end = (void *)(uintptr_t)module->bounds_end;
  rrt_session_start();
  if (rrt_session.state != RRT_SESSION_ON)
    return;
  rrt_drain_lock();
  if (!state.rows)
    state.rows = rrt_sys_map(ROWS * sizeof *state.rows);
  if (state.rows && rrt_case_open(state.ticks_per_us) == 0)
    for (struct reticle_bound_desc *d = (void *)(uintptr_t)module->bounds_begin; d < end; d++)
      add(d);
  rrt_drain_unlock();
  rrt_session_start_sideline();
}

__attribute__((visibility("default"))) void
__reticle_bounds_stop(const struct reticle_bound_module_desc *module) {
  uint64_t begin = (uint64_t)(uintptr_t)module->bounds_begin,
           end = (uint64_t)(uintptr_t)module->bounds_end;
  if (rrt_session.state != RRT_SESSION_ON)
    return;
  rrt_drain_lock(); // the sideline may be arming one of them
  for (uint32_t i = 0; i < state.count; i++) {
    uint64_t at = (uint64_t)(uintptr_t)state.sites[i].desc;
    if (at >= begin && at < end)
      state.sites[i].desc = NULL;
  }
  rrt_drain_unlock();
}

// --- executions ----------------------------------------------------------------------------------

static void keep(struct site *s, const struct rrt_case *found, uint64_t waited_ns) {
  uint32_t entry = (uint32_t)s->record.entries++;
  s->record.waited_ns += waited_ns;
  if (found->count || s->record.reason) // else another execution had times
    s->record.reason = found->count ? RETICLE_BOUND_DONE : found->reason;
  s->due_ns = rrt_stops_run_ns() + GAP * waited_ns;
  for (uint32_t i = 0; i < found->count && state.row_count < ROWS; i++) {
    struct reticle_file_boundtime *row = &state.rows[state.row_count];
    *row = found->rows[i];
    row->id = s->record.id;
    row->entry = entry;
    __atomic_store_n(&state.row_count, state.row_count + 1, __ATOMIC_RELEASE);
  }
}

static void ask(struct reticle_bound_desc *site) {
  uint32_t number = __atomic_exchange_n(&site->armed, 0, __ATOMIC_ACQUIRE);
  // Another thread was faster; or a child of vfork, whose memory is its parent's.
  if (!number || rrt_sys_pid() != rrt_session.pid)
    return;
  struct site *s = &state.sites[number - 1];
  if (s->skipped && rrt_stops_run_ns() < s->skip_until_ns) {
    s->skipped--;
    __atomic_store_n(&site->armed, number, __ATOMIC_RELAXED);
    return;
  }
  if (__atomic_exchange_n(&is_busy, 1, __ATOMIC_ACQUIRE)) {
    s->due_ns = rrt_stops_run_ns();
    return;
  }
  const struct rrt_case *found;
  uint64_t begin_ns = rrt_sys_monotonic_raw_ns(), begin = rrt_timer_glance();
  if (rrt_case_run(site, &found))
    return; // in a child, into a copy
  if (found)
    keep(s, found, rrt_sys_monotonic_raw_ns() - begin_ns);
  // Samples that are open didn't take that long.
  struct rrt_thread *t = rrt_thread_self;
  for (uint32_t i = 0; t && i < t->open_count; i++)
    t->open[i].nested_ticks += rrt_timer_between(begin, rrt_timer_glance());
  __atomic_store_n(&is_busy, 0, __ATOMIC_RELEASE);
}

__attribute__((visibility("default"))) void __reticle_bound(struct reticle_bound_desc *site) {
  uint32_t cpu;
  uint64_t end = rrt_timer_end(&cpu);
  if (rrt_case_is_child())
    rrt_case_next(site, end);
  else
    ask(site);
}

static uint64_t due_ns(const struct site *s) {
  uint32_t reason = s->record.reason;
  int is_open = !reason || reason == RETICLE_BOUND_UNSEEN || reason == RETICLE_BOUND_SHORT;
  uint64_t entries = s->record.entries;
  int is_wanted =
      entries < ENTRIES_LEAST || (entries < ENTRIES_MOST && s->record.waited_ns < WAIT_NS);
  return s->desc && is_open && is_wanted ? s->due_ns : UINT64_MAX;
}

static int wakes(uint64_t *due) {
  for (uint32_t i = 0; i < state.count; i++)
    *due = due_ns(&state.sites[i]) < *due ? due_ns(&state.sites[i]) : *due;
  return state.count != 0;
}

static void arm(uint64_t now_ns) {
  if (!rrt_drain_try()) // a module may be going
    return;
  for (uint32_t i = 0; i < state.count; i++)
    if (due_ns(&state.sites[i]) <= now_ns) {
      struct site *s = &state.sites[i];
      state.random = state.random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
      s->skipped = (uint32_t)(state.random >> 32) % SKIPPED;
      s->skip_until_ns = now_ns + SKIP_NS;
      s->due_ns = UINT64_MAX; // until the case is over
      __atomic_store_n(&s->desc->armed, i + 1, __ATOMIC_RELEASE);
    }
  rrt_drain_unlock();
}

// A child has entries of its own, and its cases memory of theirs.
static void bound_forked(void) {
  state.row_count = 0;
  rrt_case_forked();
  for (uint32_t i = 0; i < state.count; i++) {
    struct site *s = &state.sites[i];
    s->record.entries = s->record.waited_ns = 0;
    if (s->record.reason == RETICLE_BOUND_DONE)
      s->record.reason = RETICLE_BOUND_UNSEEN;
    s->due_ns = 0;
  }
}

static void start(uint64_t ticks_per_us) { state.ticks_per_us = ticks_per_us; }

static int any(void) { return state.row_count != 0; }

static void write(struct rrt_checkpoint *c) {
  (void)c;
  if (!state.count)
    return;
  rrt_chunk_begin("bounds", sizeof state.sites[0].record);
  for (uint32_t i = 0; i < state.count; i++)
    rrt_chunk_add_copy(&state.sites[i].record, sizeof state.sites[i].record);
  rrt_chunk_end();
  rrt_chunk_write("boundtimes", state.rows, sizeof *state.rows, state.row_count);
}

const struct rrt_feature rrt_feature_bound = {.start = start,
                                              .forked = bound_forked,
                                              .wakes = wakes,
                                              .sample = arm,
                                              .any = any,
                                              .write = write};
