// trial.h - a trial of another layout: chosen, built and run in turn with the one as written.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_RUN_TRIAL_TRIAL_H
#define RETICLE_TOOLS_RUN_TRIAL_TRIAL_H

#include "tools/analysis/stats/paired.h"
#include "tools/model/compare/diff_input.h"
#include "tools/model/struct/layout_choose.h"
#include "tools/model/struct/try_side.h"
#include "tools/run/child/plain_objects.h"
#include "tools/support/problem.h"
#include "tools/support/text.h"

struct trial_settings {
  struct problems *problems; ///< get what is to be told, notes of what is being done as well
  const char *structure;     ///< its name
  const char *layout;        ///< a layout file; null: what the profiles advise
  struct layout_wish wish;   ///< of the advice
  const char *build;    ///< shell command, run for each side and placement; null: `command` builds
  char *const *command; ///< [..., NULL] runs the program
  size_t pairs;         ///< runs of each side: PAIRED_LEAST or more, an even number
  size_t placements;    ///< builds of each side, 1 to pairs
  char *const *files;   ///< [file_count] profiles, or a study; none: the newest profile here
  size_t file_count;
};

/// A trial from its start to its end. Start with trial_make, end with trial_release.
struct trial {
  const struct trial_settings *settings;
  char *structure;
  struct text source;    ///< the edit, "" if it can't be spelled
  struct text directory; ///< of all files
  struct text content;   ///< the layout
  struct text layout;    ///< file with it
  struct try_side written, changed;
  bool is_placed; ///< the sides have a placement
  struct plain_objects objects;
  bool is_cut; ///< the last build may be of the other layout
  struct paired paired;
  bool has_comparison;          ///< it was asked for
  bool is_compared;             ///< loops could be
  struct comparison comparison; ///< of loops
};

/// Chooses the layout, runs all pairs and compares their times. Signals that would end this process
/// end what runs from here on.
///
/// Returns PROBLEM_NONE; another kind after saying why; 128 + signal where it was interrupted.
/// `out` can be released in any case.
int trial_make(const struct trial_settings *settings, struct trial *out);

/// Keeps the result in the profile that asked for it (try_keep).
void trial_keep(const struct trial *trial);

/// keeps_files  profiles, layout and the last output stay, and it is told where
void trial_release(struct trial *trial, bool keeps_files);

/// Reads a layout file. False after saying why it can't.
bool trial_read_layout(const char *path, struct text *out, struct problems *problems);

#endif
