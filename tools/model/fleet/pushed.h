// pushed.h - what `reticle push` sends of a run: its report, and levels of each of its processes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_MODEL_FLEET_PUSHED_H
#define RETICLE_TOOLS_MODEL_FLEET_PUSHED_H

#include "tools/analysis/compare/diff_run.h"
#include "tools/model/finding/finding.h"
#include "tools/model/measurement/measurement.h"
#include "tools/model/rank/ranks.h"
#include "tools/support/problem.h"

/// A loop in one process.
struct pushed_level {
  size_t process; ///< position in pushed.processes.rows
  uint64_t loop;
  struct rank_cell cell;
  struct diff_run run;
};

/// Start with pushed_load, end with pushed_release.
struct pushed {
  struct measurement measurement;
  struct findings findings;
  struct ranks processes;      ///< rows alone, in the order in which they ran; not judged
  uint64_t *threads;           ///< [processes.count]
  struct pushed_level *levels; ///< [level_count] by process
  size_t level_count;
  char id[37]; ///< UUID, the same whenever the same run is loaded
};

enum pushed_result {
  PUSHED_LOADED,
  PUSHED_UNREADABLE, ///< it was said why
  PUSHED_RUNNING,    ///< its process still runs
  PUSHED_EPOCHS,     ///< closed epochs alone, without loops
  PUSHED_REFUSED,    ///< a merged profile, or one without a start; it was said
};

/// Reads a profile, a study or FILE@BUILD, and analyses it. `out` can be released in any case.
enum pushed_result pushed_load(const char *path, struct pushed *out, struct problems *problems);
void pushed_release(struct pushed *pushed);

#endif
