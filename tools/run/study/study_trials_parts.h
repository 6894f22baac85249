// study_trials_parts.h - what the parts of a study's trials share.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_RUN_STUDY_STUDY_TRIALS_PARTS_H
#define RETICLE_TOOLS_RUN_STUDY_STUDY_TRIALS_PARTS_H

#include "tools/analysis/trial/copy_times.h"
#include "tools/model/trial/copy_place.h"
#include "tools/model/trial/trial_form.h"
#include "tools/run/study/study.h"

/// Builds of each change with functions at other places, at most.
enum { PLACEMENTS = 5 };

/// A change at work.
struct attempt {
  const struct trial_form *form; ///< null: none, or several
  const char *finding;
  char loop[20];
  uint64_t loop_id;  ///< 0: the whole program
  bool may_be_drawn; ///< its loop's copies, at the place
  struct copy_place place;
  bool is_drawn;   ///< that was done, and the loop is faster: it waits for the pairs that decide
  bool is_waiting; ///< for that; no round of now runs it
  double claim;    ///< of the program's CPU time, that it saves by what the loop takes less
  struct text environment, flags, list;
  char *refusal;              ///< why the compiler can't make it; null: it can, or wasn't asked
  int64_t id;                 ///< in the file
  int64_t builds[PLACEMENTS]; ///< 0: not made
  bool is_built;              ///< of another build than the plain one
  bool rounds;                ///< results otherwise
  bool is_over;               ///< it is run no more
  bool is_dropped;            ///< others are better
  struct change_pair pairs[CHANGE_CONFIRM_PAIRS]; ///< [count] of this stage
  size_t count;
  struct job last;     ///< its run of this round
  struct text printed; ///< by it
};

struct trials {
  struct study *study;
  struct attempt *items; ///< [count] the first two have no change
  size_t count, capacity;
  double plain_s, build_s, until_s;
  double plain_cpu_s; ///< of a plain run, user and kernel
  unsigned places;    ///< that functions stand at, while changes are confirmed
  uint64_t random;
  uint64_t output;
  bool is_repeatable;
  bool has_output;
};

/// The first two of them have no change.
enum { FIRST_CHANGE = 2 };

/// A build of a trial.
struct trial_build {
  const char *name;     ///< in the study
  const char *features; ///< that are compiled in: "none" as a rule
  const char *flags;    ///< of the compiler, with blanks
  const char *list;     ///< for the option forms=
  unsigned placement;
};

/// Seconds until trials must be over.
double trials_left_s(const struct trials *t);
/// Why a change is run no more, into the file.
void trials_end(struct trials *t, struct attempt *a, const char *reason);

/// Builds. 0 in *build where the command failed; *made gets the path of what says what became of
/// each form. As study_measure.
int trials_build_make(struct trials *t, const struct trial_build *what, struct text *made,
                      int64_t *build);
/// What the file `made` says of a form of the loop: "done" and lines where it was made, else the
/// first reason; null: nothing. To be freed.
char *trials_made_read(const char *path, const char *loop, const char *form);
/// Whether that is "done".
bool trials_is_made(const char *made);

/// Has loops stand in all forms that are asked for, and one drawn at each execution, in a build of
/// its own: what makes its loop no faster is over, of the others the best of each form goes on
/// (is_drawn). What can't be drawn is left as it is. As study_measure.
int trials_copies_draw(struct trials *t);

/// The attempt's build, functions at those places. 0 in *build where the command failed. As
/// study_measure.
int trials_build_at(struct trials *t, struct attempt *a, unsigned placement, int64_t *build);
/// Its first build, or, where it changes the environment, whether that can be. As study_measure.
int trials_prepare(struct trials *t, struct attempt *a, int64_t plain);
/// Runs the program once, of that build, with those options for RETICLE_OPTIONS; *printed gets what
/// is kept of what it printed, *output the hash of all. As study_measure.
int trials_run(struct trials *t, int64_t build, const struct study_role *role, const char *options,
               struct job *job, struct text *printed, uint64_t *output);
/// Sets the variables of "NAME=VALUE NAME=VALUE", or takes them away.
void trials_set_variables(const char *settings, bool are_set);

/// Runs all that are not over, each once, and keeps the pairs. As study_measure.
int trials_round(struct trials *t, unsigned stage, unsigned place);

#endif
