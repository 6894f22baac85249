// environment.h - what a run found of the machine, in words.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_MODEL_MEASUREMENT_ENVIRONMENT_H
#define RETICLE_TOOLS_MODEL_MEASUREMENT_ENVIRONMENT_H

#include "tools/profile/profile.h"
#include "tools/support/text.h"

/// The PMU's state as a word and its reason: "none (perf_event_open: ENOENT)".
void environment_add_pmu(const struct profile_env *env, struct text *out);

/// Whether the core's own clock can be read by an instruction, and if not, why.
void environment_add_core_clock(const struct profile_env *env, struct text *out);

#endif
