// study_view.h - what a study did: its builds, what each costs, and whether they did the same work.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_MODEL_STUDY_STUDY_VIEW_H
#define RETICLE_TOOLS_MODEL_STUDY_STUDY_VIEW_H

#include "tools/analysis/stats/quantity.h"
#include "tools/model/measurement/measurement.h"
#include "tools/support/text.h"

struct study_view_build {
  char *name, *features;
  double build_s; ///< wall clock of the build; NaN: it wasn't built apart
  size_t runs;
  bool is_ended;          ///< a run of it was ended, as it took too long: no time is known of that
  struct quantity cpu_s;  ///< of a run: median, and smallest and largest
  struct quantity wall_s; ///< likewise
  struct quantity cost;   ///< CPU time over the plain build's, by medians; as far as runs differ
  struct quantity peak_bytes; ///< most resident memory of a run: median, and smallest and largest
  int status;                 ///< exit status; -1: they differ, or a signal
  bool is_other_output;       ///< than the plain build's, whose runs all print the same
  bool is_other_speed; ///< times are of this build, and all of its runs are off by 5 % and more
};

/// A program that the runs left profiles of.
struct study_view_program {
  char *path;
  double cpu_s; ///< of all runs of the timing build
};

struct study_view {
  const char *path;                ///< of the study
  char *build, *commit;            ///< command that builds it, and of what git says; "" for none
  struct study_view_build *builds; ///< [count] as they were made
  size_t count;
  const struct study_view_build *plain; ///< null: there is none
  bool is_repeatable;                   ///< runs of the plain build print the same
  struct text difference;               ///< the first one in what was printed, "" for none
  double builds_s, runs_s;              ///< all together
  size_t loops_without_gates;           ///< that the timing build leaves out, as they are short
  struct study_view_program *others;    ///< [other_count] measured, too, most CPU time first
  size_t other_count;
};

/// m  of a study
const struct study_view *study_view_get(const struct measurement *m);

/// Runs that executions of loops are of: those of the build that was timed; 1 of a profile.
double study_view_runs(const struct measurement *m);

/// Adds that the plain build's runs failed; nothing where they did not.
void study_view_add_failure(const struct study_view *view, struct text *out);

#endif
