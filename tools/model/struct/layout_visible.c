// layout_visible.c - places of the loops that use a struct.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/model/struct/layout_visible.h"
#include "tools/store/input.h"
#include "tools/support/names.h"

#include <stdlib.h>

/// "parse_line book.c:95", or the function alone.
void struct_loop_add_place(const struct struct_loop *loop, struct text *out) {
  char *function = function_short_name(loop->function);
  text_add_name(out, function);
  free(function);
  if (loop->line)
    text_printf(out, " %s:%u", base_name(loop->file), loop->line);
}

const struct layout_visible layout_visible[LAYOUT_VISIBLE] = {
    {RETICLE_STRUCT_BYTES, "bytes", "it is read, written, copied or compared as bytes"},
    {RETICLE_STRUCT_OFFSETOF, "offsetof", "offsetof is taken of its fields"},
    {RETICLE_STRUCT_IN_UNION, "union", "it is a field of a union"},
    {RETICLE_STRUCT_POSITIONAL, "positional",
     "it is initialised by position: the compiler refuses to try another order"},
    {RETICLE_STRUCT_EXTERN_C, "extern_c", "it is declared extern \"C\""},
    {RETICLE_STRUCT_COMPARED, "compared", "a defaulted comparison goes by the order of its fields"},
};
