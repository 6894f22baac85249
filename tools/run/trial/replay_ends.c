// replay_ends.c - runs a replay's lists where what isn't known is least, and where it is most.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/run/trial/replay_parts.h"
#include "tools/support/memory.h"

#include <stdbool.h>
#include <stdlib.h>

/// Halvings to find how many branches wait for the struct's data, if without any the replay takes
/// so much less.
#define FIT_STEPS 3
#define FIT_TELLS 0.85

bool replay_make_lists(struct replay *r) {
  bool fits = true;
  for (size_t i = 0; fits && i < 2; i++) {
    replay_list_release(&r->lists[i]);
    fits = replay_list_make(&r->input, &r->layouts[i], &r->lists[i]);
  }
  return fits;
}

void replay_release_times(struct replay *r) {
  for (size_t i = 0; i < 2; i++) {
    free(r->times[i].run_ns);
    free(r->times[i].visit_ns);
    r->times[i] = (struct replay_times){0};
  }
}

/// Lists anew, of which such a share of the visits behind branches waits for the element before.
static void set_branch_share(struct replay *r, double share) {
  if (share == r->input.branch_share)
    return;
  r->input.branch_share = share;
  replay_make_lists(r); // of the same size as before
}

/// How many times as long as the program's visits those of the list take; NaN: these take no time.
static double ratio_with(struct replay *r, const struct replay_program *program, double share) {
  double ratio;
  set_branch_share(r, share);
  if (replay_run_ratio(&r->lists[0], program, &ratio))
    memory_exhausted();
  return ratio;
}

/// Which visits no branch predicts.
struct unpredicted {
  bool trips, ways; ///< ends of loops; ways to other code
};

static struct unpredicted find_unpredicted(const struct replay *r) {
  struct unpredicted out = {false, false};
  for (size_t i = 0; i < r->visits.count; i++) {
    out.trips |= r->visits.all[i].wait == VISIT_BY_TRIPS;
    out.ways |= r->visits.all[i].wait == VISIT_BY_BRANCH;
  }
  return out;
}

/// The most visits behind branches that can wait for the element before: as many as fit into the
/// program's time, all where that doesn't tell.
static double most_branches(struct replay *r, const struct replay_program *program) {
  double low = 0, high = 1, all = ratio_with(r, program, 1);
  if (!(all > 1))
    return 1;
  if (ratio_with(r, program, 0) > FIT_TELLS * all)
    return 1;
  for (size_t step = 0; step < FIT_STEPS; step++) {
    double middle = (low + high) / 2;
    *(ratio_with(r, program, middle) > 1 ? &high : &low) = middle;
  }
  return low;
}

/// Runs the lists with such a share of branches that wait, where the program takes so many times
/// as long as was measured.
static void run_end(struct replay *r, const struct replay_program *program, double branch_share,
                    double times_as_long, size_t pairs, struct replay_ends *ends) {
  const struct replay_lists lists = {&r->lists[0], &r->lists[1]};
  size_t windows = r->visits.window_count;
  double *ns = memory_zeroed(windows + 1, sizeof *ns);
  struct replay_program scaled = {program->ns ? ns : NULL, program->instructions};
  for (size_t i = 0; program->ns && i < windows; i++)
    ns[i] = program->ns[i] * times_as_long;
  set_branch_share(r, branch_share);
  replay_release_times(r);
  if (replay_run(&lists, &scaled, pairs, &r->times[0], &r->times[1], ends->saved[ends->count++].by))
    memory_exhausted();
  free(ns);
}

void replay_run_ends(struct replay *r, const struct replay_program *program, size_t pairs,
                     struct replay_ends *ends) {
  double fastest = r->change->fastest, slowest = r->change->slowest;
  double most = r->input.branch_share;
  struct unpredicted unpredicted = find_unpredicted(r);
  bool may_wait = unpredicted.trips || unpredicted.ways;
  if (program->ns && may_wait)
    most = most_branches(r, program);
  if (program->ns && ((may_wait && most > 0) || slowest > fastest))
    run_end(r, program, 0, slowest, pairs, ends);
  // What a layout gains needn't grow with what waits: a way to other code leads to other fields.
  if (program->ns && unpredicted.trips && unpredicted.ways && most > REPLAY_WAYS_WAIT)
    run_end(r, program, REPLAY_WAYS_WAIT, 1, pairs, ends);
  run_end(r, program, most, fastest, pairs, ends);
}
