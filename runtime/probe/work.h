// work.h - the work of an execution from what its gate and its exit hand over.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_RUNTIME_PROBE_WORK_H
#define RETICLE_RUNTIME_PROBE_WORK_H

#include "include/reticle/abi.h"

/// Trip count, or RETICLE_WORK_UNKNOWN. exit: the exit's site; begin_work: the gate's work. The
/// descriptor is read here alone, of timed executions that count at their exits.
static inline uint64_t rrt_work(const struct reticle_site *exit, uint64_t begin_work) {
  if (!(exit->number & RETICLE_SITE_COUNTS))
    return begin_work;
  const struct reticle_loop_desc *loop = &exit->loops[exit->number & RETICLE_SITE_NUMBER];
  int64_t step = (int32_t)loop->work_step;
  if (!step)
    return RETICLE_WORK_UNKNOWN;
  uint64_t grown = step < 0 ? begin_work - exit->work : exit->work - begin_work;
  if (loop->work_bits < 64)
    grown &= (UINT64_C(1) << loop->work_bits) - 1;
  return grown / (uint64_t)(step < 0 ? -step : step) +
         ((exit->number & RETICLE_SITE_LACKS_LAST) != 0);
}

#endif
