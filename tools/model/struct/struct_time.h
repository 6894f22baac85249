// struct_time.h - the CPU time that the layout of a struct can save at most, by samples and stalls.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_MODEL_STRUCT_STRUCT_TIME_H
#define RETICLE_TOOLS_MODEL_STRUCT_STRUCT_TIME_H

#include "tools/model/measurement/measurement.h"

/// Shares of all CPU time, 0 to 1; NaN where there are no samples.
struct struct_time {
  double cpu;    ///< of the functions whose code accesses the struct
  double memory; ///< of these, what may have been waiting for memory: no layout saves more
};

/// Code without a name counts where its file is instrumented, as it may access the struct.
struct struct_time struct_time_of(const struct measurement *m, const struct struct_use *use);

#endif
