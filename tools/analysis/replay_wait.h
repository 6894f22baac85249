// replay_wait.h - how much of a visit's time in the program is waiting for memory.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_ANALYSIS_REPLAY_WAIT_H
#define RETICLE_TOOLS_ANALYSIS_REPLAY_WAIT_H

/// A visit that takes T in the program, W of memory in the replay, and L in the list alone, waits
enum replay_wait {
  REPLAY_WAIT_LEAST,  ///< T - L, no more than W: the program computes as long as the list does
  REPLAY_WAIT_LIKELY, ///< T - L, no more than W + L and 2 W: the list ran while it waited
  REPLAY_WAIT_MOST,   ///< T, no more than W + L and 2 W: the program computes nothing
  REPLAY_WAITS
};

/// waits  [REPLAY_WAITS], in ns
void replay_wait_find(double program_ns, double memory_ns, double list_ns, double *waits);

#endif
