// threads.c - records of the program's threads.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A record is made at a thread's first cold call, which may be in a signal handler: so from mmap
// alone, and linked by compare and swap. Records are reused, never unmapped: a drain may look at
// them at any time.
#include "runtime/session/threads.h"

#include "runtime/feature/feature.h"
#include "runtime/probe/clock/timer.h"
#include "runtime/probe/known.h"
#include "runtime/probe/loop.h"
#include "runtime/probe/rate.h"
#include "runtime/session/nap.h"
#include "runtime/session/registry.h"
#include "runtime/support/fork.h"
#include "runtime/support/options.h"
#include "runtime/support/stops.h"
#include "runtime/sys/scale.h"
#include "runtime/sys/sys.h"

#include <limits.h>
#include <pthread.h>
#if defined(__aarch64__)
#include <sys/auxv.h>
#endif

static struct {
  struct rrt_thread *first;
  pthread_key_t exit_key;
  int32_t no_cell; // of threads that have ended: adds nothing
} state;
static struct {
  uint64_t next_number; // a server may start more than 2^32 threads in a year
  uint64_t failed;
  uint32_t held, leaving; // (atomic)
  // Of ended threads.
  uint64_t ended_spent_ticks, ended_setup_ticks, ended_unmeasured, ended_full, ended_wall_ticks,
      ended_stopped_ticks;
} process RRT_PER_PROCESS;

enum { CAPACITY_MIN = 16384, INTERVAL_START_TICKS = 1 << 14, EXIT_ROUNDS = 3 };
enum { HOLD_TRIES = 100 };
#define HOLD_WAIT_NS UINT64_C(1000000)

struct rrt_thread *rrt_threads_first(void) {
  return __atomic_load_n(&state.first, __ATOMIC_ACQUIRE);
}

// The key's destructor comes again as often as it sets the value anew: it lets the program's own
// destructors, which may still run probed loops, go first.
static void at_thread_exit(void *value) {
  struct rrt_thread *t = rrt_thread_self;
  uintptr_t round = (uintptr_t)value;
  if (!t)
    return;
  if (round < EXIT_ROUNDS && pthread_setspecific(state.exit_key, (void *)(round + 1)) == 0)
    return;
  rrt_threads_leave(t);
}

int rrt_threads_open(void) { return pthread_key_create(&state.exit_key, at_thread_exit) ? -1 : 0; }

void rrt_threads_close(void) { pthread_key_delete(state.exit_key); }

static void set_exit_key(void) { pthread_setspecific(state.exit_key, (void *)(uintptr_t)1); }

// Cold calls keep all registers, but libc may use vector registers even here. x86-64: it is built
// for the baseline, so what FXSAVE covers is enough: SSE instructions leave the upper halves alone.
#if defined(__x86_64__)
static void observe_exit(void) {
  char area[512] __attribute__((aligned(16)));
  __asm__ volatile("fxsave64 %0" : "=m"(area));
  set_exit_key();
  __asm__ volatile("fxrstor64 %0" : : "m"(area));
}
#elif defined(__aarch64__)
void rrt_keep_vectors(void (*call)(void), int has_sve); // vectors_aarch64.S
static void observe_exit(void) {
  rrt_keep_vectors(set_exit_key, (getauxval(AT_HWCAP) & HWCAP_SVE) != 0);
}
#endif

static uint32_t wanted_capacity(void) {
  uint64_t wanted = (uint64_t)rrt_registry_numbers() * 2;
  if (wanted < CAPACITY_MIN)
    wanted = CAPACITY_MIN;
  return (uint32_t)(wanted < rrt_options.max_loops + 1 ? wanted : rrt_options.max_loops + 1);
}

static struct rrt_thread *make_record(void) {
  uint32_t capacity = wanted_capacity();
  struct rrt_thread *t = rrt_sys_map(sizeof *t);
  struct rrt_loop_state *loops = rrt_sys_map(capacity * sizeof *loops);
  // By number both: in one piece.
  size_t table_bytes = RRT_BOOT_CELLS * sizeof *t->cells + capacity * sizeof *t->slots;
  int32_t *cells = rrt_sys_map(table_bytes);
  if (!t || !loops || !cells) {
    if (t)
      rrt_sys_unmap(t, sizeof *t);
    if (loops)
      rrt_sys_unmap(loops, capacity * sizeof *loops);
    if (cells)
      rrt_sys_unmap(cells, table_bytes);
    return NULL;
  }
  t->loops = loops;
  t->cells = cells;
  t->slots = (uint16_t *)(void *)(cells + RRT_BOOT_CELLS);
  t->capacity = capacity;
  t->start_ticks = UINT64_MAX; // it has lived no time until it is known
  t->life = RRT_THREAD_LIVE;
  t->next = rrt_threads_first();
  while (!__atomic_compare_exchange_n(&state.first, &t->next, t, 0, __ATOMIC_RELEASE,
                                      __ATOMIC_ACQUIRE))
    ;
  return t;
}

static struct rrt_thread *reuse_record(void) {
  for (struct rrt_thread *t = rrt_threads_first(); t; t = t->next) {
    uint32_t expected = RRT_THREAD_FREE;
    if (__atomic_load_n(&t->life, __ATOMIC_RELAXED) == RRT_THREAD_FREE &&
        __atomic_compare_exchange_n(&t->life, &expected, RRT_THREAD_LIVE, 0, __ATOMIC_ACQ_REL,
                                    __ATOMIC_RELAXED))
      return t;
  }
  return NULL;
}

static uint64_t credit(const struct rrt_thread *t) {
  return t->number < RRT_CREDITED ? rrt_probe.credit_ticks : 0;
}

// A thread that ends moves its executions, and its cells are gone: not while they are added up. Who
// waits does so for some us, and not for ever.
void rrt_threads_hold(void) {
  __atomic_store_n(&process.held, 1, __ATOMIC_SEQ_CST);
  for (unsigned tries = 0;
       tries < HOLD_TRIES && __atomic_load_n(&process.leaving, __ATOMIC_SEQ_CST); tries++)
    rrt_sys_wait(&process.leaving, 1, HOLD_WAIT_NS);
}

void rrt_threads_release(void) {
  __atomic_store_n(&process.held, 0, __ATOMIC_SEQ_CST);
  rrt_sys_wake(&process.held);
}

static int try_leaving(void) {
  __atomic_fetch_add(&process.leaving, 1, __ATOMIC_SEQ_CST);
  if (!__atomic_load_n(&process.held, __ATOMIC_SEQ_CST))
    return 1;
  __atomic_fetch_sub(&process.leaving, 1, __ATOMIC_SEQ_CST);
  return 0;
}

static void begin_leaving(void) {
  for (unsigned tries = 0; tries < HOLD_TRIES; tries++) {
    if (try_leaving())
      return;
    rrt_sys_wait(&process.held, 1, HOLD_WAIT_NS);
  }
  __atomic_fetch_add(&process.leaving, 1, __ATOMIC_SEQ_CST);
}

static void end_leaving(void) { __atomic_fetch_sub(&process.leaving, 1, __ATOMIC_SEQ_CST); }

void rrt_threads_renew(struct rrt_thread *t) {
  uint64_t begin = rrt_timer_glance();
  if (!try_leaving())
    return;
  rrt_known_leave(t);
  rrt_known_begin(t);
  end_leaving();
  rrt_rate_set_up(t, begin);
}

struct rrt_thread *rrt_threads_enter(void) {
  uint64_t begin = rrt_timer_glance();
  struct rrt_thread *t = reuse_record();
  if (!t)
    t = make_record();
  if (!t) {
    __atomic_fetch_add(&process.failed, 1, __ATOMIC_RELAXED);
    return NULL;
  }
  t->number = (uint32_t)__atomic_fetch_add(&process.next_number, 1, __ATOMIC_RELAXED);
  t->tid = rrt_sys_tid();
  t->random = ((uint64_t)t->number + 1) * UINT64_C(0x9e3779b97f4a7c15);
  t->start_ticks = t->glance_ticks = t->window_ticks = rrt_timer_glance();
  t->interval_ticks = INTERVAL_START_TICKS;
  t->pair_cost_ticks = rrt_probe.pair_cost_ticks;
  t->chain_due_ticks = 0;
  rrt_known_reuse(t);
  t->allowed_ticks = credit(t);
  t->cpu_permille = __atomic_load_n(&rrt_probe.cpu_permille, __ATOMIC_RELAXED);
  __atomic_store_n(&t->looked_ns, 0, __ATOMIC_RELAXED);
  __atomic_store_n(&t->is_cpu_known, 0, __ATOMIC_RELAXED);
  RRT_FEATURES_CALL(enter, t);
  t->busy = __builtin_frame_address(0); // a handler's loops would be entered meanwhile
  rrt_thread_self = t;
  __reticle_cells = (char *)t->cells;
  rrt_known_begin(t);
  t->busy = NULL;
  if (t->known) // no chain right behind the first sample of each short thread
    t->chain_due_ticks = t->start_ticks + t->known->interval_ticks;
  observe_exit();
  rrt_rate_set_up(t, begin);
  return t;
}

void rrt_threads_leave(struct rrt_thread *t) {
  uint64_t begin = rrt_timer_glance();
  rrt_loops_abandon_all(t);
  RRT_FEATURES_CALL(leave, t);
  begin_leaving();
  rrt_known_leave(t);
  for (struct rrt_loop_state *s = t->loops; s < t->loops + t->entered_count; s++) {
    uint64_t executions = rrt_loop_executions(s);
    // The cell goes away with the thread's memory.
    s->sequence++;
    __atomic_thread_fence(__ATOMIC_RELEASE);
    s->base = executions;
    s->armed = 0;
    *s->cell = 0; // the next entry, in another thread that takes this record, is a cold call
    s->cell = &state.no_cell;
    __atomic_store_n(&s->sequence, s->sequence + 1, __ATOMIC_RELEASE);
  }
  end_leaving();
  rrt_thread_self = NULL;
  __reticle_cells = (char *)rrt_boot_cells;
  t->end_ticks = rrt_timer_glance();
  t->end_cpu_ns = rrt_sys_thread_cpu_ns(t->tid);
  RRT_FEATURES_CALL(left, t);
  rrt_rate_set_up(t, begin);
  __atomic_store_n(&t->life, RRT_THREAD_EXITED, __ATOMIC_RELEASE);
}

static void add_to_ended(const struct rrt_thread *t) {
  process.ended_wall_ticks =
      rrt_add(process.ended_wall_ticks, rrt_timer_between(t->start_ticks, t->end_ticks));
  process.ended_stopped_ticks =
      rrt_add(process.ended_stopped_ticks, rrt_stops_between(t->start_ticks, t->end_ticks, 0));
  process.ended_spent_ticks += t->spent_ticks + t->facts_spent_ticks;
  process.ended_setup_ticks += t->setup_ticks;
  process.ended_unmeasured += t->unmeasured;
  process.ended_full += t->full;
}

static void reset(struct rrt_thread *t) {
  t->facts_spent_ticks = t->spent_ticks = t->setup_ticks = t->window_spent = t->allowed_ticks =
      t->unmeasured = t->full = t->facts_ticks = 0;
  t->facts_blocked = 0;
  t->start_ticks = UINT64_MAX;
  t->entered_count = t->open_count = 0;
  t->busy = NULL;
  t->ring_head = t->ring_tail = t->ring_base = t->seen_head = 0;
}

void rrt_threads_free(struct rrt_thread *t) {
  add_to_ended(t);
  reset(t);
  __atomic_store_n(&t->life, RRT_THREAD_FREE, __ATOMIC_RELEASE);
}

static void forget(struct rrt_thread *t, int lives) {
  for (struct rrt_loop_state *s = t->loops; s < t->loops + t->entered_count; s++) {
    if (!lives) {
      if (s->cell >= t->cells && s->cell < t->cells + RRT_BOOT_CELLS)
        *s->cell = 0;
      t->slots[s->index] = 0;
      rrt_zero(s, sizeof *s);
    } else {
      // Executions from now on: base + (armed - cell) must start at 0.
      int32_t left = *s->cell;
      s->base = left < 0 ? 0 - (uint64_t)s->armed : (uint64_t)left - s->armed;
      s->sampled_base = s->base;
      s->sequence = 0;
      s->open = s->lost = s->abandoned = s->migrated = 0;
      s->samples = 0;
    }
  }
}

void rrt_threads_forked(void) {
  struct rrt_thread *self = rrt_thread_self;
  process.next_number = self ? 1 : 0;
  for (struct rrt_thread *t = rrt_threads_first(); t; t = t->next) {
    forget(t, t == self);
    if (t == self) {
      uint32_t count = t->entered_count;
      reset(t);
      t->entered_count = count;
      t->number = 0;
      t->tid = rrt_sys_tid();
      t->start_ticks = t->glance_ticks = t->window_ticks = rrt_timer_glance();
      t->allowed_ticks = credit(t);
      t->looked_ns = 0; // its CPU time starts at 0
      t->is_cpu_known = 0;
      rrt_known_forked(t);
    } else {
      reset(t);
      t->life = RRT_THREAD_FREE; // with `known`, which tells what its cells are
    }
  }
}

static void look(struct rrt_thread *t, uint64_t now_ns) {
  uint64_t cpu_ns = rrt_sys_thread_cpu_ns(t->tid), before_ns = t->looked_ns;
  uint64_t passed = now_ns - before_ns, ran = cpu_ns - t->looked_cpu_ns;
  __atomic_store_n(&t->looked_ns, now_ns, __ATOMIC_RELAXED);
  t->looked_cpu_ns = cpu_ns;
  if (!before_ns || passed < 1000)
    return;
  uint64_t permille = ran < passed ? ran / (passed / 1000) : 1000;
  permille = permille < 1000 ? permille : 1000;
  if (t->is_cpu_known)
    permille = rrt_nap_smooth(t->cpu_permille, permille, passed);
  __atomic_store_n(&t->cpu_permille, (uint32_t)(permille ? permille : 1), __ATOMIC_RELAXED);
  __atomic_store_n(&t->is_cpu_known, 1, __ATOMIC_RELAXED);
}

void rrt_threads_look(uint64_t now_ns) {
  for (struct rrt_thread *t = rrt_threads_first(); t; t = t->next) {
    uint64_t glance = __atomic_load_n(&t->glance_ticks, __ATOMIC_RELAXED);
    if (__atomic_load_n(&t->life, __ATOMIC_ACQUIRE) != RRT_THREAD_LIVE || glance == t->looked_ticks)
      continue;
    t->looked_ticks = glance;
    look(t, now_ns);
  }
}

uint64_t rrt_threads_active(uint64_t since_ticks) {
  uint64_t active = 0;
  for (struct rrt_thread *t = rrt_threads_first(); t; t = t->next)
    active += __atomic_load_n(&t->life, __ATOMIC_ACQUIRE) == RRT_THREAD_LIVE &&
              __atomic_load_n(&t->glance_ticks, __ATOMIC_RELAXED) > since_ticks;
  return active;
}

void rrt_threads_totals(struct rrt_thread_totals *out) {
  out->count = __atomic_load_n(&process.next_number, __ATOMIC_RELAXED);
  out->failed = __atomic_load_n(&process.failed, __ATOMIC_RELAXED);
  out->spent_ticks = process.ended_spent_ticks;
  out->setup_ticks = process.ended_setup_ticks;
  out->unmeasured =
      process.ended_unmeasured + __atomic_load_n(&rrt_probe.unmeasured, __ATOMIC_RELAXED);
  out->full = process.ended_full;
  out->memory_bytes = 0;
  out->wall_ticks = process.ended_wall_ticks;
  out->stopped_ticks = process.ended_stopped_ticks;
  uint64_t now = rrt_timer_glance();
  for (struct rrt_thread *t = rrt_threads_first(); t; t = t->next) {
    out->memory_bytes += sizeof *t + (uint64_t)t->entered_count * sizeof *t->loops;
    if (__atomic_load_n(&t->life, __ATOMIC_ACQUIRE) == RRT_THREAD_FREE)
      continue;
    out->spent_ticks += t->spent_ticks + t->facts_spent_ticks;
    out->setup_ticks += t->setup_ticks;
    out->unmeasured += t->unmeasured;
    out->full += t->full;
    out->wall_ticks = rrt_add(out->wall_ticks, rrt_timer_between(t->start_ticks, now));
    out->stopped_ticks = rrt_add(out->stopped_ticks, rrt_stops_between(t->start_ticks, now, 0));
  }
}
