// control.h - what the machine did to a chain of known length that was timed beside the loops.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Why and how: docs/method/loops.md, docs/decisions/0005-control-chain.md.
#ifndef RETICLE_TOOLS_ANALYSIS_LOOP_CONTROL_H
#define RETICLE_TOOLS_ANALYSIS_LOOP_CONTROL_H

#include "tools/analysis/loop/loop_thresholds.h"
#include "tools/analysis/loop/peers.h"
#include "tools/analysis/stats/quantity.h"
#include "tools/profile/profile.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Lengths of chain that are told apart.
#define CONTROL_LENGTHS 4
/// Lengths that are timed beside the program.
#define CONTROL_BESIDE 2

struct control_point {
  uint32_t when;
  double ns;    ///< duration, pair cost included
  double extra; ///< beyond the middle one of its neighbours in time
};

/// The chains of one length.
struct control_length {
  uint64_t adds;
  double usual_ns;              ///< median, without the pair's cost
  double window_ns;             ///< narrowest that holds 95 % of `extra`, system noise left out
  struct control_point *points; ///< [count] by time; owned
  size_t count;
};

/// What a cycle of the core took, over what it usually takes.
struct control_clock {
  uint32_t when;
  double ratio;
};

/// All zero: no control.
struct control {
  struct control_length lengths[CONTROL_LENGTHS]; ///< [length_count] by length
  size_t length_count;
  /// Short ones that ran from cold caches, as what is beside a sample may: what they take longer
  /// has nothing to do with a duration. None in older profiles.
  struct control_length cold;
  /// What ran in a thread of the runtime's: says what the clock was, nothing of the loops. By
  /// length; [CONTROL_BESIDE] of them, empty in most profiles.
  struct control_length beside[CONTROL_BESIDE];
  size_t samples;  ///< all of them
  size_t migrated; ///< of these, dropped as the thread changed CPU meanwhile
  double time_ns;  ///< that chains ran in all
  struct control_clock
      *clock; ///< [clock_count] by time, of chains that are long for the timer; owned
  size_t clock_count;
  /// The same chains, frequency-normalised: as a constant clock would have them. Null without
  /// `clock`; owned.
  struct control *normalised;
  /// Those outside of the windows in which loops were slow together. Null in a control that is part
  /// of another; owned.
  struct control *calm;
  struct peers peers; ///< what the loops did at the same time
};

/// Takes the chains of a profile; none where the timer's rate is unknown.
///
/// out  the caller releases it
void control_init(const struct profile *profile, struct control *out);
void control_release(struct control *control);

/// The chains that stand for a loop of that duration: of the lengths with CONTROL_SAMPLES chains
/// the one nearest by ratio. Null if there is none.
const struct control_length *control_find(const struct control *control, double ns);

/// What an addition of the longest chain takes usually: a cycle of the core, ns. 0 without chains.
double control_cycle_ns(const struct control *control);

/// What a cycle took around that time, over what it usually takes: by the chains around it.
///
/// control  with `clock`
double control_clock_at(const struct control *control, uint32_t when);

/// Times that the duration is that of the chain's; 1 if it is less.
double control_scale(const struct control_length *length, double ns);

/// Narrowest window that holds 95 % of what the machine does to a loop of that duration, ns.
/// steps_ns: what of a window the timer's steps may make, which a longer duration doesn't widen.
double control_window(const struct control_length *length, double ns, double steps_ns);

/// The other way round: a window of a loop of that duration as the chain has it.
double control_narrowed(const struct control_length *length, double ns, double steps_ns,
                        double window_ns);

/// Delays from low_ns to high_ns in a second of run time; error gets the standard error.
double control_delays_per_s(const struct control *control, double low_ns, double high_ns,
                            double *error);

/// Share of the cold chains [begin, end) that are late by more than low_ns and at most high_ns; 0
/// if there are none.
double control_cold_share(const struct control *control, size_t begin, size_t end, double low_ns,
                          double high_ns);

/// The chains from `first` to `last`; where they are fewer than CONTROL_PART, as many around it,
/// all if there are no more.
///
/// begin, end  get positions in length->points
void control_part(const struct control_length *length, uint32_t first, uint32_t last, size_t *begin,
                  size_t *end);

#endif
