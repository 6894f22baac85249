// loop_sites_json.h - the allocation sites that a loop touches, as JSON.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_RENDER_JSON_LOOP_LOOP_SITES_JSON_H
#define RETICLE_TOOLS_RENDER_JSON_LOOP_LOOP_SITES_JSON_H

#include "tools/model/loop/loop_sites.h"
#include "tools/model/measurement/measurement.h"
#include "tools/ui/json.h"

/// Puts "sites" and "sites_reason" into the loop's object.
void loop_sites_json(const struct measurement *m, const struct loop_sites *sites,
                     struct json *json);

#endif
