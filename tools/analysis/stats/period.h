// period.h - whether events come at regular times.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_ANALYSIS_STATS_PERIOD_H
#define RETICLE_TOOLS_ANALYSIS_STATS_PERIOD_H

#include "tools/analysis/stats/quantity.h"

#include <stddef.h>
#include <stdint.h>

/// The period of events, ns: the longest one of which they happen at multiples, not necessarily at
/// each. By the mean of their phases (Rayleigh's test), beyond what chance gives random events
/// among as many periods as were tried.
///
/// times_ns  [count] any order; sorted by the call
/// least_ns  shorter periods aren't looked for
///
/// Without a value where there are fewer than 8 events, or no period.
struct quantity period_of(uint64_t *times_ns, size_t count, double least_ns);

#endif
