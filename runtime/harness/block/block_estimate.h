// block_estimate.h - cycles per execution from timings of a short and a long run. Pure.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_RUNTIME_HARNESS_BLOCK_BLOCK_ESTIMATE_H
#define RETICLE_RUNTIME_HARNESS_BLOCK_BLOCK_ESTIMATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// A canary may take so much more or less than expected, as a part of it.
#define BLOCK_CANARY_TOLERANCE 0.06

/// Mean of the lowest dense part of the values: those within `window` above a start, where the
/// start is moved up from the lowest place that holds at least half as many values as the densest
/// one, to where it holds most. A minimum would be biased by the steps of the timer, a mean by
/// interrupts.
///
/// values  [n], n >= 1; sorted by this
double block_dense_mean(double *values, size_t n, double window);

/// The same with a window that fits the values: timings of one run differ by 0.4 % of it, by two
/// steps of the timer, or by what their lower half says. Blocks that store have several clusters
/// within a few cycles: a narrow window took one of them by chance.
double block_typical(double *values, size_t n, double step);

/// First of the repeated timings of a run that counts: `warm`, or where the last quarter is all
/// below the others, the middle of that: the processor was learning till then (which loads find
/// their value in which stores, for one), and a program's loop runs long enough to have learnt it.
///
/// times  [n], in the order of the runs, n >= 8, n >= warm + 6
size_t block_settled(const uint64_t *times, size_t n, size_t warm);

/// Pairs of a short and a long run that begin at different copies. How a run starts depends on
/// where it does, by up to ten cycles on Intel's Golden Cove: on average over pairs these cancel
/// out.
enum { BLOCK_PAIRS = 8 };

/// Runs in several places: as many offsets in a cache line.
enum { BLOCK_OFFSETS = 8 };

struct block_pair {
  double *low, *high; ///< [count] cycles of the short and the long run; sorted by the estimate
  size_t count;
};

/// What accepted rounds say.
struct block_times {
  struct block_pair pairs[BLOCK_PAIRS]; ///< those without values don't count
  double *quotients; ///< [rounds] cycles per execution of each round; sorted by the estimate
  size_t rounds;
  double extra; ///< executions that the long run of each pair has more
  double step;  ///< of the timer, in cycles
};

struct block_value {
  double cycles, low, high; ///< low <= cycles <= high; all NaN without rounds
  double random_error;      ///< half of the interval that more rounds would narrow, in cycles
  bool is_doubtful;         ///< every round seems to have paid for a wrong prediction; more may not
};

/// Value and 95 % interval. The interval holds what rounds and pairs differ by, the steps of the
/// timer, and that a run takes whole cycles.
struct block_value block_estimate(struct block_times *times);

/// Rounds of runs in several places.
struct block_place_times {
  double *quotients; ///< [rounds] cycles per execution
  double *starts; ///< [rounds] cycles that a run has besides those, above what the adds' runs have
  unsigned *offsets; ///< [rounds] where in a cache line it ran, below BLOCK_OFFSETS
  double *sorted;    ///< [rounds] for the estimate's own use
  size_t rounds;
  double extra; ///< executions that the long run has more
  double step;  ///< of the timer, in cycles
};

/// Leaves only rounds that can be right, if they are an eighth of all; false if they aren't. Some
/// runs pay for a wrong prediction that the others don't, 50 to 200 cycles on Golden Cove, and keep
/// doing so while the same run repeats. Where only the short one of a round did, or only the long
/// one, the cycles besides executions are off by twice that; otherwise they are those of the adds,
/// -12 to 33 (5 to 95 % of rounds), for nine of ten blocks.
bool block_place_select(struct block_place_times *times);

/// Value and 95 % interval. How fast a core delivers code of many instructions a cycle depends on
/// where that lies in a cache line, and on how it came into the cache of decoded instructions,
/// where it stays: a few speeds, up to a third apart. The value is the mean of the middle half of
/// the rounds. The interval holds how sure that is, by what rounds of one offset and what stretches
/// of rounds differ, however often it was looked at; and what one of the two runs may have paid
/// alone, where they have more cycles besides executions than is usual.
struct block_value block_estimate_places(const struct block_place_times *times);

/// Half the interval as a part of the value; infinite without one.
double block_value_error(const struct block_value *value);
/// The same of what more rounds would narrow.
double block_random_error(const struct block_value *value);

/// Cycles that an undisturbed turn of the canary takes on this core: a turn is six instructions,
/// and cores issue six or more, five, or four in a cycle.
///
/// least  cycles of the fastest one seen, 0 for none
double block_canary_expected(double least);

/// Sorts ascending, without memory of its own.
void block_sort(double *values, size_t n);

#endif
