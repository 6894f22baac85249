// nap.h - how long the sideline sleeps between two drains, and which checkpoints are worth it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_RUNTIME_SESSION_NAP_H
#define RETICLE_RUNTIME_SESSION_NAP_H

#include "runtime/sys/scale.h"

// A wake-up costs 20 to 60 us on a virtual machine, as much as some hundred records. The longest
// nap is what rrt_probe.cpu_permille may lag behind (rate.c).
#define RRT_NAP_MIN_NS UINT64_C(20000000)
#define RRT_NAP_MAX_NS UINT64_C(200000000)

/// The nap after one of nap_ns: as long as the fullest ring takes to its `aim`, when it got
/// `records` in passed_ns. At most twice as long as the one before, as a program may get busier; a
/// ring that fills sooner is drained by its owner.
static inline uint64_t rrt_nap_next(uint64_t nap_ns, uint64_t passed_ns, uint64_t records,
                                    uint64_t aim) {
  uint64_t next = records ? rrt_scale(passed_ns, aim, records) : RRT_NAP_MAX_NS;
  if (next > RRT_NAP_MAX_NS)
    next = RRT_NAP_MAX_NS;
  if (next / 2 > nap_ns)
    next = 2 * nap_ns;
  return next < RRT_NAP_MIN_NS ? RRT_NAP_MIN_NS : next;
}

/// A value that is smoothed over about RRT_NAP_SMOOTH_NS, whatever the naps: the old one, after the
/// new one was seen for passed_ns.
#define RRT_NAP_SMOOTH_NS UINT64_C(60000000)
static inline uint64_t rrt_nap_smooth(uint64_t old, uint64_t seen, uint64_t passed_ns) {
  // In 64ths of RRT_NAP_SMOOTH_NS: no overflow for values up to 2^32 and any time.
  uint64_t part = passed_ns / (RRT_NAP_SMOOTH_NS / 64);
  part = part < 6400 ? part : 6400;
  return (64 * old + part * seen) / (64 + part);
}

// A checkpoint is the whole profile: of 2,000 loops and 64 threads it took a third of the process's
// CPU time once a second. So it takes at most this part of the CPU time since the last one; or,
// where the process is idle, of one processor's time.
#define RRT_CHECKPOINT_CPU_PART 200
#define RRT_CHECKPOINT_WALL_PART 5000
// And it is written at most at this rate, unless so much is new that a kill would lose more than
// this part of the run.
#define RRT_CHECKPOINT_BYTES_PER_S 200000
#define RRT_CHECKPOINT_LOST_PART 8
// `top` and `report --since` wait for the next one, ten seconds at most (tools/run/child/live.c).
#define RRT_CHECKPOINT_GAP_NS UINT64_C(8000000000)

/// What the last checkpoint took, and when it was: wall clock and the process's CPU time.
struct rrt_checkpoint_cost {
  uint64_t cost_ns, bytes;
  uint64_t at_ns, cpu_ns;
};

/// now_ns, start_ns  wall clock; cpu_ns  the process's CPU time so far
static inline int rrt_checkpoint_is_worth(const struct rrt_checkpoint_cost *last, uint64_t now_ns,
                                          uint64_t start_ns, uint64_t cpu_ns) {
  uint64_t passed = now_ns - last->at_ns;
  if (passed >= RRT_CHECKPOINT_GAP_NS)
    return 1;
  if (last->cost_ns > (cpu_ns - last->cpu_ns) / RRT_CHECKPOINT_CPU_PART &&
      last->cost_ns > passed / RRT_CHECKPOINT_WALL_PART)
    return 0;
  return passed / 1000 >= last->bytes * 1000 / (RRT_CHECKPOINT_BYTES_PER_S / 1000) ||
         passed >= (now_ns - start_ns) / RRT_CHECKPOINT_LOST_PART;
}

#endif
