// pages.c - which pages of the process have memory.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/sys/sys.h"

#include "runtime/sys/syscall.h"

#include <sys/ioctl.h>

// As in linux/fs.h since 6.7.
struct page_region {
  uint64_t start, end, categories;
};
struct pm_scan_arg {
  uint64_t size, flags, start, end, walk_end, vec, vec_len, max_pages;
  uint64_t category_inverted, category_mask, category_anyof_mask, return_mask;
};
enum { IS_PRESENT = 1 << 3, IS_SWAPPED = 1 << 4, IS_ZERO_PAGE = 1 << 5, REGIONS = 128 };

int rrt_sys_touched_pages(uint64_t *at, uint64_t limit, struct rrt_sys_range *out, uint32_t max) {
  struct page_region regions[REGIONS];
  struct pm_scan_arg scan = {.size = sizeof scan, .start = *at, .end = limit};
  int fd = rrt_sys_open_read("/proc/thread-self/pagemap");
  if (fd < 0)
    return fd;
  scan.vec = (uint64_t)(uintptr_t)regions;
  scan.category_inverted = scan.category_mask = IS_ZERO_PAGE;
  scan.category_anyof_mask = IS_PRESENT | IS_SWAPPED;
  scan.return_mask = IS_PRESENT;
  uint32_t count = 0;
  long r;
  do {
    scan.start = *at;
    scan.vec_len = max - count < REGIONS ? max - count : REGIONS;
    r = rrt_syscall(SYS_ioctl, fd, _IOWR('f', 16, struct pm_scan_arg), &scan);
    for (long i = 0; i < r; i++)
      out[count++] = (struct rrt_sys_range){regions[i].start, regions[i].end};
    *at = r < 0 ? *at : scan.walk_end;
  } while (r > 0 && count < max && *at < limit);
  rrt_sys_close(fd);
  return r < 0 ? (int)r : (int)count;
}
