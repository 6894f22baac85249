// counter.c - a hardware counter that can be read without the kernel.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/sys/counter.h"

#include "runtime/sys/sys.h"
#include "runtime/sys/syscall.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/mman.h>
#include <linux/perf_event.h>
#include <sys/mman.h>

enum { PAGE_BYTES = 4096, HIGH_DESCRIPTOR = 512 };

// An event of the calling thread in user mode, type and config as the kernel has them; the
// descriptor, or -errno.
static long open_event(uint32_t type, uint64_t config, int leader, int is_pinned, int is_off) {
  struct perf_event_attr attr;
  rrt_zero(&attr, sizeof attr);
  attr.type = type;
  attr.size = sizeof attr;
  attr.config = config;
#if defined(__aarch64__)
  attr.config1 = 2; // asks for access in user mode; ignored where there is none
#endif
  attr.exclude_kernel = 1;
  attr.exclude_hv = 1;
  attr.pinned = is_pinned != 0;
  attr.disabled = is_off != 0;
  return rrt_syscall(SYS_perf_event_open, &attr, 0, -1, leader, PERF_FLAG_FD_CLOEXEC);
}

static long open_cycles(int is_pinned) {
  return open_event(PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES, -1, is_pinned, 0);
}

static const struct perf_event_mmap_page *map_page(long fd, uint32_t *error) {
  long at = rrt_syscall(SYS_mmap, 0, PAGE_BYTES, PROT_READ, MAP_SHARED, fd, 0);
  *error = at < 0 && at > -PAGE_BYTES ? (uint32_t)-at : 0;
  if (*error)
    return 0;
  rrt_sys_own_add((const void *)at, PAGE_BYTES);
  return (const struct perf_event_mmap_page *)at;
}

const void *rrt_sys_map_cycle_counter(uint32_t *error) {
  long fd = open_cycles(1);
  if (fd < 0) {
    *error = (uint32_t)-fd;
    return 0;
  }
  const void *page = map_page(fd, error);
  if (!page)
    rrt_sys_close((int)fd);
  return page;
}

int rrt_sys_open_misses(uint32_t pid, enum rrt_cache cache) {
  struct perf_event_attr attr;
  rrt_zero(&attr, sizeof attr);
  attr.type = PERF_TYPE_HW_CACHE;
  attr.size = sizeof attr;
  attr.config = (cache == RRT_CACHE_CODE ? PERF_COUNT_HW_CACHE_L1I : PERF_COUNT_HW_CACHE_L1D) |
                PERF_COUNT_HW_CACHE_OP_READ << 8 | PERF_COUNT_HW_CACHE_RESULT_MISS << 16;
  attr.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
  attr.exclude_kernel = 1;
  attr.exclude_hv = 1;
  return (int)rrt_syscall(SYS_perf_event_open, &attr, pid, -1, -1, PERF_FLAG_FD_CLOEXEC);
}

int rrt_sys_read_counter(int fd, uint64_t *count) {
  uint64_t values[3]; // count, time enabled, time running
  long n = rrt_sys_read(fd, values, sizeof values);
  if (n != (long)sizeof values)
    return n < 0 ? (int)n : -EIO;
  *count = values[0];
  return values[2] < values[1] ? -EBUSY : 0;
}

uint32_t rrt_sys_pmu_errno(int *can_read) {
  uint32_t error;
  *can_read = 0;
  long fd = open_cycles(0);
  if (fd < 0)
    return (uint32_t)-fd;
  const struct perf_event_mmap_page *page = map_page(fd, &error);
  if (page) {
    *can_read = page->cap_user_rdpmc;
    rrt_sys_unmap((void *)page, PAGE_BYTES);
  }
  rrt_sys_close((int)fd);
  return 0;
}

int rrt_sys_open_event(uint64_t code, int leader, int is_off) {
  return (int)open_event(PERF_TYPE_RAW, code, leader, leader < 0, leader < 0 && is_off);
}

const volatile struct rrt_pmu_page *rrt_sys_map_event(int fd, uint32_t *error) {
  return (const volatile struct rrt_pmu_page *)map_page(fd, error);
}

void rrt_sys_unmap_event(const void *page) { rrt_sys_unmap((void *)page, PAGE_BYTES); }

void rrt_sys_switch_events(int leader, int on) {
  rrt_syscall(SYS_ioctl, leader, on ? PERF_EVENT_IOC_ENABLE : PERF_EVENT_IOC_DISABLE,
              PERF_IOC_FLAG_GROUP);
}

void rrt_sys_reset_event(int fd) { rrt_syscall(SYS_ioctl, fd, PERF_EVENT_IOC_RESET, 0); }

int rrt_sys_raise_descriptor(int fd) {
  long high = rrt_syscall(SYS_fcntl, fd, F_DUPFD_CLOEXEC, HIGH_DESCRIPTOR);
  if (high < 0)
    return fd;
  rrt_sys_close(fd);
  return (int)high;
}
