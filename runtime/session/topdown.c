// topdown.c - groups of counters for each thread: what is asked for, opening, turns.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/session/topdown.h"

#include "runtime/probe/timer.h"
#include "runtime/session/message.h"
#include "runtime/session/options.h"
#include "runtime/session/pmu_fake.h"
#include "runtime/session/strings.h"
#include "runtime/sys/counter.h"
#include "runtime/sys/sys.h"

/// A thread's groups, in memory that a fork wipes.
struct thread_groups {
  struct rrt_topdown core;         ///< first: struct rrt_thread points to it
  int leaders[RRT_TOPDOWN_GROUPS]; ///< 1 + descriptor where groups take turns, else 0
  struct rrt_pmu_fake fakes[RRT_TOPDOWN_GROUPS];
};

struct rrt_topdown_asked rrt_topdown_asked;
static struct rrt_pmu_fake_script script;
static const char fake_prefix[] = "fake:";

int rrt_topdown_is_on(void) { return rrt_topdown_asked.group_count != 0; }

// --- options ------------------------------------------------------------------------------------

static void turn(struct rrt_thread *t);

static void wrong_groups(const char *why) {
  rrt_topdown_asked.group_count = 0;
  if (rrt_options.verbosity)
    rrt_say("warning: option topdown: nothing is counted; it is for `reticle topdown` to set: ",
            why);
}

// "3c+19c" into the group; the number of characters, 0 if it is none.
static size_t read_codes(const char *text, struct rrt_topdown_group *group) {
  size_t length = 0, n;
  for (;;) {
    if (group->code_count == RRT_PMU_COUNTERS_MOST)
      return 0;
    n = rrt_parse_hex(text + length, &group->codes[group->code_count]);
    if (!n)
      return 0;
    group->code_count++;
    length += n;
    if (text[length] != '+')
      return length;
    length++;
  }
}

static uint32_t keep_text(const char *text, size_t length) {
  char copy[RRT_OPTION_TEXT_BYTES];
  rrt_copy(copy, text, length);
  copy[length] = 0;
  return rrt_strings_add(copy);
}

// TREE,CODES,CODES...
static void read_groups(const char *text) {
  struct rrt_topdown_asked *asked = &rrt_topdown_asked;
  size_t tree = 0;
  while (text[tree] && text[tree] != ',')
    tree++;
  asked->tree = keep_text(text, tree);
  for (text += tree; *text == ',';) {
    if (asked->group_count == RRT_TOPDOWN_GROUPS) {
      wrong_groups("more than 12 groups");
      return;
    }
    struct rrt_topdown_group *group = &asked->groups[asked->group_count++];
    size_t length = read_codes(++text, group);
    if (!length || (text[length] && text[length] != ',')) {
      wrong_groups("a group is 1 to 12 codes in hexadecimal, with + between");
      return;
    }
    group->events = keep_text(text, length);
    text += length;
  }
  if (!asked->group_count)
    wrong_groups("TREE,CODE+CODE...,CODE+CODE...");
}

static void wrong_script(const char *path, uint32_t line, const char *why) {
  struct rrt_message m;
  rrt_topdown_asked.group_count = 0;
  rrt_message_start(&m, "warning: option pmu: ");
  rrt_text_add(&m.text, path);
  if (line) {
    rrt_text_add(&m.text, ": line ");
    rrt_text_add_number(&m.text, line);
  }
  rrt_text_add(&m.text, ": ");
  rrt_text_add(&m.text, why);
  rrt_text_add(&m.text, "; nothing is counted");
  rrt_message_send(&m);
}

static void read_script(const char *path) {
  static char text[RRT_PMU_FAKE_TEXT_BYTES];
  const char *wrong;
  long n = rrt_sys_read_file(path, text, sizeof text);
  rrt_topdown_asked.is_fake = 1;
  if (n <= 0)
    wrong_script(path, 0, n < 0 ? "can't be read" : "is empty");
  else if (n + 1 >= (long)sizeof text)
    wrong_script(path, 0, "is longer than 16382 bytes");
  else {
    uint32_t line = rrt_pmu_fake_parse(text, &script, &wrong);
    if (line)
      wrong_script(path, line, wrong);
  }
}

static int starts_with(const char *text, const char *prefix) {
  while (*prefix && *text == *prefix) {
    text++;
    prefix++;
  }
  return !*prefix;
}

void rrt_topdown_start(void) {
  const char *pmu = rrt_options.pmu;
  if (rrt_options.topdown[0])
    read_groups(rrt_options.topdown);
  rrt_probe.turn = turn;
  if (!pmu[0])
    return;
  if (!starts_with(pmu, fake_prefix) || !pmu[sizeof fake_prefix - 1]) {
    if (rrt_options.verbosity)
      rrt_say("warning: option pmu: only fake:FILE is known; ignored: ", pmu);
  } else if (!rrt_options.topdown[0]) {
    if (rrt_options.verbosity)
      rrt_say("warning: option pmu: nothing asks for counters; use it with `reticle topdown`",
              NULL);
  } else {
    read_script(pmu + sizeof fake_prefix - 1);
  }
}

// --- opening ------------------------------------------------------------------------------------

// The descriptor that is left open, + 1; 0: none is needed. Negative: -errno.
static int open_hardware(const struct rrt_topdown_group *asked, int takes_turns,
                         struct rrt_pmu_group *group) {
  int leader = -1, error = 0;
  for (uint32_t i = 0; i < asked->code_count && !error; i++) {
    uint32_t map_error = 0;
    int fd = rrt_sys_open_event(asked->codes[i], leader, takes_turns);
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
  group->source = &rrt_pmu_hardware;
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
    result = -rrt_pmu_fake_open(&script, asked->codes, asked->code_count, &x->fakes[g], group);
  else
    result = open_hardware(asked, rrt_topdown_asked.group_count > 1, group);
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
  if (x->leaders[g])
    rrt_sys_switch_events(x->leaders[g] - 1, 1);
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
    x = rrt_sys_map(sizeof *x);
    if (!x || rrt_sys_wipe_on_fork(x, sizeof *x) < 0) {
      if (x)
        rrt_sys_unmap(x, sizeof *x);
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
  x->core.taken = 0;
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

void rrt_topdown_forked(struct rrt_thread *self) {
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
    rrt_pmu_fake_set_empty(&x->fakes[g], is_empty);
}

void rrt_topdown_calibrate(struct rrt_thread *t, void (*visit)(void)) {
  struct thread_groups *x = (struct thread_groups *)t->topdown;
  if (!x || !x->core.group_count)
    return;
  set_empty(x, 1);
  rrt_topdown_drain(t);
  rrt_topdown_restart(0); // what came before was warming up
  for (uint32_t g = 0; g < x->core.group_count; g++) {
    if (!x->core.groups[g].count)
      continue;
    switch_to(x, g);
    visit();
    rrt_topdown_drain(t);
  }
  set_empty(x, 0);
  turn(t);
}
