// checkpoint.c - the profile as it stands, into its file.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/session/session.h"

#include "runtime/feature/feature.h"
#include "runtime/probe/clock/timer.h"
#include "runtime/session/children.h"
#include "runtime/session/drain.h"
#include "runtime/session/epoch.h"
#include "runtime/session/machine.h"
#include "runtime/session/place_say.h"
#include "runtime/session/registry.h"
#include "runtime/session/sideline.h"
#include "runtime/session/threads.h"
#include "runtime/session/writer.h"
#include "runtime/support/arena.h"
#include "runtime/support/deadline.h"
#include "runtime/support/environment.h"
#include "runtime/support/fork.h"
#include "runtime/support/message.h"
#include "runtime/support/options.h"
#include "runtime/support/stops.h"
#include "runtime/support/strings.h"
#include "runtime/support/text.h"
#include "runtime/sys/counter.h"
#include "runtime/sys/sys.h"

#include <errno.h>

enum { MODULES_MAX = 512 };

static struct {
  struct rrt_checkpoint input, closed;
  struct reticle_file_module modules[MODULES_MAX];
  uint32_t modules_of; // 1 + generation of the registry that they are of; 0: none yet
  struct rrt_cpu cpu;
  uint32_t facts_of;     // the process that they were read in, or that had them from its parent
  uint64_t hz, hz_ticks; // the timer's rate, and what it was measured over
} state;
static struct {
  uint64_t checkpoints, failed_checkpoints;
} process RRT_PER_PROCESS;

static void read_floor(struct reticle_file_env *env) {
  char folder[RRT_PATH_BYTES];
  struct rrt_text text;
  const char *cache = rrt_environment_get(rrt_session.environment, "XDG_CACHE_HOME");
  const char *home = rrt_environment_get(rrt_session.environment, "HOME");
  rrt_text_init(&text, folder, sizeof folder);
  if (cache && *cache) {
    rrt_text_add(&text, cache);
  } else if (home && *home) {
    rrt_text_add(&text, home);
    rrt_text_add(&text, "/.cache");
  } else {
    return;
  }
  if (!text.cut && !rrt_session.privileged)
    rrt_machine_floor(&state.cpu, folder, env);
}

static uint32_t timer_flags(void) {
#if defined(RRT_SCRIPTED_CLOCK)
  return RETICLE_TIMER_INVARIANT | RETICLE_TIMER_SERIALIZING | RETICLE_TIMER_SCRIPTED;
#else
  return (state.cpu.is_invariant ? RETICLE_TIMER_INVARIANT : 0) |
         (state.cpu.is_serializing ? RETICLE_TIMER_SERIALIZING : 0) | rrt_session.burst_flags;
#endif
}

// What doesn't change during the run.
static void read_facts(struct reticle_file_env *env) {
  char text[65];
  rrt_zero(env, sizeof *env);
  rrt_cpu_read(&state.cpu);
  env->step_ticks = rrt_session.step_ticks;
  env->pair_ticks = rrt_session.pair_ticks256;
  env->probe_budget_permille = (uint32_t)rrt_options.probe_budget;
  env->executable = rrt_session.executable;
  env->arguments = rrt_session.arguments;
  rrt_sys_host(text, sizeof text);
  env->host = rrt_strings_add(text);
  env->cpu_model = rrt_strings_add(state.cpu.model);
  env->hypervisor = rrt_strings_add(state.cpu.hypervisor);
  env->clock_source = rrt_strings_add(state.cpu.clock_source);
  env->timer = rrt_strings_add(RRT_TIMER_NAME);
  env->runtime_version = rrt_strings_add(RETICLE_VERSION);
  env->cpu_count = rrt_sys_cpu_count();
  env->timer_flags = timer_flags();
  int can_read_core;
  env->pmu_errno = rrt_sys_pmu_errno(&can_read_core);
  env->timer_flags |= can_read_core ? RETICLE_TIMER_CORE : 0;
  read_floor(env);
}

void rrt_session_know_facts(void) {
  struct reticle_file_env *env = &state.input.env;
  if (state.facts_of == rrt_session.pid)
    return;
  if (!state.facts_of)
    read_facts(env);
  state.facts_of = rrt_session.pid;
  env->start_time_s = rrt_session.start_time_s;
  env->pid = rrt_session.pid;
  env->parent_pid = rrt_session.parent_pid;
  RRT_FEATURES_CALL(know, env);
}

#if defined(RRT_SCRIPTED_CLOCK)

static uint64_t timer_hz(uint64_t *now_ticks) { // one scripted tick is a nanosecond
  *now_ticks = rrt_timer_glance();
  return 1000000000;
}

#else

// Ticks a second, since the start of the first process: a child that lives for a millisecond knows
// them as well as its parent.
static uint64_t timer_hz(uint64_t *now_ticks) {
  struct rrt_moment now;
  rrt_moment_read(&now);
  *now_ticks = now.ticks;
  return rrt_rate_between(&rrt_session.first, &now);
}

#endif

// Measured anew each time that the run is an eighth longer: it takes a dozen readings of clocks.
uint64_t rrt_session_hz(void) {
  uint64_t passed = rrt_timer_between(rrt_session.first.ticks, rrt_timer_glance()), now;
  if (!state.hz || passed - state.hz_ticks > state.hz_ticks / 8) {
    state.hz = timer_hz(&now);
    state.hz_ticks = passed;
  }
  return state.hz;
}

static void read_progress(struct reticle_file_env *env, const struct rrt_thread_totals *totals) {
  uint64_t now;
  env->timer_hz = timer_hz(&now);
  env->elapsed_ticks = rrt_timer_between(rrt_session.start_ticks, now);
  env->cpu_ns = rrt_sys_cpu_ns();
  env->probe_ticks = totals->spent_ticks;
  env->setup_ticks = totals->setup_ticks;
  env->start_ns = rrt_session.start_cost_ns;
  env->sideline_ns = rrt_sideline_cpu_ns();
  env->thread_count = totals->count;
  env->thread_ticks = totals->wall_ticks;
  env->stopped_ticks = rrt_stops_between(rrt_session.start_ticks, now, 0);
  env->thread_stopped_ticks = totals->stopped_ticks;
  env->stops = rrt_stops_count();
  env->stop_watch = (uint32_t)rrt_sideline_sees_stops();
}

static void read_health(struct reticle_file_health *h, const struct rrt_thread_totals *totals,
                        uint32_t ended_by) {
  rrt_zero(h, sizeof *h);
  h->full_tables = totals->full + rrt_registry_full();
  h->unmeasured_executions = totals->unmeasured;
  h->failed_threads = totals->failed;
  h->checkpoints = ++process.checkpoints;
  h->failed_checkpoints = process.failed_checkpoints;
  h->checkpoint_time_s = rrt_sys_time_s();
  h->memory_bytes = rrt_features_bytes() + rrt_arena_bytes() + totals->memory_bytes +
                    rrt_strings_bytes() + sizeof state.modules;
  h->ended_by = ended_by;
  h->sideline = (uint32_t)rrt_sideline_runs();
  RRT_FEATURES_CALL(health, h);
}

// Samples of an epoch that is over into a file of their own. Only once that is whole do they go
// from memory; killed before this process's own file is written anew, the epoch stands in both, and
// the tools count it once.
static int close_epoch(void) {
  char path[RRT_PATH_BYTES];
  uint64_t samples;
  int is_written = 0;
  if (!rrt_epoch_is_over() || !rrt_features_epoch_count(&samples))
    return 0;
  if (samples) {
    struct reticle_file_env *env = &state.closed.env;
    rrt_copy(env, &state.input.env, sizeof *env);
    // Sums are the run's own file's: files are added up.
    env->elapsed_ticks = env->cpu_ns = env->probe_ticks = env->thread_count = env->thread_ticks = 0;
    env->stopped_ticks = env->thread_stopped_ticks = env->stops = 0;
    env->setup_ticks = env->start_ns = env->sideline_ns = 0;
    rrt_zero(&state.closed.health, sizeof state.closed.health);
    state.closed.health.checkpoints = 1;
    state.closed.health.checkpoint_time_s = state.input.health.checkpoint_time_s;
    state.closed.health.ended_by = RETICLE_ENDED_EPOCH;
    state.closed.health.sideline = 1;
    state.closed.epoch = state.input.epoch;
    state.closed.epoch.closed = 1;
    rrt_epoch_path(path);
    int r = rrt_writer_write(path, &state.closed);
    if (r == -EEXIST) // another process's
      rrt_epoch_skip();
    if (r < 0)
      return r == -EEXIST ? 0 : r; // it goes on; the next checkpoint tries again
    RRT_FEATURES_CALL(epoch_next);
    is_written = 1;
  }
  rrt_epoch_next(is_written);
  return 0;
}

static void read_epoch(void) {
  state.input.epoch.number = rrt_epoch_number();
  state.input.epoch.start_s = rrt_epoch_start_s();
}

int rrt_session_checkpoint(uint32_t ended_by, int force_live_scan) {
  struct rrt_thread_totals totals;
  // A file system that hangs holds the sideline, and the sideline the lock.
  uint64_t start = rrt_sys_monotonic_raw_ns();
  int r = rrt_drain_lock_within(rrt_deadline_left_ns(UINT64_MAX));
  rrt_deadline_spend(start);
  if (r < 0)
    return r;
  if (ended_by == RETICLE_ENDED_RUNNING && rrt_session.state != RRT_SESSION_ON) {
    rrt_drain_unlock(); // the last one has been written
    return 0;
  }
  rrt_drain_all();
  rrt_features_gather();
  // Nothing was measured in a child that only went on to exec or exit.
  if (!rrt_session.is_child || rrt_features_any()) {
    rrt_session_know_facts();
    rrt_threads_totals(&totals);
    read_progress(&state.input.env, &totals);
    RRT_FEATURES_CALL(read, &state.input);
    read_health(&state.input.health, &totals, ended_by);
    state.input.is_child = rrt_session.is_child;
    state.input.force_live_scan = force_live_scan || ended_by != RETICLE_ENDED_RUNNING;
    read_epoch();
    if (ended_by == RETICLE_ENDED_RUNNING)
      r = close_epoch();
    read_epoch();
    uint32_t generation = 1 + rrt_registry_generation();
    if (state.modules_of != generation || ended_by != RETICLE_ENDED_RUNNING) {
      state.modules_of = generation;
      state.input.modules = state.modules;
      state.input.module_count = rrt_machine_modules(state.modules, MODULES_MAX);
    }
    int written = rrt_writer_write(rrt_session.path, &state.input);
    r = written < 0 ? written : r;
    if (written >= 0)
      rrt_children_wrote(rrt_session.path, ended_by != RETICLE_ENDED_RUNNING);
    process.failed_checkpoints += r < 0;
  }
  rrt_drain_unlock();
  return r;
}
