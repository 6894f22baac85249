// trials_json.h - what reticle try has measured, as JSON.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_RENDER_JSON_STRUCT_TRIALS_JSON_H
#define RETICLE_TOOLS_RENDER_JSON_STRUCT_TRIALS_JSON_H

#include "tools/model/struct/known_trial.h"
#include "tools/ui/json.h"

/// Puts "trial": null where there is none. loop: as in trials_add; its gain is "loop_gain"
void trials_json(const struct known_trial *known, uint64_t loop, struct json *json);

#endif
