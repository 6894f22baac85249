// layout_visible.h - what may see a struct's layout, and where loops use it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_MODEL_STRUCT_LAYOUT_VISIBLE_H
#define RETICLE_TOOLS_MODEL_STRUCT_LAYOUT_VISIBLE_H

#include "tools/analysis/struct/struct_advice.h"
#include "tools/support/text.h"

#include <stdint.h>

/// "parse_line book.c:95", or the function alone.
void struct_loop_add_place(const struct struct_loop *loop, struct text *out);

/// A use that shows the layout.
struct layout_visible {
  uint32_t flag;    ///< of struct profile_struct
  const char *code; ///< for scripts
  const char *text;
};
enum { LAYOUT_VISIBLE = 6 };
extern const struct layout_visible layout_visible[LAYOUT_VISIBLE];

#endif
