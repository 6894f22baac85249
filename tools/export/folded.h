// folded.h - samples as folded stacks: one line for each stack, its frames from the outside in.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_EXPORT_FOLDED_H
#define RETICLE_TOOLS_EXPORT_FOLDED_H

#include "tools/model/sample/stacks.h"

/// Makes the lines "caller;function;inlined copy SAMPLES", of samples without callers
/// "file;function; inlined copy SAMPLES"; sorted, equal stacks added up.
///
/// text  out: the caller frees it with free()
///
/// Returns 0, or -1 without memory.
int folded_encode(const struct stacks *stacks, char **text, size_t *length);

#endif
