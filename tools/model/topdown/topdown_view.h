// topdown_view.h - what bounds each loop of a run: counted, or estimated where nothing was counted.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_MODEL_TOPDOWN_TOPDOWN_VIEW_H
#define RETICLE_TOOLS_MODEL_TOPDOWN_TOPDOWN_VIEW_H

#include "tools/analysis/stall/stall_cause.h"
#include "tools/analysis/topdown/topdown_run.h"
#include "tools/model/measurement/measurement.h"
#include "tools/model/stall/topdown_stalls.h"

/// The tree of one loop.
struct topdown_loop {
  const struct measured_loop *loop;
  struct topdown_input input; ///< counted ones only
  struct stall_tally tally;   ///< estimates only: of its own blocks
  struct topdown_result result;
  size_t leaf; ///< of the tree: where the path along the largest shares ends; SIZE_MAX: nowhere
  const char *reason; ///< why there is no tree for it; null if there is one
  const char *source; ///< file of the line that most time is blamed on; null: not known
  unsigned line;
};

/// Start with topdown_view_read, end with topdown_view_release.
struct topdown_view {
  struct topdown_run run;
  const struct topdown_tree *tree; ///< null: nothing to show
  bool is_estimate;
  struct topdown_loop *loops; ///< [loop_count] most time first
  size_t loop_count;
  struct topdown_code code; ///< of estimates; the loops' reasons lie in it
};

void topdown_view_read(const struct measurement *m, struct topdown_view *view);
void topdown_view_release(struct topdown_view *view);
/// Of a report; lives as long as the measurement.
const struct topdown_view *topdown_view_get(const struct measurement *m);

/// The loop that a value of the view is of, and its node of the tree.
const struct topdown_loop *topdown_view_loop(const struct topdown_view *view,
                                             const struct topdown_value *value);
const struct topdown_node *topdown_view_node(const struct topdown_view *view,
                                             const struct topdown_value *value);

/// Evaluates a loop's counts anew.
void topdown_view_evaluate(const struct topdown_view *view, struct topdown_loop *loop);

/// Position of a loop in the view; SIZE_MAX if it isn't there.
size_t topdown_view_find(const struct topdown_view *view, const struct measured_loop *loop);

/// One line: counted with what, or why not and what to do about it.
void topdown_view_add_state(const struct measurement *m, const struct topdown_view *view,
                            struct text *out);

#endif
