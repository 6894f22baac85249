// checks_json.h - the doctor's findings as JSON.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_RENDER_JSON_REPORT_CHECKS_JSON_H
#define RETICLE_TOOLS_RENDER_JSON_REPORT_CHECKS_JSON_H

#include "tools/model/doctor/checks.h"
#include "tools/ui/json.h"

/// [{"state","part","name","text","remedy"}, ...]
struct json *checks_json(const struct checks *checks);

#endif
