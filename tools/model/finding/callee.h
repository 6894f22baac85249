// callee.h - what helps where calls of a library's function take the time.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_MODEL_FINDING_CALLEE_H
#define RETICLE_TOOLS_MODEL_FINDING_CALLEE_H

#include "tools/model/remedy/remedy.h"

/// REMEDY_NONE of functions that nothing general can be said of.
///
/// name  demangled and short
enum remedy callee_remedy(const char *name);

#endif
