// plane.c - see plane.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/heap/plane.h"

#include "runtime/sys/sys.h"

#include <errno.h>

enum { PAGE_BYTES = 4096, CLEAR_BY_KERNEL_BYTES = 1 << 16, PARTS = 256 };

int rrt_plane_open(void) {
  static int result = 1;
  if (result > 0) {
    result = rrt_sys_map_at(RETICLE_SHADOW_BASE - PAGE_BYTES, RETICLE_SHADOW_BYTES + PAGE_BYTES);
    __atomic_store_n(&rrt_shadow_on, result == 0, __ATOMIC_RELEASE);
  }
  return result;
}

void rrt_plane_open_none(void) {
  static int done;
  if (rrt_shadow_on || done)
    return;
  done = 1;
  if (rrt_sys_map_at(RETICLE_SHADOW_BASE - RETICLE_SHADOW_NEAR_WORDS,
                     2 * RETICLE_SHADOW_NEAR_WORDS + PAGE_BYTES) < 0) {
    static const char text[] = "reticle: error: the addresses 0x7fff7000 to 0x7fff9fff, which the "
                               "feature shadow needs, are taken; compile without it\n";
    rrt_sys_write(2, text, sizeof text - 1);
    rrt_sys_exit_group(125);
  }
}

// The kernel takes whole pages back, so that marks of large blocks don't stay.
void rrt_plane_clear(uint8_t *marks, size_t count) {
  if (count >= CLEAR_BY_KERNEL_BYTES) {
    uintptr_t first = ((uintptr_t)marks + PAGE_BYTES - 1) & ~(uintptr_t)(PAGE_BYTES - 1);
    uintptr_t limit = ((uintptr_t)marks + count) & ~(uintptr_t)(PAGE_BYTES - 1);
    if (rrt_sys_discard((void *)first, limit - first) == 0) {
      rrt_zero(marks, first - (uintptr_t)marks);
      rrt_zero((void *)limit, (uintptr_t)marks + count - limit);
      return;
    }
  }
  rrt_zero(marks, count);
}

int rrt_plane_visit(void (*visit)(uint8_t *begin, uint8_t *end, void *context), void *context) {
  struct rrt_sys_range parts[PARTS];
  uint64_t at = RETICLE_SHADOW_BASE, limit = RETICLE_SHADOW_BASE + RETICLE_SHADOW_BYTES;
  while (at < limit) {
    int count = rrt_sys_touched_pages(&at, limit, parts, PARTS);
    if (count < 0)
      return count;
    for (int i = 0; i < count; i++)
      visit((uint8_t *)parts[i].begin, (uint8_t *)parts[i].end, context);
  }
  return 0;
}
