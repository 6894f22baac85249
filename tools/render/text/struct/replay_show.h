// replay_show.h - what a replay measured: lines for people.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_RENDER_TEXT_STRUCT_REPLAY_SHOW_H
#define RETICLE_TOOLS_RENDER_TEXT_STRUCT_REPLAY_SHOW_H

#include "tools/model/replay/replay_result.h"
#include "tools/support/text.h"
#include "tools/ui/terminal.h"

void replay_show_add(const struct replay_result *result, const struct terminal *terminal,
                     struct text *out);

#endif
