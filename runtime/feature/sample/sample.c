// sample.c - the feature `sample`: chooses an engine, adds up what it takes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/feature/sample/sample.h"

#include "runtime/feature/sample/pointers.h"
#include "runtime/feature/sample/sample_parts.h"
#include "runtime/feature/sample/skid.h"
#include "runtime/probe/sample.h"
#include "runtime/session/drain.h"
#include "runtime/support/fork.h"
#include "runtime/support/options.h"
#include "runtime/support/text.h"
#include "runtime/sys/sys.h"

#include <errno.h>

struct reticle_file_sampling rrt_sampling RRT_PER_PROCESS;
static struct {
  uint64_t user_start_ns;
  int is_open; // tables, whether or not there is an engine
  int with_stacks;
} process RRT_PER_PROCESS;

void rrt_sample_add(uint64_t address, uint64_t time_ns, uint64_t period_ns) {
  uint64_t offset;
  __atomic_store_n(&rrt_sampling.samples, rrt_sampling.samples + 1, __ATOMIC_RELAXED);
  rrt_sampling.time_ns += period_ns;
  uint32_t file = rrt_sample_map_find(address, time_ns, &offset);
  if (file == RRT_SAMPLE_UNMAPPED)
    rrt_sampling.unmapped++;
  else if (rrt_sample_table_add(file, offset, period_ns) < 0)
    rrt_sampling.no_room++;
}

void rrt_sample_add_kernel(uint64_t period_ns) {
  __atomic_store_n(&rrt_sampling.samples, rrt_sampling.samples + 1, __ATOMIC_RELAXED);
  rrt_sampling.kernel++;
  rrt_sampling.kernel_ns += period_ns;
}

static int read_tid(const char *name, uint32_t *tid) {
  uint64_t value;
  size_t n = rrt_parse_number(name, &value);
  *tid = (uint32_t)value;
  return n && !name[n];
}

struct listing {
  uint32_t *out;
  uint32_t count, self;
};

static void visit_thread(const char *name, void *context) {
  struct listing *l = context;
  uint32_t tid;
  if (!read_tid(name, &tid) || tid == l->self)
    return;
  if (l->count < RRT_SAMPLE_THREADS)
    l->out[l->count] = tid;
  l->count++;
}

uint32_t rrt_sample_threads(uint32_t *out) {
  struct listing l = {out, 0, rrt_sys_tid()};
  rrt_sys_visit_folder("/proc/self/task", UINT32_MAX, visit_thread, &l);
  return l.count;
}

static void open_engine(void) {
  static uint32_t threads[RRT_SAMPLE_THREADS];
  uint64_t period_ns = 1000000000u / rrt_options.sample_hz;
  uint32_t there = rrt_sample_threads(threads);
  uint32_t count = there < RRT_SAMPLE_THREADS ? there : RRT_SAMPLE_THREADS;
  rrt_sampling.period_ns = period_ns;
  rrt_sampling.threads_missed = there - count;
  int error =
      rrt_options.sample_perf ? rrt_sample_perf_start(threads, count, period_ns) : -ECANCELED;
  if (error == 0) {
    rrt_sampling.engine = RETICLE_SAMPLING_PERF;
    return;
  }
  rrt_sampling.perf_errno = (uint32_t)-error;
  rrt_sampling.engine = rrt_sample_timer_start(threads, count, period_ns) == 0
                            ? RETICLE_SAMPLING_TIMER
                            : RETICLE_SAMPLING_NONE;
}

void rrt_sample_start(void) {
  rrt_drain_lock();
  rrt_zero(&rrt_sampling, sizeof rrt_sampling);
  rrt_sampling.engine = RETICLE_SAMPLING_NONE;
  process.is_open = rrt_sample_map_open() == 0 && rrt_sample_table_open() == 0;
  process.with_stacks = rrt_options.stacks && rrt_sample_stacks_open() == 0;
  if (process.is_open) {
    process.user_start_ns = rrt_sys_user_ns();
    open_engine();
    rrt_sample_map_read(0);
  }
  rrt_drain_unlock();
}

void rrt_sample_calibrate(void) {
  uint64_t samples, behind;
  if (!process.is_open || rrt_sampling.engine != RETICLE_SAMPLING_PERF)
    return;
  rrt_skid_measure(&samples, &behind);
  rrt_drain_lock();
  rrt_sampling.skid_samples = samples;
  rrt_sampling.skid_behind = behind;
  rrt_drain_unlock();
}

uint32_t rrt_sample_drain(void) {
  if (!process.is_open || rrt_sampling.engine == RETICLE_SAMPLING_NONE)
    return 0;
  rrt_sampling.cpu_ns = rrt_sys_user_ns() - process.user_start_ns;
  return rrt_sampling.engine == RETICLE_SAMPLING_PERF ? rrt_sample_perf_drain()
                                                      : rrt_sample_timer_drain();
}

void rrt_sample_restart(void) {
  struct reticle_file_sampling old = rrt_sampling;
  if (!process.is_open)
    return;
  rrt_zero(&rrt_sampling, sizeof rrt_sampling);
  rrt_sampling.engine = old.engine;
  rrt_sampling.perf_errno = old.perf_errno;
  rrt_sampling.kernel_errno = old.kernel_errno;
  rrt_sampling.period_ns = old.period_ns;
  rrt_sampling.skid_samples = old.skid_samples;
  rrt_sampling.skid_behind = old.skid_behind;
  rrt_sample_table_clear();
  if (process.with_stacks)
    rrt_sample_stacks_clear();
  process.user_start_ns += old.cpu_ns; // to which it was counted
}

void rrt_sample_forked(void) {
  rrt_sample_clear();
  rrt_pointers_clear();
}

void rrt_sample_close(void) { rrt_sample_timer_close(); }

uint64_t rrt_sample_count(void) { return __atomic_load_n(&rrt_sampling.samples, __ATOMIC_RELAXED); }

int rrt_sample_tables_get(struct rrt_sample_tables *out) {
  if (!process.is_open)
    return 0;
  out->sampling = &rrt_sampling;
  out->files = rrt_sample_files(&out->file_count);
  out->slots = rrt_sample_table(&out->slot_count);
  out->stacks = process.with_stacks ? rrt_sample_stacks(&out->stack_count) : NULL;
  return 1;
}

int rrt_sample_has_stacks(void) { return process.with_stacks; }

uint64_t rrt_sample_bytes(void) {
  uint32_t slots, files, stacks = 0;
  if (!process.is_open)
    return 0;
  rrt_sample_table(&slots);
  rrt_sample_files(&files);
  if (process.with_stacks)
    rrt_sample_stacks(&stacks);
  return slots * sizeof(struct reticle_file_address) +
         files * sizeof(struct reticle_file_loadfile) + stacks * sizeof(struct reticle_file_stack);
}
