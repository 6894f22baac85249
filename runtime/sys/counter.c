// counter.c - a hardware counter that can be read without the kernel.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/sys/counter.h"

#include "runtime/sys/sys.h"
#include "runtime/sys/syscall.h"

#include <linux/mman.h>
#include <linux/perf_event.h>
#include <sys/mman.h>

const void *rrt_sys_map_cycle_counter(uint32_t *error) {
  struct perf_event_attr attr;
  rrt_zero(&attr, sizeof attr);
  attr.type = PERF_TYPE_HARDWARE;
  attr.size = sizeof attr;
  attr.config = PERF_COUNT_HW_CPU_CYCLES;
  attr.exclude_kernel = 1;
  attr.exclude_hv = 1;
  attr.pinned = 1;
  long fd = rrt_syscall(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
  if (fd < 0) {
    *error = (uint32_t)-fd;
    return 0;
  }
  long at = rrt_syscall(SYS_mmap, 0, 4096, PROT_READ, MAP_SHARED, fd, 0);
  if (at < 0 && at > -4096) {
    *error = (uint32_t)-at;
    rrt_sys_close((int)fd);
    return 0;
  }
  return (const void *)at;
}
