// block_run.c - measures a list of blocks, one after the other.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/run/block/block_run.h"

#include "tools/machine/block_core.h"
#include "tools/run/block/block_capture.h"
#include "tools/support/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double now_s(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void refuse(struct block_outcome *outcome, enum harness_status status, const char *detail) {
  memset(&outcome->result, 0, sizeof(outcome->result));
  outcome->result.status = status;
  outcome->result.detail = detail;
  outcome->result.cycles = outcome->result.low = outcome->result.high = NAN;
  outcome->result.accepted = outcome->result.ticks_per_cycle = outcome->result.canary = NAN;
  outcome->result.l1d_misses = outcome->result.l1i_misses = NAN;
  outcome->result.fault_offset = UINT32_MAX;
}

/// How often a value that the core can't reach is measured before it counts as noisy.
enum { IMPOSSIBLE_TRIES = 3 };

/// A value that the core can't reach is not called clean: starts and ends of runs took other times
/// than the harness allows for. Returns whether it is one.
static bool doubt_impossible(struct block_outcome *outcome) {
  const struct block_accesses *accesses = &outcome->accesses;
  struct block_mix mix = {outcome->instructions, NAN, NAN};
  const char *what;
  if (outcome->result.status != HARNESS_OK)
    return false;
  if (accesses->steps == 2 * outcome->instructions) {
    mix.loads = accesses->loads / 2.0;
    mix.stores = accesses->stores / 2.0;
  }
  // What the interval can't tell from the limit is not beyond it.
  if (!(outcome->result.high < block_limit_cycles(block_core_here(), &mix, &what)))
    return false;
  outcome->result.status = HARNESS_NOISY;
  outcome->result.detail = what;
  return true;
}

/// A value is not called clean when the block ran with other values than it was to be run with.
static void doubt_captured(const struct harness_settings *settings, struct block_outcome *outcome) {
  const char *what = settings->values == HARNESS_CAPTURED && outcome->result.status == HARNESS_OK
                         ? block_job_not_captured(outcome->job)
                         : NULL;
  if (what) {
    outcome->result.status = HARNESS_NOISY;
    outcome->result.detail = what;
  }
}

static void measure(struct harness_blocks *blocks, const struct block_request *request,
                    const struct harness_state *state, struct block_job *job,
                    struct block_outcome *outcome) {
  struct harness_settings settings = request->settings;
  struct harness_block block = {
      .code = job->code, .bytes = job->bytes, .address = job->address, .state = state};
  memset(&outcome->accesses, 0, sizeof(outcome->accesses));
  outcome->job = job;
  outcome->instructions = job->problem ? 0 : block_job_check(job);
  block.instructions = outcome->instructions;
  block.is_relative = block_job_is_relative(job);
  outcome->loop_register = -1;
  if (job->problem) {
    refuse(outcome, job->status, job->problem);
    return;
  }
  settings.loop_register = outcome->loop_register = block_job_free_register(job);
  if (outcome->instructions) {
    settings.step = block_accesses_step;
    settings.context = &outcome->accesses;
  }
  int tries = 0;
  do {
    memset(&outcome->accesses, 0, sizeof(outcome->accesses));
    outcome->accesses.job = job;
    harness_block_measure(blocks, &block, &settings, &outcome->result);
  } while (doubt_impossible(outcome) && ++tries < IMPOSSIBLE_TRIES);
  doubt_captured(&settings, outcome);
}

/// Outcomes that come before their turn.
struct early {
  struct harness_blocks *blocks;
  const struct block_request *request;
  struct block_jobs *jobs;
  struct block_outcome **outcomes; ///< [jobs->count] null: none
};

static void measure_early(size_t job, const struct harness_state *state, void *context) {
  struct early *early = context;
  struct block_outcome *outcome = memory_resized(NULL, sizeof(*outcome), 1);
  measure(early->blocks, early->request, state, &early->jobs->items[job], outcome);
  early->outcomes[job] = outcome;
}

/// Decoding refuses jobs before the program is run for them.
static void check_jobs(struct block_jobs *jobs, size_t first) {
  for (size_t i = first; i < jobs->count; i++)
    if (!jobs->items[i].problem)
      block_job_check(&jobs->items[i]);
}

static void count_outcome(const struct block_outcome *outcome, struct block_counts *counts) {
  counts->all++;
  counts->broken += outcome->job->is_broken;
  if (!outcome->job->is_broken)
    counts->by_status[outcome->result.status]++;
  counts->measured += !outcome->job->is_broken && !isnan(outcome->result.cycles);
}

int block_run(const struct block_request *request, struct block_jobs *jobs, size_t first,
              bool (*heard)(const struct block_outcome *outcome, void *context), void *context,
              struct block_counts *counts, struct problems *problems) {
  static struct block_outcome outcome;
  int error = 0;
  bool is_captured = true;
  struct early early = {harness_blocks_open(&error), request, jobs, NULL};
  double start_s = now_s();
  *counts = (struct block_counts){0};
  if (!early.blocks)
    return error;
  early.outcomes = memory_zeroed(jobs->count + 1, sizeof(*early.outcomes));
  if (request->command) {
    check_jobs(jobs, first);
    is_captured =
        block_capture(request->command, request->hit, jobs, first, measure_early, &early, problems);
  }
  bool go_on = is_captured;
  for (size_t i = first; i < jobs->count && go_on; i++) {
    struct block_outcome *mine = early.outcomes[i] ? early.outcomes[i] : &outcome;
    if (!early.outcomes[i])
      measure(early.blocks, request, request->state, &jobs->items[i], mine);
    count_outcome(mine, counts);
    go_on = heard(mine, context);
  }
  counts->seconds = now_s() - start_s;
  for (size_t i = 0; i < jobs->count; i++)
    free(early.outcomes[i]);
  free(early.outcomes);
  harness_blocks_close(early.blocks);
  return is_captured ? 0 : -1;
}
