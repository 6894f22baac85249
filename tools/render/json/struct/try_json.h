// try_json.h - the verdict of reticle try as JSON.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_RENDER_JSON_STRUCT_TRY_JSON_H
#define RETICLE_TOOLS_RENDER_JSON_STRUCT_TRY_JSON_H

#include "tools/analysis/stats/paired.h"
#include "tools/model/struct/try_side.h"

/// Writes it as JSON on stdout. Returns false if not all was taken.
bool try_show_json(const char *structure, const struct try_side *written,
                   const struct try_side *changed, const struct paired *paired);

#endif
