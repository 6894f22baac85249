// copy_place.h - where a loop's copies are drawn, so that each is timed often in one run.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_MODEL_TRIAL_COPY_PLACE_H
#define RETICLE_TOOLS_MODEL_TRIAL_COPY_PLACE_H

#include "tools/model/measurement/measurement.h"

#include <stdbool.h>
#include <stdint.h>

struct copy_place {
  uint64_t loop;  ///< id of the loop that stands several times: it, or one around it
  uint64_t chunk; ///< iterations behind which a copy is drawn anew; 0: at each execution
};

/// Mean duration of an iteration of the loop as it was timed; 0: trip counts aren't known.
double copy_place_iteration_ns(const struct measurement *m, const struct measured_loop *loop);

/// Returns false where executions are too few and too short.
bool copy_place_find(const struct measurement *m, const struct measured_loop *loop,
                     struct copy_place *out);

#endif
