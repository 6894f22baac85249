// peers.h - what the other loops did at the same time: windows in which loops are slow together.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is assumed and why: docs/method/loops.md.
#ifndef RETICLE_TOOLS_ANALYSIS_LOOP_PEERS_H
#define RETICLE_TOOLS_ANALYSIS_LOOP_PEERS_H

#include "tools/profile/profile.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// A loop of the profile, as the others see it.
struct peer {
  const struct profile_loop *loop;
  bool *is_shared; ///< [loop->raw_count] the sample is in a window in which others are slow; owned
  bool is_voter;   ///< samples enough, and none of other loops inside of them
  double usual_ticks; ///< what it usually takes with its usual work; of voters
  double slow_share;  ///< of its samples outside of shared windows
  double *ratios;     ///< [ratio_count] these over the usual, ascending; owned
  size_t ratio_count;
};

/// All zero: none.
struct peers {
  struct peer *loops; ///< [loop_count] in the profile's order; owned
  size_t loop_count;
  struct peer_point *points; ///< [point_count] all samples, by thread and time; owned
  size_t point_count;
  struct peer_point *votes; ///< [vote_count] those that may vote, in the same order; owned
  size_t vote_count;
  uint32_t reach; ///< a window goes so many units of `when` to either side
};

/// Finds the shared windows.
///
/// profile      must outlive `out`
/// noise_ticks  by up to so much the timer and the probe change any duration
/// out          the caller releases it
void peers_init(const struct profile *profile, double noise_ticks, struct peers *out);
void peers_release(struct peers *peers);

/// The loop's own; null if it isn't one of the profile's.
const struct peer *peers_find(const struct peers *peers, const struct profile_loop *loop);

/// Whether loops of the thread were slow together around that time.
bool peers_are_slow(const struct peers *peers, uint32_t thread, uint32_t when);

/// Share of samples outside of shared windows that take from `low` to `high` times the usual: the
/// middle one of the loops but for `own`. 0 where they are fewer than two.
double peers_share(const struct peers *peers, const struct peer *own, double low, double high);

#endif
