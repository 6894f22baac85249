// layout_json.h - advice on a struct's layout as JSON.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_RENDER_JSON_STRUCT_LAYOUT_JSON_H
#define RETICLE_TOOLS_RENDER_JSON_STRUCT_LAYOUT_JSON_H

#include "tools/analysis/struct/struct_advice.h"
#include "tools/analysis/struct/struct_shrink.h"
#include "tools/model/struct/known_trial.h"
#include "tools/model/struct/struct_sharing.h"
#include "tools/ui/json.h"

/// Puts useful_share, groups[], advice[] and visible[] into a struct's object.
void layout_json_put(const struct struct_advice *advice, struct json *json);
/// Puts what a replay has measured; nothing where there is none.
void layout_json_put_replay(const struct known_trial *replay, struct json *json);
/// Puts pad: the line that threads share; null where none is suspected.
void layout_json_put_sharing(const struct struct_sharing *sharing, struct json *json);
/// Puts shrink: fields that are wider than their values, and the size without.
void layout_json_put_shrink(const struct struct_shrink *shrink, struct json *json);

#endif
