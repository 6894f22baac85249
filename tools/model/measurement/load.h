// load.h - whether the machine kept the program waiting for a processor, or the program itself.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_MODEL_MEASUREMENT_LOAD_H
#define RETICLE_TOOLS_MODEL_MEASUREMENT_LOAD_H

#include "tools/model/measurement/measurement.h"
#include "tools/support/text.h"

/// What waiting for a processor says.
struct load {
  struct quantity waited;   ///< part of the time that threads wanted a processor and had none
  struct quantity wanted;   ///< processors that the threads wanted at once, in the mean
  struct quantity pressure; ///< part of the run in which some thread of the machine had none
  bool is_own;              ///< the program's threads are more than the processors it may use
  bool is_busy;             ///< others had the processors: what waited is the machine's load
};

struct load load_of(const struct measurement *m);

/// "machine busy: ...", what it means for the numbers; nothing on a calm one.
void load_add(const struct measurement *m, struct text *out);

#endif
