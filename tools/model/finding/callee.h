// callee.h - what helps where calls of a library's function take the time.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_MODEL_FINDING_CALLEE_H
#define RETICLE_TOOLS_MODEL_FINDING_CALLEE_H

#include "tools/model/remedy/remedy.h"

/// REMEDY_NONE of functions that nothing general can be said of.
///
/// name  demangled and short
enum remedy callee_remedy(const char *name);

/// The same of a library's template that was compiled into the program; REMEDY_NONE also where only
/// calls from elsewhere say something.
enum remedy callee_inlined_remedy(const char *name);

#endif
