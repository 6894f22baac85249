// layout_assert.h - a header that fails to compile where a struct's layout isn't the advised one.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_REWRITE_LAYOUT_ASSERT_H
#define RETICLE_TOOLS_REWRITE_LAYOUT_ASSERT_H

#include "tools/analysis/struct/struct_advice.h"
#include "tools/support/text.h"

/// Adds assertions of the size, and of the offsets of the fields in use, as the best order has
/// them; that is the one written where none is better. Bitfields, members of unions and of structs
/// without a name have no offset that C can ask for.
///
/// align_bytes  0: as written
void layout_assert_add(const struct struct_advice *advice, uint32_t align_bytes, struct text *out);

#endif
