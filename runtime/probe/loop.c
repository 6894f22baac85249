// loop.c - what a gate's and an exit's cold call do.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The protocol of cells and samples is in docs/decisions/0001. Reached through the assembly of
// entry_*.S, with every register saved; compiled without vector registers. No libc, no locks, no
// allocation here: what needs them is behind rrt_probe.enter and rrt_probe.drain.
//
// A frame is identified by an address in it. The stack grows down: a frame with a lower address
// than the running one has ended, so a sample that it opened can't be closed any more.
#include "runtime/probe/loop.h"

#include "runtime/probe/chain.h"
#include "runtime/probe/choice.h"
#include "runtime/probe/clock/clock.h"
#include "runtime/probe/clock/timer.h"
#include "runtime/probe/known.h"
#include "runtime/probe/rate.h"
#include "runtime/probe/record.h"
#include "runtime/probe/tag.h"
#include "runtime/probe/topdown.h"
#include "runtime/probe/work.h"

// A change of CPU costs some tens of microseconds of cold caches, and the counters of two CPUs may
// be some ticks apart: it spoils a short sample. Of one of 0.1 ms it is a part that counts, and the
// facts tell whose.
#define MIGRATED_MIN_TICKS (UINT64_C(1) << 18)

// Entries from deeper frames before their cost is looked at: a short recursion is always timed. A
// sample may cost this part of its time's budget by them.
enum { RECURSIONS = 256, RECURSION_SHARE = 4 };

// Half bursts that the entry point reads at a begin behind the glance, but for the one that is
// added to all: two bursts.
enum { ENTRY_HALVES = 3 };

// A loop that wasn't timed at its first entry, as too many came at once, is looked at again then.
enum { FIRST_PASS = 8 };

enum { ABANDONED_MOST = 16, INTERRUPTED_FACTOR = 16, DRAIN_MAX_TICKS = RRT_RING_RECORDS * 1024 };

struct rrt_probe_control rrt_probe;
#if defined(__aarch64__) && !defined(RRT_SCRIPTED_CLOCK)
int64_t rrt_timer_cpu_offset;
#endif
__thread struct rrt_thread *rrt_thread_self;

// Shared by all threads until they are known: gates count it down below 0 and so call us.
int32_t rrt_boot_cells[RRT_BOOT_CELLS];
__attribute__((tls_model("initial-exec"), visibility("default"))) __thread char *__reticle_cells =
    (char *)rrt_boot_cells;

static void count_loss(struct rrt_thread *t, uint16_t *counter) {
  if (*counter < UINT16_MAX)
    ++*counter;
  __atomic_store_n(&t->has_losses, 1, __ATOMIC_RELAXED);
}

// Sets how many executions pass before the next cold call. The sequence tells other threads.
static void arm(struct rrt_loop_state *s, uint32_t k) {
  s->armed = k;
  *(volatile int32_t *)s->cell = (int32_t)k;
}

static void close_sequence(struct rrt_loop_state *s) {
  __atomic_store_n(&s->sequence, s->sequence + 1, __ATOMIC_RELEASE);
}

static void open_sequence(struct rrt_loop_state *s) {
  s->sequence++;
  __atomic_thread_fence(__ATOMIC_RELEASE);
}

// Takes open sample i off, mostly the newest; what its probes cost is taken out of the one around
// it, and what its end costs out of those that were opened later and go on.
static void take_off(struct rrt_thread *t, uint32_t i, uint64_t own_cost_ticks) {
  uint64_t nested = t->open[i].nested_ticks + own_cost_ticks;
  if (i)
    t->open[i - 1].nested_ticks += nested;
  if (t->topdown)
    rrt_topdown_give(t->topdown, t->open[i].counted);
  for (t->open_count--; i < t->open_count; i++) {
    t->open[i] = t->open[i + 1];
    t->open[i].nested_ticks += own_cost_ticks / 2;
  }
}

// Time of the runtime's in the innermost open sample.
static void nest(struct rrt_thread *t, uint64_t ticks) {
  if (t->open_count)
    t->open[t->open_count - 1].nested_ticks += ticks;
}

// The sample that this frame opened for s, t->open_count if there is none. It is the newest, but
// for regions, which may end in another order than they began, and for loops left without an exit.
static uint32_t find_open(const struct rrt_thread *t, const struct rrt_loop_state *s,
                          const char *frame) {
  uint32_t i = t->open_count;
  while (s->open && i--)
    if (t->open[i].state == s && t->open[i].frame == frame)
      return i;
  return t->open_count;
}

// Its cell stays below 0, so the loop's next entry is a cold call.
static void abandon_sample(struct rrt_thread *t, struct rrt_loop_state *s) {
  s->open = 0;
  s->consecutive_abandoned += s->consecutive_abandoned < ABANDONED_MOST;
  count_loss(t, &s->abandoned);
}

static void abandon(struct rrt_thread *t, uint32_t i) {
  abandon_sample(t, t->open[i].state);
  take_off(t, i, t->pair_cost_ticks);
}

// Drops open samples of frames that have ended.
static void drop_ended(struct rrt_thread *t, const char *frame) {
  while (t->open_count && t->open[t->open_count - 1].frame < frame)
    abandon(t, t->open_count - 1);
}

void rrt_loops_abandon_all(struct rrt_thread *t) {
  while (t->open_count)
    abandon(t, t->open_count - 1);
}

// A signal handler may run while a cold call of its thread does; a cold call whose frame has ended
// was itself left by siglongjmp.
static int take_thread(struct rrt_thread *t, const char *frame) {
  if (t->busy && t->busy > frame)
    return 0;
  t->busy = frame;
  return 1;
}

// Number of the loop in this process, 0 if it has none. A registered unit's place in the cell
// tables tells it, and is likelier to be in the cache than the descriptor.
static uint32_t loop_number(const struct reticle_site *site) {
  uint64_t number = site->number & RETICLE_SITE_NUMBER;
  if (site->cells_offset_bytes)
    return (uint32_t)(site->cells_offset_bytes / sizeof(int32_t) + number) + 1;
  return site->loops[number].index;
}

// First entry in this thread. Its state may be in a page that the kernel has yet to give.
static struct rrt_loop_state *enter_loop(struct rrt_thread *t, uint32_t index, int32_t *cell) {
  // A cell in the boot table stands for one in the thread's table.
  if (cell >= rrt_boot_cells && cell < rrt_boot_cells + RRT_BOOT_CELLS)
    cell = &t->cells[index];
  struct rrt_loop_state *s = &t->loops[t->entered_count];
  s->cell = cell;
  s->index = index;
  rrt_known_enter(t, s);
  __atomic_store_n(&t->slots[index], (uint16_t)(t->entered_count + 1), __ATOMIC_RELEASE);
  __atomic_store_n(&t->entered_count, t->entered_count + 1, __ATOMIC_RELEASE);
  return s;
}

static struct rrt_loop_state *find_state(struct rrt_thread *t, uint32_t number, int32_t *cell) {
  if (!number || number - 1 >= t->capacity)
    return NULL;
  struct rrt_loop_state *s = rrt_loop_state(t, number - 1);
  return s ? s : enter_loop(t, number - 1, cell);
}

// No place to count for this loop: keeps the gate from calling again soon.
static void no_state(struct rrt_thread *t, uint32_t number, int32_t *cell) {
  if (!number) { // before registration: a constructor that runs earlier than ours
    *cell = 0;
    t->unmeasured++;
    return;
  }
  *cell = RRT_CELL_OFF;
  t->full += number != UINT32_MAX; // else the registry has counted it
}

static void refuse(struct rrt_thread *t, struct rrt_loop_state *s, uint32_t armed,
                   uint32_t number) {
  uint32_t period = rrt_known_period(number - 1);
  if (s->planned < period)
    s->planned = period;
  if (s->samples < 2 && armed < FIRST_PASS)
    armed = FIRST_PASS;
  arm(s, rrt_rate_refused(t, s, armed));
}

// Other threads have timed it: here it is timed as often as there.
static void postpone(struct rrt_thread *t, struct rrt_loop_state *s) {
  s->postponed = 0;
  arm(s, rrt_rate_below(t, s->planned));
}

static void rest(struct rrt_loop_state *s) {
  s->resting = 1;
  arm(s, (UINT32_C(1) << s->consecutive_abandoned) - 1);
}

// Where the entry point doesn't read the clock, what runs up to the second reading is a line of
// either (entry_*.S, rrt_loop_end): asked for now, or the sample would hold the time that they take
// to come. A fifth of the samples did, by 10 ns, beside compilers (Intel Xeon VM, 2026-11-21).
static void fetch_end(void) {
  __builtin_prefetch((const char *)(uintptr_t)__reticle_loop_end);
  __builtin_prefetch((const char *)(uintptr_t)rrt_loop_end);
}

static struct rrt_open *open_sample(struct rrt_thread *t, struct rrt_loop_state *s, uint32_t index,
                                    uint64_t work, const char *frame) {
  struct rrt_open *o = &t->open[t->open_count++];
  __builtin_prefetch(rrt_ring_next(t), 1);
  fetch_end();
  o->state = s;
  o->frame = frame;
  o->nested_ticks = 0;
  o->recursions = 0;
  o->counted = t->topdown ? rrt_topdown_take(t->topdown) : 0;
  o->work = work;
  o->tags = t->tags;
  o->index = index;
  s->open = 1;
  s->resting = 0;
  s->armed = 0;
  *(volatile int32_t *)s->cell = RRT_CELL_OPEN;
  return o;
}

// While a sample is open, its loop's gate and exits are cold calls in every deeper frame too: a
// recursive function became more than twice as slow under a sample of its outermost frame. So that
// counts as cost, and the sample is given up once it has cost more than the budget leaves it.
static int too_recursive(struct rrt_thread *t, struct rrt_loop_state *s) {
  uint64_t cost = 2 * rrt_probe.refusal_cost_ticks;
  uint32_t i = t->open_count;
  do
    if (!i--)
      return 0;
  while (t->open[i].state != s);
  nest(t, cost);
  rrt_rate_spend(t, cost);
  if (t->open[i].recursions == UINT32_MAX || ++t->open[i].recursions % RECURSIONS ||
      rrt_probe.period)
    return 0;
  t->glance_ticks = rrt_timer_glance();
  uint64_t passed = rrt_timer_between(t->open[i].begin_ticks, t->glance_ticks);
  if (t->open[i].recursions * cost * RECURSION_SHARE <= passed / 1000 * rrt_probe.budget_permille)
    return 0;
  abandon(t, i);
  return 1;
}

// Every eighth sample measures its own cost: caches make it more than at start.
static int is_measured(const struct rrt_thread *t) { return (t->ring_head & 7) == 0; }

// Running mean over the two halves of a sample, begin and end. A half during which the thread was
// interrupted says nothing about probes.
static void measured_half(struct rrt_thread *t, uint64_t cost_ticks) {
  cost_ticks += rrt_probe.burst_half_ticks;
  if (cost_ticks > rrt_probe.pair_cost_ticks * INTERRUPTED_FACTOR)
    return;
  int64_t change = ((int64_t)cost_ticks - (int64_t)(t->pair_cost_ticks / 2)) / 8;
  t->pair_cost_ticks = (uint64_t)((int64_t)t->pair_cost_ticks + change);
}

// No thread record: measuring is off, has not started, or there is no memory.
static void without_thread(int32_t *cell) {
  int shared = cell >= rrt_boot_cells && cell < rrt_boot_cells + RRT_BOOT_CELLS;
  int off = rrt_probe.enter && (!rrt_probe.on || !shared);
  *cell = off ? RRT_CELL_OFF : 0;
  if (!rrt_probe.enter || rrt_probe.on)
    __atomic_fetch_add(&rrt_probe.unmeasured, 1, __ATOMIC_RELAXED);
}

struct rrt_open *rrt_loop_begin(const struct reticle_site *site, const char *frame) {
  struct rrt_thread *t = rrt_thread_self;
  int32_t *cell = site->cell;
  int is_new = !t;
  if (!rrt_probe.on || (!t && !(t = rrt_probe.enter ? rrt_probe.enter() : NULL))) {
    without_thread(cell);
    return NULL;
  }
  if (!take_thread(t, frame)) {
    *cell = 0;
    t->unmeasured++;
    return NULL;
  }
  uint64_t begin = rrt_timer_glance(), glance = is_measured(t) ? begin : 0;
  uint32_t number = loop_number(site), entered = t->entered_count;
  struct rrt_loop_state *s = find_state(t, number, cell);
  if (!s) {
    no_state(t, number, cell);
    t->busy = NULL;
    return NULL;
  }
  if (t->entered_count != entered) {
    uint64_t ticks = rrt_rate_set_up(t, begin);
    nest(t, ticks);
    begin += ticks;
  }
  if (is_new) { // its cell was set behind this entry
    s->armed = 0;
    s->postponed = s->planned > 0;
  } else if (t->known != __atomic_load_n(&rrt_probe.known, __ATOMIC_RELAXED)) {
    rrt_probe.renew(t);
  }
  drop_ended(t, frame);
  // The same frame enters the loop again: the sample was left by a jump within the function.
  uint32_t left = find_open(t, s, frame);
  if (left < t->open_count)
    abandon(t, left);

  uint32_t armed = s->armed;
  struct rrt_open *o = NULL;
  open_sequence(s);
  s->base += (uint64_t)armed + 1;
  s->armed = 0;
  if (s->open && !too_recursive(t, s)) // an outer frame times it already
    *(volatile int32_t *)s->cell = RRT_CELL_OPEN;
  else if (rrt_shall_rest(s))
    rest(s);
  else if (rrt_is_left_alone(t, s, site, number))
    arm(s, RRT_CELL_OFF);
  else if (s->postponed)
    postpone(t, s);
  else if (rrt_may_sample(t, s, site))
    o = open_sample(t, s, number - 1, site->work, frame);
  else
    refuse(t, s, armed, number);
  close_sequence(s);
  if (!o && !s->open) // what an open one costs is booked there
    nest(t, rrt_rate_spend_call(t, begin));
  t->busy = NULL;
  if (!o)
    return NULL;
  uint64_t facts_cost =
      rrt_facts_begin(t, o, rrt_samples_for_facts(t, s, site), s->sampled_duration);
  if (facts_cost) // what system calls leave behind is charged with them
    glance = 0;
  if (o->counted)
    rrt_topdown_begin(t->topdown, o->counted, s->samples, s->sampled_duration);
  int in_entry = rrt_clock_in_entry();
  if (!in_entry)
    o->begin_ticks = rrt_clock_begin(&o->cpu);
  if (glance)
    measured_half(t, in_entry
                         ? rrt_timer_glance() - glance + ENTRY_HALVES * rrt_probe.burst_half_ticks
                         : o->begin_ticks - glance);
  return in_entry ? o : NULL;
}

static void push(struct rrt_thread *t, const struct rrt_open *o, uint64_t end, uint64_t covered,
                 uint32_t flags, const struct rrt_record *facts) {
  struct rrt_loop_state *s = o->state;
  if (!rrt_record_push(t, o, end, covered, flags, facts)) {
    count_loss(t, &s->lost);
    return;
  }
  s->consecutive_abandoned = 0;
  if (facts && facts->flags & RRT_FACTS_ALONE)
    return;
  s->sampled_base = s->base;
  if (s->samples < UINT32_MAX)
    s->samples++;
}

// Closes open sample i and sets its loop's next countdown.
static void close_sample(struct rrt_thread *t, uint32_t i, uint64_t end, uint32_t cpu) {
  struct rrt_open *o = &t->open[i];
  struct rrt_loop_state *s = o->state;
  struct rrt_record facts;
  uint64_t executions = s->base - s->sampled_base, facts_cost;
  int has_facts = rrt_facts_end(t, o, &facts, &facts_cost);
  uint32_t flags = (cpu != o->cpu ? RETICLE_SAMPLE_MIGRATED : 0) | rrt_tags_take(t, o);
  int is_backwards = end < o->begin_ticks;
  int is_spoiled = is_backwards || (cpu != o->cpu && end - o->begin_ticks < MIGRATED_MIN_TICKS);
  if (is_spoiled)
    count_loss(t, &s->migrated);
  if (has_facts)
    facts.flags = is_spoiled ? RRT_FACTS_ALONE : 0;
  if (!is_spoiled || (has_facts && !is_backwards))
    push(t, o, end, executions, flags, has_facts ? &facts : NULL);
  s->sampled_duration = rrt_saturated(rrt_timer_between(o->begin_ticks, end));
  uint32_t begin_cost = o->facts.cost_ticks ? o->facts.cost_ticks - 1u : 0;
  take_off(t, i, t->pair_cost_ticks + facts_cost + begin_cost);
  uint32_t next = rrt_rate_next(t, s, end, executions);
  s->sampled_ticks = end;
  open_sequence(s);
  s->open = 0;
  s->planned = next;
  arm(s, next);
  close_sequence(s);
}

static void drain_if_full(struct rrt_thread *t) {
  uint32_t used = t->ring_head - __atomic_load_n(&t->ring_tail, __ATOMIC_ACQUIRE);
  if (used < RRT_RING_RECORDS / 4 * 3 && !(t->topdown && rrt_topdown_is_full(t->topdown)))
    return;
  uint64_t before = rrt_timer_glance();
  rrt_probe.drain(t);
  uint64_t cost = rrt_timer_between(before, rrt_timer_glance());
  for (uint32_t i = 0; i < t->open_count; i++)
    t->open[i].nested_ticks += cost;
  if (cost < DRAIN_MAX_TICKS) // not when interrupted
    rrt_rate_spend(t, cost);
}

static void push_chain(struct rrt_thread *t, const struct rrt_chain_timing *timing) {
  uint64_t begin = timing->begin_ticks;
  struct rrt_record record = timing->record;
  record.duration_ticks = rrt_masked(begin + record.duration_ticks) - rrt_masked(begin);
  rrt_record_put(t, &record, NULL);
}

// Right behind a sample of the program's, in its thread: on its CPU, at its clock.
static void time_chain(struct rrt_thread *t, const char *frame) {
  struct rrt_chain_timing timings[RRT_CHAIN_RECORDS];
  uint64_t cost = rrt_chain_time(t, timings);
  if (!take_thread(t, frame))
    return;
  nest(t, cost);
  t->spent_ticks += rrt_chain_charge(cost); // all there is: it leaves nothing behind
  for (int i = 0; i < RRT_CHAIN_RECORDS; i++)
    push_chain(t, &timings[i]);
  t->busy = NULL;
}

// Outside of all visits, but for those that are longer than many turns.
static void turn(struct rrt_thread *t, uint64_t now) {
  if (!rrt_topdown_is_due(t->topdown, now))
    return;
  rrt_probe.turn(t);
  uint64_t after = rrt_timer_glance(), cost = rrt_timer_between(now, after);
  t->topdown->due_ticks = after + rrt_probe.topdown_turn_ticks;
  for (uint32_t i = 0; i < t->open_count; i++)
    t->open[i].nested_ticks += cost;
  if (cost < DRAIN_MAX_TICKS) // not when interrupted
    rrt_rate_spend(t, cost);
}

__attribute__((aligned(64))) void rrt_loop_end(const struct reticle_site *site, const char *frame,
                                               uint64_t end, uint32_t cpu,
                                               const uint64_t readings[RETICLE_BURST_READS]) {
  uint32_t unused;
  end = rrt_clock_in_entry() ? rrt_clock_of(end, readings) : rrt_clock_end(&cpu);
  struct rrt_thread *t = rrt_thread_self;
  if (!t || !take_thread(t, frame))
    return;
  struct rrt_loop_state *s = find_state(t, loop_number(site), site->cell);
  if (!s) {
    t->busy = NULL;
    return;
  }
  drop_ended(t, frame);
  uint32_t own = find_open(t, s, frame);
  t->glance_ticks = end;
  // Only the loop's own sample of this very frame is closed; one whose exit had no probe is given
  // up at its own next entry.
  if (own < t->open_count) {
    if (t->open[own].counted)
      rrt_topdown_end(t->topdown, t->open[own].counted, t->open[own].index);
    int measured = is_measured(t);
    struct rrt_open *o = &t->open[own];
    if (rrt_clock_in_entry())
      o->begin_ticks = rrt_clock_of(o->begin_ticks, o->readings);
    o->work = rrt_work(site, o->work);
    int has_facts = o->facts.cost_ticks;
    close_sample(t, own, end, cpu);
    if (measured && !has_facts)
      measured_half(t, rrt_timer_end(&unused) - end);
    rrt_rate_spend_sample(t, s);
    drain_if_full(t);
    if (t->topdown)
      turn(t, rrt_timer_glance());
    t->busy = NULL;
    if (rrt_chain_is_due(t, end))
      time_chain(t, frame);
    return;
  }
  if (!s->open)
    *(volatile int32_t *)s->cell = 0; // the sample was dropped; the next entry decides anew
  t->busy = NULL;
}
