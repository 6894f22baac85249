// push_rows.h - a run as rows of a fleet's tables.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_RENDER_SQL_PUSH_ROWS_H
#define RETICLE_TOOLS_RENDER_SQL_PUSH_ROWS_H

#include "tools/model/fleet/pushed.h"
#include "tools/store/fleet_push.h"

/// What the profile doesn't know of the run.
struct push_facts {
  const char *commit, *label; ///< null: not told
  const char *path;           ///< of the file, absolute
};

/// Fills in a run; names of its loops are the profile's, so `pushed` is to stay as long as it.
void push_rows_put(const struct pushed *pushed, const struct push_facts *facts,
                   struct fleet_run *out);

#endif
