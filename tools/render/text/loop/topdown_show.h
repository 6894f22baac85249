// topdown_show.h - top-down trees as text.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_RENDER_TEXT_LOOP_TOPDOWN_SHOW_H
#define RETICLE_TOOLS_RENDER_TEXT_LOOP_TOPDOWN_SHOW_H

#include "tools/model/topdown/topdown_view.h"
#include "tools/ui/terminal.h"

/// The section of a report: state, and the trees of the `most` loops that take most time.
void topdown_view_add(const struct measurement *m, const struct topdown_view *view, size_t most,
                      const struct terminal *terminal, struct text *out);
/// The lines of one loop's tree, with what helps.
///
/// indent   blanks in front of each line
/// is_card  the stall causes are named beside it
void topdown_view_add_tree(const struct topdown_view *view, const struct topdown_loop *loop,
                           size_t indent, bool is_card, const struct terminal *terminal,
                           struct text *out);

#endif
