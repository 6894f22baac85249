// case.h - one execution of a loop, run again in children: as it is, and with its accesses moved.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_RUNTIME_FEATURE_BOUND_CASE_H
#define RETICLE_RUNTIME_FEATURE_BOUND_CASE_H

#include "include/reticle/abi.h"

enum { RRT_CASE_ROWS = 128 };

/// What a case found. In memory that its processes share.
struct rrt_case {
  uint32_t reason; ///< enum reticle_bound_reason
  uint32_t count;
  struct reticle_file_boundtime rows[RRT_CASE_ROWS]; ///< [count]; without id and entry
};

/// Takes memory, once. 0, or -errno.
int rrt_case_open(uint64_t ticks_per_us);

/// In a forked child, which may run cases beside its parent's.
void rrt_case_forked(void);

/// At the entry of the loop: forks, waits. 1: we are in a child, which is to go on into the copy
/// that site->copy says. 0: in the program; *out holds until the next call; null: there is no
/// memory. Async-signal-safe. One at a time.
int rrt_case_run(struct reticle_bound_desc *site, const struct rrt_case **out);

/// In a child: 1.
int rrt_case_is_child(void);
/// In a child, behind an execution of a copy: sets up the next one, or ends the process.
///
/// end_ticks  when it ended
void rrt_case_next(struct reticle_bound_desc *site, uint64_t end_ticks);

#endif
