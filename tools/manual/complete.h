// complete.h - each shell's tables, which stand at @TABLES@ of its completion.*
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_MANUAL_COMPLETE_H
#define RETICLE_TOOLS_MANUAL_COMPLETE_H

#include "tools/support/text.h"

void complete_add_bash(struct text *out);
void complete_add_zsh(struct text *out);
void complete_add_fish(struct text *out);

/// Adds the string with a backslash in front of each of these characters.
void complete_add_escaped(const char *string, const char *characters, struct text *out);

#endif
