// source.h - the lines of source around a loop.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_RENDER_TEXT_SOURCE_H
#define RETICLE_TOOLS_RENDER_TEXT_SOURCE_H

#include "tools/model/measurement/measurement.h"
#include "tools/ui/terminal.h"

/// Adds the lines around the loop, its own marked; or one line that says why they can't be shown.
/// Says so where the file is newer than the profile.
void source_add(const struct profile *profile, const struct profile_loop *loop,
                const struct terminal *terminal, struct text *out);

#endif
