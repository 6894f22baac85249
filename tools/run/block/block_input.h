// block_input.h - opens what lists blocks: a file, or the standard input.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_RUN_BLOCK_BLOCK_INPUT_H
#define RETICLE_TOOLS_RUN_BLOCK_BLOCK_INPUT_H

#include <stdio.h>

/// Opens a text, or with "-" a copy of the standard input, which has to end. Null with errno set,
/// for regular_problem: EFBIG where there is more than REGULAR_TEXT_BYTES of it.
FILE *block_input_open(const char *path);

#endif
