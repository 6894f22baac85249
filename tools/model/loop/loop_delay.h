// loop_delay.h - why a loop's executions were slow, and which were the slowest.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_MODEL_LOOP_LOOP_DELAY_H
#define RETICLE_TOOLS_MODEL_LOOP_LOOP_DELAY_H

#include "tools/analysis/loop/slow_cause.h"
#include "tools/model/measurement/measurement.h"
#include "tools/support/text.h"

/// What made executions of the loop slow, as facts tell; lives as long as the measurement.
const struct slow_causes *slow_causes_get(const struct measurement *m,
                                          const struct measured_loop *loop);

/// Why the file that tells what threads waited for a processor couldn't be read; null where it was.
const char *loop_delay_unknown(const struct measurement *m);

/// Time of day in UTC, to the millisecond: "2026-11-24T18:12:03.123Z".
void loop_delay_add_time(uint64_t at_ns, struct text *out);

/// "page faults 61 %, waited for a CPU 22 %, unexplained 17 %"
void loop_delay_add_shares(const struct slow_causes *causes, struct text *out);

/// "every 100 ms (99.8 to 100 ms): a CPU quota ...", "" where they come at no regular times.
void loop_delay_add_period(const struct slow_causes *causes, struct text *out);

/// "CPU 1.2 ms, waited for a CPU 3.1 ms, 12 page faults": what is 0 is left out.
void loop_delay_add_facts(const struct profile_fact *fact, struct text *out);

#endif
