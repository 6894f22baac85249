// deadline.c - one deadline for all that the end of a process waits for.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/support/deadline.h"

#include "runtime/support/fork.h"
#include "runtime/sys/sys.h"

static struct {
  uint32_t is_on;
  uint64_t left_ns; // threads may spend it together; what is lost then is little
} process RRT_PER_PROCESS;

void rrt_deadline_start(void) {
  __atomic_store_n(&process.left_ns, RRT_DEADLINE_S * UINT64_C(1000000000), __ATOMIC_RELAXED);
  __atomic_store_n(&process.is_on, 1, __ATOMIC_RELAXED);
}

void rrt_deadline_clear(void) { __atomic_store_n(&process.is_on, 0, __ATOMIC_RELAXED); }

uint64_t rrt_deadline_left_ns(uint64_t otherwise) {
  return __atomic_load_n(&process.is_on, __ATOMIC_RELAXED)
             ? __atomic_load_n(&process.left_ns, __ATOMIC_RELAXED)
             : otherwise;
}

void rrt_deadline_spend(uint64_t since_ns) {
  if (!__atomic_load_n(&process.is_on, __ATOMIC_RELAXED))
    return;
  uint64_t passed = rrt_sys_monotonic_raw_ns() - since_ns;
  uint64_t left = __atomic_load_n(&process.left_ns, __ATOMIC_RELAXED);
  __atomic_store_n(&process.left_ns, passed < left ? left - passed : 0, __ATOMIC_RELAXED);
}
