// try_show.h - the verdict of reticle try: lines for people, and as JSON.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_CMD_TRY_SHOW_H
#define RETICLE_TOOLS_CMD_TRY_SHOW_H

#include "tools/analysis/paired.h"
#include "tools/cmd/diff_input.h"
#include "tools/cmd/try_run.h"
#include "tools/support/text.h"
#include "tools/ui/terminal.h"

/// The side's times that count: of one thread those of the processor, which other programs disturb
/// less; of several the wall clock's.
const double *try_times(const struct try_side *side, const struct try_side *other);

/// Median of the side's times, [count]
double try_median(const struct try_side *side, const double *seconds);

/// Adds the verdict, the times of both sides, and the loops that changed.
///
/// comparison  null: loops can't be compared
void try_show_add(const char *structure, const struct try_side *written,
                  const struct try_side *changed, const struct paired *paired,
                  const struct comparison *comparison, const struct terminal *terminal,
                  struct text *out);

/// Writes it as JSON on stdout. Returns false if not all was taken.
bool try_show_json(const char *structure, const struct try_side *written,
                   const struct try_side *changed, const struct paired *paired);

#endif
