// layout_show.h - what is advised for a struct's layout: lines for people.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_RENDER_TEXT_STRUCT_LAYOUT_SHOW_H
#define RETICLE_TOOLS_RENDER_TEXT_STRUCT_LAYOUT_SHOW_H

#include "tools/analysis/struct/struct_advice.h"
#include "tools/analysis/struct/struct_shrink.h"
#include "tools/model/struct/known_trial.h"
#include "tools/model/struct/struct_sharing.h"
#include "tools/support/text.h"
#include "tools/ui/terminal.h"

/// Adds the advice, best first, or why no gain is expected.
void layout_show_advice(const struct struct_advice *advice, const struct terminal *terminal,
                        struct text *out);

/// Adds what a replay of its visits has measured; nothing where there is none.
void layout_show_replay(const struct known_trial *replay, const struct terminal *terminal,
                        struct text *out);

/// Adds the line that threads share, and what may help; nothing where none is suspected.
void layout_show_sharing(const struct measurement *m, const struct struct_sharing *sharing,
                         const struct terminal *terminal, struct text *out);

/// Adds fields that are wider than their values; nothing where there are none.
void layout_show_shrink(const struct struct_shrink *shrink, const struct struct_advice *advice,
                        const struct terminal *terminal, struct text *out);

/// Adds how each loop comes to the struct, and the lines of a visit.
void layout_show_loops(const struct struct_advice *advice, const struct terminal *terminal,
                       struct text *out);

/// Adds what may see the layout besides the fields' own accesses; nothing where nothing does.
void layout_show_warnings(const struct struct_advice *advice, const struct terminal *terminal,
                          struct text *out);

#endif
