// struct_time.h - the CPU time of the code that accesses a struct, by samples.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_MODEL_STRUCT_TIME_H
#define RETICLE_TOOLS_MODEL_STRUCT_TIME_H

#include "tools/model/measurement.h"

/// CPU time of the functions whose code accesses the struct, 0 to 1 of all: no layout saves more.
/// Code without a name counts where its file is instrumented, as it may be one of them.
///
/// Returns NaN where there are no samples.
double struct_cpu_share(const struct measurement *m, const struct struct_use *use);

#endif
