// core_clock.c - the core's own clock, read without a system call where a PMU grants it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Source: perf_event_open(2), struct perf_event_mmap_page.
#define _GNU_SOURCE // strerrorname_np
#include "runtime/harness/core_clock.h"

#include "runtime/sys/counter.h"

#include <linux/perf_event.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

static const volatile struct perf_event_mmap_page *page;

const char *harness_core_open(void) {
#if defined(__x86_64__)
  static char reason[96];
  uint32_t error = 0;
  page = rrt_sys_map_cycle_counter(&error);
  if (!page) {
    const char *name = strerrorname_np((int)error);
    snprintf(reason, sizeof(reason), "no PMU (perf_event_open: %s)", name ? name : "unknown error");
    return reason;
  }
  struct harness_core_read now = {0, 0, 0};
  if (!page->cap_user_rdpmc)
    return "the kernel doesn't grant rdpmc (/sys/bus/event_source/devices/cpu/rdpmc)";
  for (int i = 0; i < 1000 && !now.index; i++)
    harness_core_read(&now);
  return now.index ? NULL : "the cycle counter is never scheduled (the NMI watchdog may have it)";
#else
  return "not read on this processor yet";
#endif
}

void harness_core_read(struct harness_core_read *out) {
  out->sequence = page->lock;
  out->index = page->index;
  out->count = 0;
#if defined(__x86_64__)
  uint32_t low, high;
  if (out->index) {
    __asm__ volatile("lfence\n\trdpmc\n\tlfence"
                     : "=a"(low), "=d"(high)
                     : "c"(out->index - 1)
                     : "memory");
    out->count = (uint64_t)high << 32 | low;
  }
#endif
}

int64_t harness_core_between(const struct harness_core_read *start,
                             const struct harness_core_read *end) {
  if (!start->index || start->index != end->index || start->sequence != end->sequence)
    return -1;
  unsigned unused = 64 - page->pmc_width;
  return (int64_t)((end->count - start->count) << unused >> unused);
}
