// core_clock.h - the core's own clock, read without a system call where a PMU grants it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_RUNTIME_HARNESS_CORE_CLOCK_H
#define RETICLE_RUNTIME_HARNESS_CORE_CLOCK_H

#include <stdint.h>

struct harness_core_read {
  uint64_t count;    ///< of the counter, as many bits as it has
  uint32_t index;    ///< which counter it was; 0: none was scheduled, or none that can be read
  uint32_t sequence; ///< of the kernel's page; changes when the kernel moves the counter
};

/// Opens a counter of the calling thread's cycles in user mode. Null when it can be read, else why
/// not; the text lives as long as the program.
const char *harness_core_open(void);

/// How it is read, e.g. "lfence;rdpmc;lfence".
const char *harness_core_name(void);

struct perf_event_mmap_page;
/// Reads by that page from now on: harness_core_open's, or a test's. Returns as that does.
const char *harness_core_use(const volatile struct perf_event_mmap_page *page);

/// Only after harness_core_open returned null.
void harness_core_read(struct harness_core_read *out);

/// Cycles between two reads; negative when the counter was moved meanwhile.
int64_t harness_core_between(const struct harness_core_read *start,
                             const struct harness_core_read *end);

#endif
