// site_map.h - the typical object of an allocation site, word by word.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_RENDER_TEXT_HEAP_SITE_MAP_H
#define RETICLE_TOOLS_RENDER_TEXT_HEAP_SITE_MAP_H

#include "tools/model/heap/site_type.h"
#include "tools/ui/terminal.h"

/// Adds the object's lines of 64 bytes from its start on, with the fields that begin in each; of an
/// array of structs, all elements laid over one.
///
/// has_kinds  reads and writes were told apart
void site_map_add(const struct site_use *use, const struct site_type *type, bool has_kinds,
                  const struct terminal *terminal, struct text *out);

#endif
