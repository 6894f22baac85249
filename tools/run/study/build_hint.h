// build_hint.h - a build command of the user's, changed so that a study can use it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_RUN_STUDY_BUILD_HINT_H
#define RETICLE_TOOLS_RUN_STUDY_BUILD_HINT_H

#include "tools/support/text.h"

#include <stdbool.h>

enum build_fault {
  BUILD_OTHER_COMPILER, ///< it compiles by another compiler than $CC and $CXX
  BUILD_NOT_ANEW,       ///< it leaves what is there as it is
};

/// Adds the command with what make, cmake, ninja and compilers in it need. A folder that cmake or
/// meson configured keeps its compiler, so that those get another one, DIR-reticle. Returns false,
/// with nothing added, where there is nothing to change.
bool build_hint_add(const char *command, enum build_fault fault, struct text *out);

#endif
