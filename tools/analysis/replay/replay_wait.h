// replay_wait.h - how much of a visit's time in the program is waiting for memory.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_ANALYSIS_REPLAY_REPLAY_WAIT_H
#define RETICLE_TOOLS_ANALYSIS_REPLAY_REPLAY_WAIT_H

/// A visit that takes T in the program, and in the replay W of memory, L in the list alone, of
/// which C is the program's arithmetic and H may hide memory that the program waits for, waits
enum replay_wait {
  REPLAY_WAIT_LEAST,  ///< T - C and T - L, no more than W: the program computes beside its waits
  REPLAY_WAIT_LIKELY, ///< T - C, no more than W + H and 2 W: the list ran while it waited
  REPLAY_WAIT_MOST,   ///< T, no more than 2 W: the program computes nothing
  REPLAY_WAITS
};

/// C isn't measured: the caller takes as much of L for it as the program has of the list's
/// instructions, and the rest for H; where these aren't known, all for both.
///
/// waits  [REPLAY_WAITS], in ns
void replay_wait_find(double program_ns, double memory_ns, double list_ns, double compute_ns,
                      double hidden_ns, double *waits);

#endif
