// git.h - what git says of the current folder.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_RUN_CHILD_GIT_H
#define RETICLE_TOOLS_RUN_CHILD_GIT_H

#include "tools/support/text.h"

#include <stdbool.h>

/// What git says, its first line. False if it fails: `out` then has its message.
///
/// temporary  a folder
bool git_ask(const char *temporary, char *const *argv, struct text *out);

/// The commit of the current folder, "+changes" behind it where files that git tracks differ from
/// it; "" where git knows none. To be freed.
char *git_head(const char *temporary);

#endif
