// cpuprofile.h - samples as .cpuprofile, which VS Code and Chrome's developer tools open.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_EXPORT_CPUPROFILE_H
#define RETICLE_TOOLS_EXPORT_CPUPROFILE_H

#include "tools/model/sample/stacks.h"
#include "tools/ui/json.h"

/// Source: Chrome DevTools Protocol, Profiler.Profile.
///
/// Returns the profile, to be freed with json_free.
struct json *cpuprofile_make(const struct stacks *stacks);

#endif
