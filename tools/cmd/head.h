// head.h - the first lines of a report: program, machine, floor, coverage, and what to doubt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_CMD_HEAD_H
#define RETICLE_TOOLS_CMD_HEAD_H

#include "tools/cmd/measurement.h"
#include "tools/ui/terminal.h"

/// Adds the head.
///
/// prefix  starts each line, e.g. "reticle[4711] "; "" for none
void head_add(const struct measurement *measurement, const struct terminal *terminal,
              const char *prefix, struct text *out);

/// The PMU's state as a word and its reason: "none (perf_event_open: ENOENT)".
void head_add_pmu(const struct profile_env *env, struct text *out);

/// Whether the core's own clock can be read by an instruction, and if not, why.
void head_add_core_clock(const struct profile_env *env, struct text *out);

#endif
