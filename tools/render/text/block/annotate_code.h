// annotate_code.h - machine code with the samples of a function, block by block.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_RENDER_TEXT_BLOCK_ANNOTATE_CODE_H
#define RETICLE_TOOLS_RENDER_TEXT_BLOCK_ANNOTATE_CODE_H

#include "tools/model/block/function_code.h"
#include "tools/model/measurement/measurement.h"
#include "tools/ui/terminal.h"

/// Adds instructions and samples, blocks apart; or why they can't be shown.
/// all  also blocks without samples
void annotate_code_add(const struct function_code *code, bool all, const struct terminal *terminal,
                       struct text *out);

#endif
