// annotate_json.h - an annotated function as JSON.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_RENDER_JSON_BLOCK_ANNOTATE_JSON_H
#define RETICLE_TOOLS_RENDER_JSON_BLOCK_ANNOTATE_JSON_H

#include "tools/model/block/function_code.h"
#include "tools/model/measurement/measurement.h"
#include "tools/ui/json.h"

/// Puts "instructions": address, text, samples, block.
void annotate_code_json(const struct function_code *code, struct json *json);

/// Puts "lines": file, line, samples.
void annotate_source_json(const struct sampled_function *function, struct json *json);

#endif
