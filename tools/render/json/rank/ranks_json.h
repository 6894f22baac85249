// ranks_json.h - a job's ranks as JSON, schema reticle-ranks/1.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_RENDER_JSON_RANK_RANKS_JSON_H
#define RETICLE_TOOLS_RENDER_JSON_RANK_RANKS_JSON_H

#include "tools/model/rank/ranks.h"

#include <stdio.h>

/// Writes ranks, loops and slow ranks (docs/schema/ranks.json). cells: each loop's numbers of each
/// rank, too. Returns false if the stream took not all of it.
bool ranks_json_write(const struct ranks *ranks, bool cells, FILE *stream);

#endif
