// sample_profile.h - executions of lines as clang's -fprofile-sample-use reads them, as text.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_EXPORT_SAMPLE_PROFILE_H
#define RETICLE_TOOLS_EXPORT_SAMPLE_PROFILE_H

#include "tools/model/block/line_counts.h"
#include "tools/support/text.h"

/// Adds each function that ran. Left out: names that the format can't hold.
///
/// Source: LLVM's "SampleProfReader.h", its text format.
///
/// counts   finished
/// comment  one line
///
/// Returns how many functions.
size_t sample_profile_add(const struct line_counts *counts, const char *comment, struct text *out);

#endif
