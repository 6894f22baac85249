// nap.h - how long the sideline sleeps between two drains.
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

#endif
