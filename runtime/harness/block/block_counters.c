// block_counters.c - opens, reads and closes the counters of cache misses.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The published method rejects a block with any miss of the first caches. Here the parent reads the
// counters while the child is stopped, so a few misses belong to the stops: a short batch of runs
// is taken from a long one.
#include "runtime/harness/block/block_counters.h"

#include "runtime/harness/block/block_code.h"
#include "runtime/sys/counter.h"
#include "runtime/sys/sys.h"
#include "runtime/sys/trace.h"

#include <errno.h>
#include <math.h>
#include <sys/wait.h>

enum { FEW = 16, MANY = 64 };
/// Misses that each run has are at least 1.
#define MISSES_MOST 0.5

double block_counters_each(uint64_t few, unsigned few_runs, uint64_t many, unsigned many_runs) {
  return many > few ? (double)(many - few) / (double)(many_runs - few_runs) : 0;
}

/// Runs the longer of the two timed runs so often. Returns false if the child stopped otherwise.
static bool run_batch(struct block_run *run, unsigned runs, struct block_stop *stop) {
  struct block_control *control = run->blocks->control;
  control->index = 0;
  control->count = runs;
  control->slot_shift = 0;
  block_pages_run(run, stop);
  return stop->kind == BLOCK_STOP_DONE;
}

static void set_slots(const struct block_run *run) {
  const struct block_image *image = &run->blocks->image;
  for (size_t i = 0; i < BLOCK_SLOTS; i++)
    block_arch_set_slot(image, run->blocks->control, i, 0, run->result->unroll_high);
}

/// Counts in two batches; false if the child stopped otherwise, or with *error set. counts: [2][2]
/// batch, cache
static bool count(struct block_run *run, const int fds[2], uint64_t counts[2][2], int *error,
                  struct block_stop *stop) {
  static const unsigned runs[2] = {FEW, MANY};
  if (!run_batch(run, FEW, stop)) // warm
    return false;
  for (size_t batch = 0; batch < 2; batch++) {
    uint64_t before[2] = {0}, after[2] = {0};
    for (size_t i = 0; i < 2 && !*error; i++)
      *error = -rrt_sys_read_counter(fds[i], &before[i]);
    if (!run_batch(run, runs[batch], stop))
      return false;
    for (size_t i = 0; i < 2 && !*error; i++) {
      *error = -rrt_sys_read_counter(fds[i], &after[i]);
      counts[batch][i] = after[i] - before[i];
    }
  }
  return !*error;
}

/// Asks in a child of its own: a sandbox may kill who asks. Returns the errno of opening a counter.
static int ask(void) {
  long pid = rrt_sys_fork();
  if (pid == 0) {
    int fd = rrt_sys_open_misses(0, RRT_CACHE_DATA);
    rrt_sys_exit_group(fd < 0 ? -fd : 0);
  }
  int status = 0;
  if (pid < 0 || rrt_sys_wait_child(pid, &status) != pid)
    return EAGAIN;
  return WIFEXITED(status) ? WEXITSTATUS(status) : EPERM;
}

void block_counters_check(struct block_run *run, struct block_stop *stop) {
  struct harness_result *result = run->result;
  int fds[2] = {-1, -1};
  uint64_t counts[2][2] = {{0}};
  if (!run->blocks->is_pmu_asked)
    run->blocks->pmu_error = ask();
  run->blocks->is_pmu_asked = true;
  for (size_t i = 0; i < 2 && !run->blocks->pmu_error; i++) {
    fds[i] = rrt_sys_open_misses((uint32_t)run->blocks->pid, i ? RRT_CACHE_CODE : RRT_CACHE_DATA);
    if (fds[i] < 0)
      run->blocks->pmu_error = -fds[i];
  }
  result->pmu_error = run->blocks->pmu_error;
  if (!result->pmu_error) {
    set_slots(run);
    if (count(run, fds, counts, &result->pmu_error, stop)) {
      result->l1d_misses = block_counters_each(counts[0][0], FEW, counts[1][0], MANY);
      result->l1i_misses = block_counters_each(counts[0][1], FEW, counts[1][1], MANY);
    }
    if (result->status == HARNESS_OK &&
        (result->l1d_misses >= MISSES_MOST || result->l1i_misses >= MISSES_MOST)) {
      result->status = HARNESS_NOISY;
      result->detail = "runs miss the first cache";
    }
  }
  for (size_t i = 0; i < 2; i++)
    if (fds[i] >= 0)
      rrt_sys_close(fds[i]);
}
