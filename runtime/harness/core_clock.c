// core_clock.c - the core's own clock, read without a system call where a PMU grants it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sources: perf_event_open(2), struct perf_event_mmap_page; the kernel's Documentation/arch/arm64/
// perf.rst (user access to counters).
#define _GNU_SOURCE // strerrorname_np
#include "runtime/harness/core_clock.h"

#include "runtime/probe/clock/timer.h"
#include "runtime/sys/counter.h"

#include <linux/perf_event.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

enum { SCHEDULE_READS = 1000 };

static const volatile struct perf_event_mmap_page *page;

const char *harness_core_name(void) { return RRT_CORE_NAME; }

const char *harness_core_open(void) {
  static char reason[96];
  uint32_t error = 0;
  const void *memory = rrt_sys_map_cycle_counter(&error);
  if (memory)
    return harness_core_use(memory);
  const char *name = strerrorname_np((int)error);
  snprintf(reason, sizeof(reason), "no PMU (perf_event_open: %s)", name ? name : "unknown error");
  return reason;
}

const char *harness_core_use(const volatile struct perf_event_mmap_page *memory) {
  page = memory;
  if (!page->cap_user_rdpmc)
#if defined(__aarch64__)
    return "the kernel doesn't grant it (sysctl kernel.perf_user_access=1)";
#else
    return "the kernel doesn't grant rdpmc (/sys/bus/event_source/devices/cpu/rdpmc)";
#endif
  struct harness_core_read now = {0, 0, 0};
  for (int i = 0; i < SCHEDULE_READS && !now.index; i++)
    harness_core_read(&now);
  if (now.index)
    return NULL;
  return page->index ? "the kernel counts cycles in a counter that can't be read by name"
                     : "the cycle counter is never scheduled (the NMI watchdog may have it)";
}

void harness_core_read(struct harness_core_read *out) {
  uint32_t index = page->index;
  out->sequence = page->lock;
  out->index = index && rrt_core_can_read(index - 1) ? index : 0;
  out->count = out->index ? rrt_core_read(index - 1) : 0;
}

int64_t harness_core_between(const struct harness_core_read *start,
                             const struct harness_core_read *end) {
  if (!start->index || start->index != end->index || start->sequence != end->sequence)
    return -1;
  unsigned unused = 64 - page->pmc_width;
  return (int64_t)((end->count - start->count) << unused >> unused);
}
