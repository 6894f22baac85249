// replay_parts.h - what the parts of a replay share.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_RUN_TRIAL_REPLAY_PARTS_H
#define RETICLE_TOOLS_RUN_TRIAL_REPLAY_PARTS_H

#include "tools/analysis/replay/replay_gain.h"
#include "tools/analysis/struct/visits.h"
#include "tools/run/trial/replay.h"
#include "tools/run/trial/replay_run.h"

struct replay {
  struct problems *problems;
  const struct measurement *m;
  const struct replay_change *change;
  struct visits visits;
  double *weights; ///< [visits.place_count]
  struct replay_input input;
  struct replay_layout layouts[2];
  struct replay_list lists[2];
  struct replay_times times[2];
  double program_ns; ///< CPU time of a run
};

/// Ends of what isn't known, and one between.
enum { REPLAY_ENDS = 3 };

struct replay_ends {
  struct replay_saved saved[REPLAY_ENDS];
  size_t count;
};

/// Anew where there are some. Returns false as replay_list_make does.
bool replay_make_lists(struct replay *r);
void replay_release_times(struct replay *r);

/// Runs the lists. What isn't known is taken at both ends: no branch waits for the struct's data,
/// or as many as fit into the program's time; and the program takes as long as in its slowest run,
/// or its fastest. Where ways to other code and ends of loops can wait, the former alone do
/// between. times and branch_share are then those of the last end.
void replay_run_ends(struct replay *r, const struct replay_program *program, size_t pairs,
                     struct replay_ends *ends);

#endif
