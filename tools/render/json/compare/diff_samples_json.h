// diff_samples_json.h - samples of two sets of runs as JSON.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_RENDER_JSON_COMPARE_DIFF_SAMPLES_JSON_H
#define RETICLE_TOOLS_RENDER_JSON_COMPARE_DIFF_SAMPLES_JSON_H

#include "tools/model/compare/diff_input.h"
#include "tools/model/compare/diff_samples.h"

#include <stdio.h>

/// Returns false if the stream took not all of it.
bool diff_samples_json_write(const struct sample_comparison *comparison, FILE *stream);

#endif
