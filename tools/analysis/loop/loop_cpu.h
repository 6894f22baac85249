// loop_cpu.h - shares of CPU time: what loops took, less what their executions waited.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_ANALYSIS_LOOP_LOOP_CPU_H
#define RETICLE_TOOLS_ANALYSIS_LOOP_LOOP_CPU_H

#include "tools/analysis/loop/loop.h"
#include "tools/analysis/run/account.h"

/// CPU time of the loops, all executions together, and its share of the program's.
///
/// Of executions of 20 us and more the kernel told their CPU time; of loops without such, those
/// that call nothing ran all the time, and those with calls at most that. Executions of 1 ms and
/// more waited for a processor as much as all threads did.
///
/// profile  merged
/// stats    [profile->loop_count] after loop_nest
/// cpu      [profile->loop_count] gets copies, total_ns and share of CPU time, nested ones agreeing
///
/// Returns whether it is known; cpu is unchanged if not.
bool loop_cpu(const struct profile *profile, const struct account *account,
              const struct loop_stats *stats, struct loop_stats *cpu);

#endif
