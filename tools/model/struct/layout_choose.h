// layout_choose.h - from a struct's name to what is advised for it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_MODEL_STRUCT_LAYOUT_CHOOSE_H
#define RETICLE_TOOLS_MODEL_STRUCT_LAYOUT_CHOOSE_H

#include "tools/analysis/struct/struct_advice.h"
#include "tools/model/measurement/measurement.h"
#include "tools/support/problem.h"

/// As the options --pin, --align and --apart give it.
struct layout_wish {
  const char *pin;
  uint64_t align_bytes;
  bool apart;
};

/// Finds the struct and works its advice out; in any case `out` can be released.
///
/// me  the command's name, for messages
///
/// Returns PROBLEM_NONE, PROBLEM_USAGE or PROBLEM_UNREADABLE after saying why.
int layout_choose(const struct measurement *measurement, const char *name,
                  const struct layout_wish *wish, const char *me, struct struct_advice *out,
                  struct problems *problems);

#endif
