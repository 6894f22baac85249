// period.h - whether events come at regular times.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_ANALYSIS_PERIOD_H
#define RETICLE_TOOLS_ANALYSIS_PERIOD_H

#include "tools/analysis/quantity.h"

#include <stddef.h>
#include <stdint.h>

/// The longest period that the events keep, in ns, some of whose times may have none: by the length
/// of the mean of their phases (Rayleigh's test), beyond what chance makes of as many periods as
/// were tried.
///
/// times_ns  [count] any order; reordered
/// least_ns  shorter periods aren't looked for: how long an event is
///
/// Without a value where there are fewer than 8 events, or no period; with no memory, too.
struct quantity period_of(uint64_t *times_ns, size_t count, double least_ns);

#endif
