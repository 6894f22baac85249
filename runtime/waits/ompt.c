// ompt.c - waits of OpenMP: barriers, locks and tasks, as LLVM's libomp tells a tool (OMPT).
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// libomp looks for ompt_start_tool among all that is loaded. A worker's wait at the end of a
// parallel region ends for libomp when the next region begins, or never: here with the region, as
// the primary thread says. Tasks that a thread executes while it waits are no waiting.
#include "runtime/waits/table.h"

#include <omp-tools.h>
#include <string.h>

enum { REGIONS = 4096, THREADS_MAX = 1024, DEPTH_MAX = 8 };

/// A parallel region that runs, or ran.
struct region {
  const void *address;
};

/// A wait that hasn't ended.
struct wait {
  struct waits_call call;
  const struct region *region; ///< whose end ends it; null: it ends by itself
  const ompt_data_t *task;     ///< that waits
  uint64_t left_ns, away_ns;   ///< it went on to other tasks: since when, and for how long in all
};

/// Of one thread; others look at it under the tables' lock.
struct thread {
  struct wait waits[DEPTH_MAX];
  int depth;
  uint32_t number; ///< OpenMP's
  uint64_t mutex_start_ns;
};

static struct {
  struct region regions[REGIONS];
  uint32_t next_region;
  struct thread *threads[THREADS_MAX];
  uint32_t thread_count;
} state;
static __thread struct thread *own __attribute__((tls_model("initial-exec")));

static struct thread *own_thread(void) {
  if (own)
    return own;
  own = waits_map(sizeof *own);
  if (!own)
    return NULL;
  waits_lock();
  if (state.thread_count < THREADS_MAX)
    state.threads[state.thread_count++] = own;
  waits_unlock();
  return own;
}

/// Needs the lock.
static void add_wait(struct wait *wait, uint64_t end_ns) {
  uint64_t all = end_ns > wait->call.start_ns ? end_ns - wait->call.start_ns : 0;
  wait->call.time_ns = all > wait->away_ns ? all - wait->away_ns : 0;
  waits_add(&wait->call);
  wait->call.operation = NULL; // done
}

// --- barriers and tasks -------------------------------------------------------------------------

static const char *name_of(ompt_sync_region_t kind, enum reticle_wait_kind *wait) {
  *wait = RETICLE_WAIT_THREADS;
  switch ((int)kind) {
  case ompt_sync_region_taskwait:
    *wait = RETICLE_WAIT_TASKS;
    return "omp taskwait";
  case ompt_sync_region_taskgroup:
    *wait = RETICLE_WAIT_TASKS;
    return "omp taskgroup";
  case ompt_sync_region_reduction:
    return "omp reduction";
  case ompt_sync_region_barrier_explicit:
    return "omp barrier";
  case ompt_sync_region_barrier_implicit_workshare:
    return "omp for, end";
  case ompt_sync_region_barrier_implicit_parallel:
    return "omp parallel, end";
  default:
    return "omp barrier, implicit";
  }
}

static void begin_wait(struct thread *thread, ompt_sync_region_t kind, const ompt_data_t *parallel,
                       const ompt_data_t *task, const void *address) {
  uint64_t now = waits_now_ns();
  enum reticle_wait_kind wait_kind;
  const char *name = name_of(kind, &wait_kind);
  const struct region *region = parallel ? parallel->ptr : NULL;
  waits_lock();
  if (thread->depth < DEPTH_MAX)
    thread->waits[thread->depth] =
        (struct wait){.call = {.address = address  ? address
                                          : region ? region->address
                                                   : NULL,
                               .operation = name,
                               .thread = thread->number,
                               .kind = wait_kind,
                               .source = RETICLE_WAIT_OPENMP,
                               .start_ns = now},
                      .region = kind == ompt_sync_region_barrier_implicit_parallel ? region : NULL,
                      .task = task};
  thread->depth++;
  waits_unlock();
}

static void end_wait(struct thread *thread) {
  uint64_t now = waits_now_ns();
  if (!thread->depth)
    return;
  waits_lock();
  if (--thread->depth < DEPTH_MAX && thread->waits[thread->depth].call.operation)
    add_wait(&thread->waits[thread->depth], now);
  waits_unlock();
}

static void on_sync(ompt_sync_region_t kind, ompt_scope_endpoint_t end, ompt_data_t *parallel,
                    ompt_data_t *task, const void *address) {
  struct thread *thread = own_thread();
  if (!thread)
    return;
  if (end == ompt_scope_begin)
    begin_wait(thread, kind, parallel, task, address);
  else if (end == ompt_scope_end)
    end_wait(thread);
}

static void on_schedule(ompt_data_t *before, ompt_task_status_t status, ompt_data_t *next) {
  struct thread *thread = own;
  (void)status;
  if (!thread || !thread->depth || thread->depth > DEPTH_MAX)
    return;
  struct wait *wait = &thread->waits[thread->depth - 1];
  if (before == wait->task && next != wait->task) {
    wait->left_ns = waits_now_ns();
  } else if (next == wait->task && wait->left_ns) {
    wait->away_ns += waits_now_ns() - wait->left_ns;
    wait->left_ns = 0;
  }
}

// --- regions and threads ------------------------------------------------------------------------

static void on_parallel_begin(ompt_data_t *task, const ompt_frame_t *frame, ompt_data_t *parallel,
                              unsigned threads, int flags, const void *address) {
  (void)task, (void)frame, (void)threads, (void)flags;
  uint32_t next = __atomic_fetch_add(&state.next_region, 1, __ATOMIC_RELAXED) % REGIONS;
  state.regions[next].address = address;
  parallel->ptr = &state.regions[next];
}

static void on_parallel_end(ompt_data_t *parallel, ompt_data_t *task, int flags,
                            const void *address) {
  uint64_t now = waits_now_ns();
  const struct region *region = parallel->ptr;
  (void)task, (void)flags, (void)address;
  waits_lock();
  for (uint32_t i = 0; region && i < state.thread_count; i++) {
    struct thread *thread = state.threads[i];
    for (int k = 0; k < thread->depth && k < DEPTH_MAX; k++)
      if (thread->waits[k].region == region && thread->waits[k].call.operation)
        add_wait(&thread->waits[k], now);
  }
  waits_unlock();
}

/// The number that the thread had before is kept in the task, as teams nest.
static void on_implicit_task(ompt_scope_endpoint_t end, ompt_data_t *parallel, ompt_data_t *task,
                             unsigned team, unsigned number, int flags) {
  struct thread *thread = own_thread();
  (void)parallel, (void)team;
  if (!thread || (flags & ompt_task_initial))
    return;
  if (end == ompt_scope_begin) {
    task->value = thread->number;
    thread->number = number;
  } else {
    thread->number = (uint32_t)task->value;
  }
}

// --- locks --------------------------------------------------------------------------------------

static void on_mutex(ompt_mutex_t kind, unsigned hint, unsigned how, ompt_wait_id_t id,
                     const void *address) {
  struct thread *thread = own_thread();
  (void)kind, (void)hint, (void)how, (void)id, (void)address;
  if (thread)
    thread->mutex_start_ns = waits_now_ns();
}

static void on_mutex_acquired(ompt_mutex_t kind, ompt_wait_id_t id, const void *address) {
  struct thread *thread = own;
  (void)id;
  if (!thread || !thread->mutex_start_ns)
    return;
  struct waits_call call = {.address = address,
                            .operation = kind == ompt_mutex_critical  ? "omp critical"
                                         : kind == ompt_mutex_atomic  ? "omp atomic"
                                         : kind == ompt_mutex_ordered ? "omp ordered"
                                                                      : "omp lock",
                            .thread = thread->number,
                            .kind = RETICLE_WAIT_LOCK,
                            .source = RETICLE_WAIT_OPENMP,
                            .start_ns = thread->mutex_start_ns};
  call.time_ns = waits_now_ns() - call.start_ns;
  thread->mutex_start_ns = 0;
  waits_lock();
  waits_add(&call);
  waits_unlock();
}

// --- the tool -----------------------------------------------------------------------------------

static int initialize(ompt_function_lookup_t look_up, int device, ompt_data_t *data) {
  ompt_set_callback_t set = (ompt_set_callback_t)look_up("ompt_set_callback");
  (void)device, (void)data;
  if (!set)
    return 0;
  set(ompt_callback_sync_region_wait, (ompt_callback_t)on_sync);
  set(ompt_callback_task_schedule, (ompt_callback_t)on_schedule);
  set(ompt_callback_parallel_begin, (ompt_callback_t)on_parallel_begin);
  set(ompt_callback_parallel_end, (ompt_callback_t)on_parallel_end);
  set(ompt_callback_implicit_task, (ompt_callback_t)on_implicit_task);
  set(ompt_callback_mutex_acquire, (ompt_callback_t)on_mutex);
  set(ompt_callback_mutex_acquired, (ompt_callback_t)on_mutex_acquired);
  return 1;
}

static void finalize(ompt_data_t *data) { (void)data; }

ompt_start_tool_result_t *ompt_start_tool(unsigned version, const char *runtime)
    __attribute__((visibility("default")));

/// Null, so that libomp looks for another tool, where the program has no runtime of Reticle.
ompt_start_tool_result_t *ompt_start_tool(unsigned version, const char *runtime) {
  static ompt_start_tool_result_t tool = {initialize, finalize, {0}};
  (void)version;
  if (!waits_attach())
    return NULL;
  waits_set_source(RETICLE_WAIT_OPENMP, runtime, RETICLE_WAITS_MEASURED);
  return &tool;
}
