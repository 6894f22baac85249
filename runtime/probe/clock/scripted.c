// scripted.c - the clock that tests advance, in place of the timer.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/probe/clock/scripted.h"

#include "runtime/probe/clock/timer.h"

uint64_t rrt_scripted_ticks = 1000000;
uint64_t rrt_scripted_cycles;
uint32_t rrt_scripted_cpu;
uint64_t rrt_scripted_chain_ns = 1;

__attribute__((visibility("default"))) void reticle_scripted_advance(uint64_t ns) {
  __atomic_fetch_add(&rrt_scripted_ticks, ns, __ATOMIC_RELAXED);
}

__attribute__((visibility("default"))) void reticle_scripted_move_to_cpu(uint32_t cpu) {
  __atomic_store_n(&rrt_scripted_cpu, cpu, __ATOMIC_RELAXED);
}

__attribute__((visibility("default"))) void reticle_scripted_advance_core(uint64_t cycles) {
  __atomic_fetch_add(&rrt_scripted_cycles, cycles, __ATOMIC_RELAXED);
}

__attribute__((visibility("default"))) void reticle_scripted_chain(uint64_t ns) {
  rrt_scripted_chain_ns = ns;
}
