// try_keep.h - keeps what `reticle try` has measured in the profile that asked for it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_RUN_TRIAL_TRY_KEEP_H
#define RETICLE_TOOLS_RUN_TRIAL_TRY_KEEP_H

#include "tools/analysis/stats/paired.h"
#include "tools/model/compare/diff_input.h"
#include "tools/model/measurement/measurement.h"
#include "tools/model/replay/replay_result.h"
#include "tools/run/trial/try_run.h"
#include "tools/support/problem.h"

struct try_result {
  const char *structure;
  const char *layout; ///< text of the layout file
  const struct try_side *written, *changed;
  const struct paired *paired;
  const struct comparison *comparison; ///< null: loops can't be compared
};

/// Writes the result into the first of the files, in place of one of the same layout; without
/// files into the newest profile of the current directory, if there is one. Says where, or why not.
///
/// paths  [count]
void try_keep(const struct try_result *result, char *const *paths, size_t count,
              struct problems *problems);

/// The same of a replay, into the first file of the measurement.
void replay_keep(const struct replay_result *result, const struct measurement *m,
                 const struct struct_use *use, struct problems *problems);

#endif
