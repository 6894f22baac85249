// environment.c - PMU and core clock of a run as text.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/model/measurement/environment.h"

#include "tools/machine/pmu.h"

#include <stdint.h>

void environment_add_pmu(const struct profile_env *env, struct text *out) {
  if (env->pmu_errno == 0) {
    text_add(out, "works");
  } else if (env->pmu_errno == UINT32_MAX) {
    text_add(out, "not tried");
  } else {
    text_add(out, "none (");
    pmu_add_reason((int)env->pmu_errno, out);
    text_add(out, ")");
  }
}

void environment_add_core_clock(const struct profile_env *env, struct text *out) {
  if (env->timer_flags & RETICLE_TIMER_CORE) {
    text_add(out, "can be read");
    return;
  }
  text_add(out, "not available: ");
  if (env->pmu_errno == 0) {
    text_add(out, "the kernel doesn't let programs read the counter");
  } else {
    text_add(out, "PMU ");
    environment_add_pmu(env, out);
  }
}
