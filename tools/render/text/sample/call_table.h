// call_table.h - prints CALL TREE: the heaviest part of it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_RENDER_TEXT_SAMPLE_CALL_TABLE_H
#define RETICLE_TOOLS_RENDER_TEXT_SAMPLE_CALL_TABLE_H

#include "tools/model/measurement/measurement.h"
#include "tools/ui/terminal.h"

/// Adds the tree, at most so many rows; nothing where samples have no call stacks.
void call_table_add(const struct measurement *m, size_t most, const struct terminal *terminal,
                    struct text *out);

#endif
