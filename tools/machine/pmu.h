// pmu.h - why a PMU can't be used, and what to do about it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_MACHINE_PMU_H
#define RETICLE_TOOLS_MACHINE_PMU_H

#include "tools/support/text.h"

/// Why this process can't count cycles, as errno; 0 if it can.
int pmu_error(void);

/// "perf_event_open: ENOENT".
void pmu_add_reason(int error, struct text *out);

/// What helps against that errno of perf_event_open, on this machine.
void pmu_add_remedy(int error, struct text *out);

#endif
