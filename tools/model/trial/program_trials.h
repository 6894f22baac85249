// program_trials.h - the changes that a study has tried, by runs of the whole program.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_MODEL_TRIAL_PROGRAM_TRIALS_H
#define RETICLE_TOOLS_MODEL_TRIAL_PROGRAM_TRIALS_H

#include "tools/analysis/trial/change_judge.h"
#include "tools/model/measurement/measurement.h"
#include "tools/model/trial/trial_form.h"
#include "tools/support/text.h"

/// A change; of the ways to make it, which trial_form.def has as rows of one form, the best.
struct program_trial {
  char id[16];                      ///< "R1"
  const char *name;                 ///< of the form: "prefetch", "layout-order"
  const struct trial_form *form;    ///< null: of a struct's layout (reticle try)
  const struct measured_loop *loop; ///< null: of the whole program, or the loop isn't known now
  bool is_of_loop;
  char finding[32]; ///< code of what asked for it; "" for none
  enum change_result result;
  struct quantity saved;  ///< share of the program's CPU time, user and kernel; below 0: it costs
  struct quantity memory; ///< most resident memory, over that without; of the same runs
  double difference;      ///< of numbers that it prints, over their size; NaN: none
  size_t pairs;           ///< of runs, that `saved` is of
  /// Where the loop's forms were drawn within runs: part of its time saved, of the loop as it is
  /// once more, and in how many runs.
  struct quantity loop_saved, copy_saved;
  size_t loop_runs;
  double slowed;         ///< times as long as alone the loop takes among its copies; 0: not longer
  bool is_around;        ///< of a loop around it, whose executions are longer
  struct quantity claim; ///< of the program's CPU time, by that
  struct text condition; ///< when it pays; "": always, as far as is known
  struct text place;     ///< "L1 look_up table.c:31"; "" for the whole program
  struct text write;     ///< what a user does to have it
  struct text others;    ///< other ways, and what they save; "" for none
  struct text reason;    ///< why it wasn't tried, or not to the end; "" where it was
};

struct program_trials {
  /// [count] what pays, most first; what doesn't; what wasn't tried.
  struct program_trial *items;
  size_t count;
  size_t paying;            ///< the first so many
  struct quantity together; ///< saved by all that pay; of one alone the same
  struct quantity same;     ///< of runs without a change against others: the floor
  bool are_there;           ///< the study was made to try any
};

/// m  of a study; of others there are only layouts
const struct program_trials *program_trials_get(const struct measurement *m);

/// The trial of that form that was made for the loop, or for the program; null: none.
const struct program_trial *program_trial_find(const struct program_trials *trials,
                                               enum trial_form_id form,
                                               const struct measured_loop *loop);

/// "the loop" or "the loop around it", that loop_saved is of.
const char *program_trial_loop_name(const struct program_trial *trial);
/// Times as fast as that is in the same run. Nothing where it takes longer among its copies than
/// alone: branches that repeat are guessed worse there, and a form without seems faster than it is.
struct quantity program_trial_loop(const struct program_trial *trial);
/// The loop as it is over its like in the same runs; else runs without a change over others
/// without: what those of the trial may differ by.
struct quantity program_trial_copy(const struct measurement *m, const struct program_trial *trial);
/// What is saved by what a user writes, where that is what was run.
struct quantity program_trial_source(const struct program_trial *trial);

#endif
