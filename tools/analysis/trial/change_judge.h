// change_judge.h - whether a change pays, by pairs of runs of the whole program.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_ANALYSIS_TRIAL_CHANGE_JUDGE_H
#define RETICLE_TOOLS_ANALYSIS_TRIAL_CHANGE_JUDGE_H

#include "tools/analysis/stats/quantity.h"

#include <stdbool.h>
#include <stddef.h>

/// Pairs, at least, that tell whether a change is worth more of them, and those that then decide.
/// The latter are runs of their own: of many changes the best of a few pairs has had luck.
enum { CHANGE_SCREEN_PAIRS = 4, CHANGE_CONFIRM_PAIRS = 10 };
/// Saved, from which on a change is worth more pairs: half of what is told in the end.
#define CHANGE_KEPT 0.01

enum change_result {
  CHANGE_PAYS,         ///< confirmed: PAIRED_GAIN, and more than runs differ by without a change
  CHANGE_DOES_NOT_PAY, ///< too little in the first pairs, or none behind them and none claimed
  CHANGE_REFUTED,      ///< the first pairs said so, and those that decide do not
  CHANGE_NOT_TRIED,
};

/// A run without the change and one with it, CPU seconds > 0.
struct change_pair {
  unsigned build; ///< pairs of one are next to each other
  double plain_s, changed_s;
};

/// Share of the time that the change saves, with its 95 % interval; below 0: it costs.
///
/// Returns QUANTITY_TOO_FEW of less than two pairs, QUANTITY_UNSUPPORTED of a run of no time.
struct quantity change_saved(const struct change_pair *pairs, size_t count);

/// Whether the first pairs are good enough for more.
bool change_is_kept(const struct change_pair *pairs, size_t count);

/// What runs of a program may differ by without a change, as a share: how far the interval of such
/// pairs reaches from 0; 0 of too few.
double change_floor(const struct change_pair *pairs, size_t count);

/// confirmed  [confirmed_count] behind those; fewer than CHANGE_CONFIRM_PAIRS decide nothing
/// floor      change_floor of pairs that were run beside these
enum change_result change_judge(const struct change_pair *screened, size_t screened_count,
                                const struct change_pair *confirmed, size_t confirmed_count,
                                double floor);

/// "pays", "does-not-pay", "refuted" or "not-tried".
const char *change_result_name(enum change_result result);

#endif
