// sample_stacks.h - the samples of a profile as other profilers exchange them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_MODEL_SAMPLE_SAMPLE_STACKS_H
#define RETICLE_TOOLS_MODEL_SAMPLE_SAMPLE_STACKS_H

#include "tools/model/measurement/measurement.h"
#include "tools/model/sample/stacks.h"
#include "tools/support/string_table.h"

/// Start with sample_stacks_make, end with sample_stacks_release, before the measurement.
struct sample_stacks {
  struct stacks stacks;
  struct string_table linkages,
      names;       ///< the nth name is the nth linkage name as the source has it
  char **nameless; ///< [file_count] what code without a name is called
  size_t file_count;
  size_t frame_room, location_room, stack_room;
  size_t without; ///< the stack of samples that have none, or STACK_NO_CALLER
};

/// All samples that the report counts: also those without a name, in no file, and without a place
/// in a full table, so that sums are equal. With their callers where the profile has call stacks.
void sample_stacks_make(const struct measurement *m, struct sample_stacks *out);
void sample_stacks_release(struct sample_stacks *stacks);

#endif
