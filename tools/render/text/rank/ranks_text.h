// ranks_text.h - a job's ranks as text: slow ranks, and loops by ranks as shaded cells.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_RENDER_TEXT_RANK_RANKS_TEXT_H
#define RETICLE_TOOLS_RENDER_TEXT_RANK_RANKS_TEXT_H

#include "tools/model/rank/ranks.h"
#include "tools/ui/terminal.h"

/// most  slow ranks and loops at most, of each
void ranks_text_add(const struct ranks *ranks, size_t most, const struct terminal *terminal,
                    struct text *out);

#endif
