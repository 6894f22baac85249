// function_instructions.h - how many instructions of its own a function executed.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_MODEL_BLOCK_FUNCTION_INSTRUCTIONS_H
#define RETICLE_TOOLS_MODEL_BLOCK_FUNCTION_INSTRUCTIONS_H

#include "tools/model/block/function_code.h"

/// Instructions that the code executed in all runs, without instrumentation. NaN: blocks that take
/// more than a tenth of its time weren't counted.
double function_code_instructions(const struct function_code *code);

/// Instructions that functions of this linkage name executed in a run, without instrumentation.
/// NaN: not known, or it has no samples.
///
/// share  gets that of all CPU time that they took, 0 to 1
double function_instructions(const struct measurement *m, const char *symbol, double *share);

#endif
