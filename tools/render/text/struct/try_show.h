// try_show.h - the verdict of reticle try: lines for people.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_RENDER_TEXT_STRUCT_TRY_SHOW_H
#define RETICLE_TOOLS_RENDER_TEXT_STRUCT_TRY_SHOW_H

#include "tools/analysis/stats/paired.h"
#include "tools/model/compare/diff_input.h"
#include "tools/model/struct/try_side.h"
#include "tools/support/text.h"
#include "tools/ui/terminal.h"

/// Adds the verdict, the times of both sides, and the loops that changed.
///
/// comparison  null: loops can't be compared
void try_show_add(const char *structure, const struct try_side *written,
                  const struct try_side *changed, const struct paired *paired,
                  const struct comparison *comparison, const struct terminal *terminal,
                  struct text *out);

#endif
