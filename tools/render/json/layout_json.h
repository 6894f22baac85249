// layout_json.h - advice on a struct's layout as JSON.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_RENDER_JSON_LAYOUT_JSON_H
#define RETICLE_TOOLS_RENDER_JSON_LAYOUT_JSON_H

#include "tools/analysis/struct_advice.h"
#include "tools/model/known_trial.h"
#include "tools/ui/json.h"

/// Puts useful_share, groups[], advice[] and visible[] into a struct's object.
void layout_json_put(const struct struct_advice *advice, struct json *json);
/// Puts what a replay has measured; nothing where there is none.
void layout_json_put_replay(const struct known_trial *replay, struct json *json);

#endif
