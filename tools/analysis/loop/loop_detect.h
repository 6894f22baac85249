// loop_detect.h - does a loop vary by itself? The evidence behind the verdict.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_ANALYSIS_LOOP_LOOP_DETECT_H
#define RETICLE_TOOLS_ANALYSIS_LOOP_LOOP_DETECT_H

#include "tools/analysis/loop/loop_sample.h"
#include "tools/analysis/loop/loop_thresholds.h"

struct loop_evidence {
  double slow_share;     ///< samples above the usual duration of their time block, by weight
  double slow_error;     ///< its standard error
  double block_share;    ///< trimmed mean over the blocks, each counted alike
  double block_error;    ///< its standard error
  double block_median;   ///< median over the blocks
  double block_quartile; ///< a quarter of the blocks have no more than this
  double group_share;    ///< the same over groups of LOOP_DETECT_GROUP neighbours: trimmed mean
  double group_excess;   ///< the same less the chains' among as many neighbours
  double group_error;    ///< its standard error
  double clustering;     ///< correlation of "slow" between neighbours in time, -1 to 1
  double bursts;         ///< the same within blocks, trimmed mean over these
  double slow_by_ns;     ///< of most of the slow samples: how much longer than usual in their block
  double slow_by_error;  ///< its standard error
  double control_share;  ///< share of the chains that a window as wide leaves above it; 0 without
  double control_cold;   ///< mean share of cold chains that are as late as a slow sample is
  double excess_median;  ///< median over the blocks of the loop's share less the chains'
  double excess_mean;    ///< trimmed mean of the same
  double excess_error;   ///< its standard error
  size_t mode_count;     ///< samples of a slow mode, system noise included; 0 if there is none
  double mode_ns;        ///< how much longer than usual these took, the middle one
  double mode_deviation; ///< their standard deviation
  double mode_expected;  ///< as many were expected there
  double mode_error;     ///< standard error of the difference
  double control_ratio;  ///< as level_ratio, of the chains; 1 without
  double slow_ratio;     ///< median of the slow samples over that of the others; 1 if none
  double level_window_ns; ///< by which a level may differ and be none
  double level_ratio;     ///< usual duration of the slowest tenth of the blocks over the fastest's
  double trend;           ///< Mann-Kendall statistic of the blocks' usual durations, all of them
  double trend_first;     ///< ... of the first half
  double trend_second;    ///< ... of the second half
  bool is_bimodal;        ///< two durations with a gap between
};

/// The blocks of time.
struct loop_blocks {
  double usual_ns[LOOP_DETECT_BLOCKS]; ///< the middle one of those at the level
  double chain_ns[LOOP_DETECT_BLOCKS]; ///< what the chains usually took, pair included; 0 without
  uint32_t last[LOOP_DETECT_BLOCKS];   ///< when, of the last sample
  size_t count;
};

/// Looks at the loop's own samples (own_count).
///
/// sample  is_raw, own_count >= LOOP_DETECT_SAMPLES
void loop_detect(const struct loop_sample *sample, struct loop_evidence *out);

#endif
