// diff_samples_show.h - samples of two sets of runs as text.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_RENDER_TEXT_COMPARE_DIFF_SAMPLES_SHOW_H
#define RETICLE_TOOLS_RENDER_TEXT_COMPARE_DIFF_SAMPLES_SHOW_H

#include "tools/model/compare/diff_samples.h"
#include "tools/render/text/compare/diff_text.h"

void diff_samples_text_add(const struct sample_comparison *comparison, const struct diff_rows *rows,
                           const struct terminal *terminal, struct text *out);

#endif
