// remarks.h - loops and findings as LLVM's optimisation remarks, in YAML.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_EXPORT_REMARKS_H
#define RETICLE_TOOLS_EXPORT_REMARKS_H

#include "tools/model/finding/finding.h"
#include "tools/model/measurement/measurement.h"
#include "tools/support/text.h"

/// Adds a document for each loop and each finding, as -fsave-optimization-record writes them.
///
/// Source: LLVM's "Remarks", and YAMLRemarkParser in its llvm/lib/Remarks.
///
/// Returns how many.
size_t remarks_add(const struct measurement *m, const struct findings *findings, struct text *out);

#endif
