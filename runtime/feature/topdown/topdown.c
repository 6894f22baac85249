// topdown.c - groups of counters for each thread: opening, turns, what reading them costs.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/feature/topdown/topdown.h"

#include "runtime/feature/feature.h"
#include "runtime/feature/topdown/pmu_player.h"
#include "runtime/probe/clock/timer.h"
#include "runtime/session/threads.h"
#include "runtime/support/chunk.h"
#include "runtime/support/options.h"
#include "runtime/sys/counter.h"
#include "runtime/sys/sys.h"

/// A thread's groups, in memory that a fork wipes. Behind it lies what rrt_pmu_player needs.
struct thread_groups {
  struct rrt_topdown core;         ///< first: struct rrt_thread points to it
  int leaders[RRT_TOPDOWN_GROUPS]; ///< 1 + descriptor where groups take turns, else 0
};

static void turn(struct rrt_thread *t);

// Long enough that two system calls are little beside it, and a run of a tenth of a second has
// many.
enum { TURN_US = 2000 };

static void start(uint64_t ticks_per_us) {
  rrt_probe.topdown_turn_ticks = TURN_US * ticks_per_us;
  if (!rrt_options.loop)
    return;
  rrt_topdown_read_options();
  rrt_topdown_name_parts();
  rrt_probe.turn = turn;
}

// --- memory -------------------------------------------------------------------------------------

static size_t groups_bytes(void) {
  size_t played = rrt_topdown_asked.is_fake ? RRT_TOPDOWN_GROUPS * rrt_pmu_player.group_bytes : 0;
  return sizeof(struct thread_groups) + played;
}

static void *played(struct thread_groups *x, uint32_t g) {
  return (char *)(x + 1) + (size_t)g * rrt_pmu_player.group_bytes;
}

static struct thread_groups *map_groups(void) {
  struct thread_groups *x = rrt_sys_map(groups_bytes());
  if (!x || rrt_sys_wipe_on_fork(x, groups_bytes()) >= 0)
    return x;
  rrt_sys_unmap(x, groups_bytes());
  return NULL;
}

// --- opening ------------------------------------------------------------------------------------

// The descriptor that is left open, + 1; 0: none is needed. Negative: -errno.
static int open_hardware(const struct rrt_topdown_group *asked, int takes_turns,
                         struct rrt_pmu_group *group) {
  int leader = -1, error = 0;
  for (uint32_t i = 0; i < asked->counters && !error; i++) {
    uint32_t map_error = 0;
    uint64_t code = asked->codes[i < 2 || !asked->fields ? i : i + asked->fields - 1];
    int fd = rrt_sys_open_event(code, leader, takes_turns);
    if (fd >= 0) {
      group->pages[i] = rrt_sys_map_event(fd, &map_error);
      group->count += !map_error;
    }
    error = fd < 0 ? fd : -(int)map_error;
    // The mapping keeps a counter going; the leader alone is needed to switch the group.
    if (fd >= 0 && leader < 0)
      leader = fd;
    else if (fd >= 0)
      rrt_sys_close(fd);
  }
  group->fields = asked->fields;
  if (!error && takes_turns)
    return rrt_sys_raise_descriptor(leader) + 1;
  if (leader >= 0)
    rrt_sys_close(leader);
  for (uint32_t i = 0; i < group->count && error; i++)
    rrt_sys_unmap_event((const void *)(uintptr_t)group->pages[i]);
  group->count = error ? 0 : group->count;
  return error;
}

// Leaves a group without counters where it can't be had, so that numbers stay those asked for.
static int open_group(struct thread_groups *x, uint32_t g) {
  struct rrt_topdown_group *asked = &rrt_topdown_asked.groups[g];
  struct rrt_pmu_group *group = &x->core.groups[g];
  int result;
  rrt_zero(group, sizeof *group);
  if (rrt_topdown_asked.is_fake)
    result = -rrt_pmu_player.open(asked, played(x, g), group);
  else
    result = open_hardware(asked, rrt_topdown_asked.group_count > 1 || asked->fields, group);
  if (result >= 0) {
    x->leaders[g] = result;
    return 0;
  }
  __atomic_fetch_add(&asked->threads_missed, 1, __ATOMIC_RELAXED);
  uint32_t none = 0;
  __atomic_compare_exchange_n(&asked->error, &none, (uint32_t)-result, 0, __ATOMIC_RELAXED,
                              __ATOMIC_RELAXED);
  return result;
}

static void switch_to(struct thread_groups *x, uint32_t g) {
  if (x->leaders[x->core.group])
    rrt_sys_switch_events(x->leaders[x->core.group] - 1, 0);
  x->core.group = g;
  x->core.turn++;
  x->core.coarse = 0;
  if (x->leaders[g])
    rrt_sys_switch_events(x->leaders[g] - 1, 1);
  if (!x->core.groups[g].fields)
    return;
  // A field's step is a part of all slots since the registers began.
  if (x->leaders[g])
    rrt_sys_reset_event(x->leaders[g] - 1);
  else if (rrt_topdown_asked.is_fake)
    rrt_pmu_player.reset(played(x, g));
}

// A group that this thread doesn't have is passed over.
static void turn(struct rrt_thread *t) {
  struct thread_groups *x = (struct thread_groups *)t->topdown;
  uint32_t g = rrt_topdown_choose(&x->core);
  for (uint32_t tries = 0; tries < x->core.group_count && !x->core.groups[g].count; tries++)
    g = (g + 1) % x->core.group_count;
  switch_to(x, g);
}

void rrt_topdown_enter(struct rrt_thread *t) {
  struct thread_groups *x = (struct thread_groups *)t->topdown;
  uint32_t opened = 0, first = 0;
  if (!rrt_topdown_is_on())
    return;
  if (!x) {
    x = map_groups();
    if (!x) {
      for (uint32_t g = 0; g < rrt_topdown_asked.group_count; g++)
        __atomic_fetch_add(&rrt_topdown_asked.groups[g].threads_missed, 1, __ATOMIC_RELAXED);
      return;
    }
    t->topdown = &x->core;
  }
  for (uint32_t g = rrt_topdown_asked.group_count; g--;)
    if (open_group(x, g) == 0) {
      opened++;
      first = g;
    }
  x->core.random = (t->number + 1) * UINT64_C(0x9e3779b97f4a7c15);
  x->core.due_ticks = rrt_timer_glance() + rrt_probe.topdown_turn_ticks;
  x->core.registers = rrt_topdown_asked.registers;
  x->core.taken = x->core.forced = 0;
  x->core.group = first;
  if (!opened)
    return;
  switch_to(x, first);
  x->core.group_count = rrt_topdown_asked.group_count;
}

void rrt_topdown_leave(struct rrt_thread *t) {
  struct thread_groups *x = (struct thread_groups *)t->topdown;
  if (!x)
    return;
  x->core.group_count = 0; // first: what handlers still visit reads nothing
  for (uint32_t g = 0; g < RRT_TOPDOWN_GROUPS && !rrt_topdown_asked.is_fake; g++) {
    struct rrt_pmu_group *group = &x->core.groups[g];
    for (uint32_t i = 0; i < group->count; i++)
      rrt_sys_unmap_event((const void *)(uintptr_t)group->pages[i]);
    group->count = 0;
    if (x->leaders[g])
      rrt_sys_close(x->leaders[g] - 1);
    x->leaders[g] = 0;
  }
}

void rrt_topdown_forked(void) {
  struct rrt_thread *self = rrt_thread_self;
  // Descriptors of the parent's counters came along; which ones, the wiped memory doesn't tell.
  // They are closed at exec.
  for (uint32_t g = 0; g < rrt_topdown_asked.group_count; g++) {
    rrt_topdown_asked.groups[g].threads_missed = rrt_topdown_asked.groups[g].lost = 0;
    rrt_topdown_asked.groups[g].error = 0;
  }
  rrt_topdown_restart(1);
  if (self)
    rrt_topdown_enter(self);
}

// --- calibration --------------------------------------------------------------------------------

static void set_empty(struct thread_groups *x, int is_empty) {
  for (uint32_t g = 0; g < rrt_topdown_asked.group_count && rrt_topdown_asked.is_fake; g++)
    rrt_pmu_player.set_empty(played(x, g), is_empty);
}

#if !defined(RRT_SCRIPTED_CLOCK)

// A visit's readings shall not take longer: docs/method/topdown.md has what they take.
enum { COST_NS = 100, COST_VISITS = 64, COST_ROUNDS = 16 };

// What the readings of a visit take that reads so many registers, its record included.
static uint64_t cost_ns(struct rrt_topdown *core, uint32_t registers) {
  uint64_t least = UINT64_MAX;
  core->registers = registers;
  core->forced = 1 + (rrt_pmu_parts(core->groups[core->group].count, registers) > 1);
  for (int round = 0; round < COST_ROUNDS; round++) {
    uint64_t start = rrt_sys_monotonic_raw_ns();
    for (int visit = 0; visit < COST_VISITS; visit++) {
      uint32_t place = rrt_topdown_take(core);
      rrt_topdown_begin(core, place, 1, 1);
      rrt_topdown_end(core, place, 0);
      rrt_topdown_give(core, place);
    }
    uint64_t ns = (rrt_sys_monotonic_raw_ns() - start) / COST_VISITS;
    least = ns < least ? ns : least;
    core->ring_head = core->ring_tail;
  }
  core->forced = 0;
  return least;
}

// As many registers as can be read in the time, at least a clock and another one.
static void choose_registers(struct thread_groups *x) {
  uint32_t largest = 0;
  for (uint32_t g = 0; g < x->core.group_count; g++)
    if (x->core.groups[g].count > x->core.groups[largest].count)
      largest = g;
  uint32_t most = x->core.groups[largest].count, registers = RRT_PMU_COUNTERS_MOST;
  if (most > 2) {
    switch_to(x, largest);
    uint64_t all = cost_ns(&x->core, most), two = cost_ns(&x->core, 2);
    if (all > COST_NS)
      registers = 2 + (two < COST_NS ? (uint32_t)((COST_NS - two) * (most - 2) / (all - two)) : 0);
  }
  x->core.registers = rrt_topdown_asked.registers = registers;
}

#else
static void choose_registers(struct thread_groups *x) { (void)x; } // nothing takes time
#endif

void rrt_topdown_calibrate(struct rrt_thread *t, void (*visit)(void)) {
  struct thread_groups *x = (struct thread_groups *)t->topdown;
  if (!x || !x->core.group_count)
    return;
  rrt_topdown_drain(t);
  if (!rrt_topdown_asked.is_fake)
    choose_registers(x);
  set_empty(x, 1);
  rrt_topdown_restart(0); // what came before was warming up
  for (uint32_t g = 0; g < x->core.group_count; g++) {
    uint32_t parts = rrt_topdown_parts(&rrt_topdown_asked.groups[g]);
    for (uint32_t p = 0; p <= parts && x->core.groups[g].count; p++) {
      if (p && parts == 1)
        break;
      switch_to(x, g);
      x->core.forced = 1 + p;
      visit();
      rrt_topdown_drain(t);
    }
  }
  x->core.forced = 0;
  set_empty(x, 0);
  turn(t);
}

// --- the session ---------------------------------------------------------------------------------

static void unload(void) {
  for (struct rrt_thread *t = rrt_threads_first(); t; t = t->next)
    rrt_topdown_leave(t);
}

static void write_record(const struct reticle_file_topdown *record) {
  rrt_chunk_add_copy(record, sizeof *record);
}

static void write(struct rrt_checkpoint *c) {
  (void)c;
  if (!rrt_topdown_is_on())
    return;
  rrt_chunk_begin("topdown", sizeof(struct reticle_file_topdown));
  rrt_topdown_visit(write_record);
  rrt_chunk_end();
}

const struct rrt_feature rrt_feature_topdown = {.start = start,
                                                .forked = rrt_topdown_forked,
                                                .unload = unload,
                                                .enter = rrt_topdown_enter,
                                                .leave = rrt_topdown_leave,
                                                .drain = rrt_topdown_drain,
                                                .bytes = rrt_topdown_bytes,
                                                .write = write};
