// export_chrome.h - timed executions of loops as a trace for Chrome's and Perfetto's viewers.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_EXPORT_EXPORT_CHROME_H
#define RETICLE_TOOLS_EXPORT_EXPORT_CHROME_H

#include "tools/model/measurement/measurement.h"
#include "tools/support/problem.h"
#include "tools/ui/json.h"

/// The trace: an event for each raw sample, a track for each loop of a thread, a process for each
/// profile. The caller frees it.
///
/// m         of the profiles that follow, for the names of their loops
/// profiles  [count]
/// events    out: samples written
/// problems  get which processes are left out
struct json *export_chrome(const struct measurement *m, const struct profile *profiles,
                           size_t count, size_t *events, struct problems *problems);

#endif
