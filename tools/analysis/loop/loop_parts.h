// loop_parts.h - the steps of loop_analyse, each on the loop's samples.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_ANALYSIS_LOOP_LOOP_PARTS_H
#define RETICLE_TOOLS_ANALYSIS_LOOP_LOOP_PARTS_H

#include "tools/analysis/loop/loop.h"
#include "tools/analysis/loop/loop_detect.h"
#include "tools/analysis/loop/loop_sample.h"

/// total_ns, share and mean_ns.
void loop_cost_total(const struct profile_loop *loop, const struct profile_env *env,
                     const struct loop_sample *sample, struct loop_stats *out);

/// lost_ns and system_noise_ns, from the samples.
void loop_cost_lost(const struct profile_loop *loop, const struct profile_env *env,
                    const struct loop_sample *sample, struct loop_stats *out);

/// variance_work and variance_processor.
void loop_variance(const struct profile_loop *loop, const struct loop_sample *sample,
                   struct loop_stats *out);

/// verdict, reason, shape and slow_share. variance_work must be known.
void loop_judge(const struct profile_loop *loop, const struct loop_sample *sample,
                struct loop_stats *out);

/// Slow executions that the machine can't have made, whatever the chains say: it changes no trip
/// counts, and its delays are not so long so often. Sets the same where there are any;
/// variance_work must be known.
void loop_judge_tails(const struct loop_sample *sample, struct loop_stats *out);

/// Makes slow_share, slow_by_ns and lost_ns tell of the same executions, when the verdict is known.
void loop_cost_agree(const struct profile_loop *loop, const struct loop_sample *sample,
                     struct loop_stats *out);

/// spark, spark_low_ns and spark_high_ns.
void loop_spark(const struct loop_sample *sample, struct loop_stats *out);

#endif
