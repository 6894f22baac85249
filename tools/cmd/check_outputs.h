// check_outputs.h - writes the verdict of a check where CI servers look for it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_CMD_CHECK_OUTPUTS_H
#define RETICLE_TOOLS_CMD_CHECK_OUTPUTS_H

#include "tools/model/compare/check_result.h"

#include <stdbool.h>

struct check_outputs {
  bool github;                         ///< workflow commands, and the step's summary
  const char *sarif, *junit, *quality; ///< paths; null: not asked for
};

/// Writes what was asked for, workflow commands to the standard output. False after saying what
/// could not be written; the others are.
bool check_outputs_write(const struct check_outputs *outputs, const struct check_result *result);

#endif
