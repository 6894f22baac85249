// try_replay.h - reticle try --replay: visits of the profile, run over memory in two layouts.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_CMD_TRY_REPLAY_H
#define RETICLE_TOOLS_CMD_TRY_REPLAY_H

#include "tools/model/struct/layout_choose.h"

#include <stdbool.h>
#include <stddef.h>

struct try_replay_options {
  const char *layout; ///< text of a layout file: replay its order; null: what is advised
  const char
      *array; ///< fields, divided by commas, that get an array of their own; null: as advised
  char *const
      *command; ///< [..., NULL] runs the program, whose CPU time counts; null: the profile's
  struct layout_wish wish;
  size_t pairs;
  bool json;
};

/// files  [count] profiles, or a study
///
/// Returns the command's exit status.
int try_replay(const struct try_replay_options *options, const char *name, char **files,
               size_t count);

#endif
