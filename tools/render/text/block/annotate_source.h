// annotate_source.h - lines of source with the samples of a function.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_RENDER_TEXT_BLOCK_ANNOTATE_SOURCE_H
#define RETICLE_TOOLS_RENDER_TEXT_BLOCK_ANNOTATE_SOURCE_H

#include "tools/model/measurement/measurement.h"
#include "tools/model/sample/source_lines.h"
#include "tools/ui/terminal.h"

/// Adds the sampled lines with some around them; without debug information or source, why.
/// all  every line between the first and the last sampled one
void annotate_source_add(const struct measurement *m, const struct sampled_function *function,
                         bool all, const struct terminal *terminal, struct text *out);

/// Adds lines of a file, or of several, as shares of that time.
///
/// lines  [count] by file and number
void annotate_lines_add(const struct measurement *m, const struct source_line *lines, size_t count,
                        uint64_t time_ns, bool all, const struct terminal *terminal,
                        struct text *out);

#endif
