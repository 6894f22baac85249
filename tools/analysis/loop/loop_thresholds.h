// loop_thresholds.h - every constant of the verdict on loops, with its unit and its reason.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What each of them earns on the corpus: docs/decisions/0035-one-model-for-the-verdict.md.
// bench/corpus/ablate.py judges the corpus with each switched off, halved and doubled, by a build
// of its own (RETICLE_TUNE) in which values come from the environment.
#ifndef RETICLE_TOOLS_ANALYSIS_LOOP_LOOP_THRESHOLDS_H
#define RETICLE_TOOLS_ANALYSIS_LOOP_LOOP_THRESHOLDS_H

/// THRESHOLD(name, value, off): `off` is the value that switches it off, NO_OFF if there is none.
#ifdef RETICLE_TUNE
double loop_threshold(const char *name, double value);
#define THRESHOLD(name, value, off)                                                                \
  ({                                                                                               \
    static __typeof__(value) found_;                                                               \
    static int is_known_;                                                                          \
    if (!is_known_) {                                                                              \
      found_ = (__typeof__(value))loop_threshold(#name, value);                                    \
      is_known_ = 1;                                                                               \
    }                                                                                              \
    found_;                                                                                        \
  })
#else
#define THRESHOLD(name, value, off) (value)
#endif

/// Share of slow samples from which a loop counts as varying: beyond the control's, and without a
/// control in all.
#define EXCESS_MIN THRESHOLD(EXCESS_MIN, 0.03, 0)
#define SHARE_MIN THRESHOLD(SHARE_MIN, 0.06, 0)
/// Where the control's level moves by this part of what the loop's does, the clock moved.
#define CONTROL_MOVED THRESHOLD(CONTROL_MOVED, 0.5, 1e9)
/// Standard errors from which on a slow mode of its own, however rare, counts: the clearest of many
/// places is chosen.
#define MODE_ERRORS THRESHOLD(MODE_ERRORS, 6, 1e9)
/// ... frequency-normalised: of 1,800 constant loops one was beyond 4.8.
#define MODE_NORMALISED_ERRORS THRESHOLD(MODE_NORMALISED_ERRORS, 5, 1e9)
/// Standard errors that the share must be above zero.
#define ERRORS_MIN THRESHOLD(ERRORS_MIN, 4, 0)
/// ... in blocks and among neighbours together: of 1,800 constant loops one was beyond.
#define BOTH_ERRORS THRESHOLD(BOTH_ERRORS, 6.5, 0)
/// ... in the finer window of bursts: of 300 constant loops 5 were beyond 4, the farthest 5.4.
#define FINER_ERRORS THRESHOLD(FINER_ERRORS, 6, 1e9)
/// Slow samples that follow one another more than this come from the machine as likely as from the
/// loop.
#define CLUSTERING_MAX THRESHOLD(CLUSTERING_MAX, 0.3, 1e9)
/// ... and this much leaves no doubt.
#define CLUSTERING_SURE THRESHOLD(CLUSTERING_SURE, 0.5, 1e9)
/// Part of a block's slow share that is also seen among neighbours: less than this when whole
/// stretches of time are slow.
#define GROUP_MACHINE THRESHOLD(GROUP_MACHINE, 0.25, 0)
/// Slow share in the quietest quarter of the run from which bursts do not matter.
#define QUARTILE_OWN THRESHOLD(QUARTILE_OWN, 0.06, 1e9)
/// Steps of the timer up to which a busy neighbour was seen to slow a loop that does always the
/// same.
#define STEPS_SURE THRESHOLD(STEPS_SURE, 3.25, 0)
/// Highest share of executions that interrupts hit, however long they are.
#define NOISE_SHARE_LONG THRESHOLD(NOISE_SHARE_LONG, 0.1, 0)
/// A trend must be this clear: over the whole run, and within each half, for a step in the middle
/// is none.
#define TREND_ERRORS THRESHOLD(TREND_ERRORS, 3.0, 1e9)
#define TREND_HALF_ERRORS THRESHOLD(TREND_HALF_ERRORS, 1.0, -1e9)
/// A verdict of steady stands for this: a tenth of the runs, slower by a quarter, would have been
/// seen beside what the machine does.
#define SEEN_BY THRESHOLD(SEEN_BY, 0.25, 1e9)
#define SEEN_SHARE THRESHOLD(SEEN_SHARE, 0.1, 1e9)
/// Where the control's share is higher, what is left of the loop's is no longer put down to all.
#define CONTROL_MOST THRESHOLD(CONTROL_MOST, 0.5, 0)
/// A rare slow mode counts from this share on, if it is slower than a machine makes it.
#define SHARE_RARE THRESHOLD(SHARE_RARE, 0.02, 1e9)
/// A mode that the chains are asked for is at least so many ns away: nearer ones are for the blocks
/// to find, which find less where the clock had to be put right (5 % of runs of 2 us + 100 ns in 15
/// of 20 trials).
#define MODE_LEAST_NS THRESHOLD(MODE_LEAST_NS, 100.0, 0)
#define MODE_LEAST_NORMALISED_NS THRESHOLD(MODE_LEAST_NORMALISED_NS, 75.0, 0)
/// Narrowest mode that is looked for. Others are twice as wide, and so on up to twice the window.
#define MODE_NARROWEST_NS THRESHOLD(MODE_NARROWEST_NS, 18.0, NO_OFF)
/// What a slower clock makes late is known no better than to this part: it comes in stretches.
#define MODE_CLOCK_ERROR THRESHOLD(MODE_CLOCK_ERROR, 0.3, 0)
/// Delays that hit chains are asked for up to this factor around a mode: the system's have no
/// lengths of their own, but there are few chains.
#define MODE_AROUND THRESHOLD(MODE_AROUND, 1.5, NO_OFF)
/// Fewer than this are no mode, nor are they below such a share beyond those expected: of 1 % of
/// 2,000 samples fewer are left in one of 200.
#define MODE_COUNT THRESHOLD(MODE_COUNT, 8, 1)
#define MODE_SHARE THRESHOLD(MODE_SHARE, 0.004, 0)
/// A mode is in so many of the blocks that chance would give some.
#define SPREAD THRESHOLD(SPREAD, 0.6, 0)
/// Delays of up to this length come as often as LOOP_NOISE_PER_S. A longer one comes the more
/// seldom the longer it is, or there would be no time left ...
#define NOISE_LONG_NS THRESHOLD(NOISE_LONG_NS, 10000.0, 1e18)
/// ... but for preemptions, which end a slice of the scheduler's: at most so many a second of run
/// time. Measured beside three that spin and beside `cat | cat`, all on one processor: 255 and 508.
#define PREEMPTIONS_PER_S THRESHOLD(PREEMPTIONS_PER_S, 600.0, 0)
/// Delays of chains that must have been seen before they raise the limit: of one it is not known
/// how often there are such.
#define DELAYS_SEEN THRESHOLD(DELAYS_SEEN, 4, 1e9)
/// Samples of a tail, and the least share of all samples beyond what was to be expected. Trip
/// counts are exact, so a few with more do.
#define WORK_COUNT THRESHOLD(WORK_COUNT, 3, 1e9)
#define FAR_COUNT THRESHOLD(FAR_COUNT, 8, 1e9)
#define WORK_SHARE THRESHOLD(WORK_SHARE, 0.004, 0)
/// Of the samples with so much more work that it shows, how many must have taken longer by it.
#define WORK_FOLLOWS THRESHOLD(WORK_FOLLOWS, 0.8, 0)
#define FAR_SHARE THRESHOLD(FAR_SHARE, 0.01, 0)
/// Standard errors beyond what was to be expected: ten distances are tried.
#define FAR_ERRORS THRESHOLD(FAR_ERRORS, 6, 0)
/// By how much its trips and its time may differ where a slow sample is one that had more to do.
#define MORE_WORK THRESHOLD(MORE_WORK, 1.5, NO_OFF)
/// So many times as many executions are far slower as do more work: the others decide.
#define MOST_OTHER THRESHOLD(MOST_OTHER, 2, 1e9)
/// The work tells from this share of the variance on.
#define WORK_LEAST THRESHOLD(WORK_LEAST, 0.5, 0)
/// The densest window tells how slow the slow ones are, unless it holds less than one in so many.
#define FEW_HELD THRESHOLD(FEW_HELD, 5, 1e9)
/// Samples without which nothing is said.
#define LOOP_DETECT_SAMPLES THRESHOLD(LOOP_DETECT_SAMPLES, 100, 0)
#define LOOP_DETECT_BLOCK_SAMPLES THRESHOLD(LOOP_DETECT_BLOCK_SAMPLES, 25, NO_OFF)
/// Part of the blocks and groups that means leave out at each end.
#define LOOP_DETECT_TRIM THRESHOLD(LOOP_DETECT_TRIM, 0.1, 0)
/// Differences up to this share of the median are none: that much, a shared machine moves a loop
/// that does always the same.
#define WINDOW_SHARE THRESHOLD(WINDOW_SHARE, 0.05, 0)
/// A fenced timer may add a tick or two to a whole number of steps; a quarter step covers it.
#define WINDOW_STEPS THRESHOLD(WINDOW_STEPS, 2.25, 0)
/// Interrupts and preemptions never hit more than the highest share of samples: above it, it is the
/// loop.
#define NOISE_SHARE_MAX THRESHOLD(NOISE_SHARE_MAX, 0.05, 1)
/// Frequency-normalised durations serve where they spread less by this: what waits for memory
/// doesn't follow the core's clock.
#define NORMALISED_SPREAD_MOST THRESHOLD(NORMALISED_SPREAD_MOST, 0.9, 0)
/// A change of the clock that makes so many steps of the timer can hide in a chain, and makes as
/// much more of a loop as that is longer. On a tick of 10 ns 5 of 3,600 constant loops, of 520 to
/// 720 ns, were unsteady by 25 ns without this.
#define HIDDEN_STEPS THRESHOLD(HIDDEN_STEPS, 1.35, 0)
/// With a control: beyond this system noise is the first explanation, not the loop.
#define NOISE_FAR_SHARE THRESHOLD(NOISE_FAR_SHARE, 0.1, 0)
/// Interrupts, preemptions and pauses of a virtual machine that last 1 us and more: at most so many
/// a second. Measured on a busy shared machine with two processors: 2,750 (docs/method/loops.md).
#define LOOP_NOISE_PER_S THRESHOLD(LOOP_NOISE_PER_S, 2500.0, 0)
/// None of them takes less.
#define LOOP_NOISE_NS THRESHOLD(LOOP_NOISE_NS, 1000.0, 0)
/// ... and this share of samples is hit whatever their length.
#define LOOP_NOISE_SHARE THRESHOLD(LOOP_NOISE_SHARE, 0.002, 0)
/// A sample differs from others by up to this because it is one: the first execution behind a cold
/// call, whose branches find a cold predictor. Of constant loops of 100 ns to 1 us on a busy
/// machine 1 to 2 % did by more.
#define LOOP_PROBE_NS THRESHOLD(LOOP_PROBE_NS, 18.0, 0)
/// ... and where the core is slow, by up to so many of its cycles (docs/method/loops.md).
#define LOOP_PROBE_CYCLES THRESHOLD(LOOP_PROBE_CYCLES, 60.0, 0)
/// Part of the chains that the window holds. Source: issue and design of the detector.
#define WINDOW_HOLDS THRESHOLD(WINDOW_HOLDS, 0.95, NO_OFF)
/// Neighbours in time whose middle one is the usual duration there: a slower clock isn't jitter.
#define CONTROL_NEIGHBOURS THRESHOLD(CONTROL_NEIGHBOURS, 25, NO_OFF)
/// No clock changes by more than this factor.
#define CLOCK_MOST THRESHOLD(CLOCK_MOST, 4.0, 1e9)
/// Chains of a length without which it says nothing.
#define CONTROL_SAMPLES THRESHOLD(CONTROL_SAMPLES, 40, 1)
/// What takes so many steps of the timer is timed well enough to see the clock change.
#define CONTROL_LONG_STEPS THRESHOLD(CONTROL_LONG_STEPS, 100, NO_OFF)
/// Chains that stand for a part of the run.
#define CONTROL_PART THRESHOLD(CONTROL_PART, 25, NO_OFF)
/// A machine that is shared slows a loop by at most this factor for a while.
#define MACHINE_RATIO THRESHOLD(MACHINE_RATIO, 2.5, 1e9)
/// Samples of a loop without which the others aren't compared with it.
#define PEER_SAMPLES THRESHOLD(PEER_SAMPLES, 40, 1)
/// By this part of the usual a loop is slow where others are asked: a clock's changes are less.
#define PEER_SLOW_BY THRESHOLD(PEER_SLOW_BY, 0.15, 0)
/// Loops that must be slow together.
#define PEER_LEAST THRESHOLD(PEER_LEAST, 2, 1000)
/// Loops are slow together where so many are by less than this chance.
#define PEER_CHANCE THRESHOLD(PEER_CHANCE, 0.05, 0)
/// ns to either side of a sample that are its window.
#define PEER_REACH_NS THRESHOLD(PEER_REACH_NS, 2e6, 0)

/// Blocks of time; fewer where a block would have under LOOP_DETECT_BLOCK_SAMPLES samples.
#ifndef LOOP_DETECT_BLOCKS
#define LOOP_DETECT_BLOCKS 20
#endif
/// Samples of one thread, one after another, that are too close in time for the machine to change
/// much in between.
#ifndef LOOP_DETECT_GROUP
#define LOOP_DETECT_GROUP 12
#endif

#endif
