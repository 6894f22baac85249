// walk.c - call stacks by frame pointers, within the thread's stack.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A function without a frame pointer leaves anything in the register, so each step stays between
// the frame before and the end of the stack. Where that is, the process's map says: once for each
// thread. A stack that the program switched to itself isn't known: one address, then.
#include "runtime/heap/site.h"

#include "runtime/session/maps.h"

enum { LOOKS_MAX = 8 };

static __thread uintptr_t stack_low, stack_high;
static __thread uint32_t looks;

static int visit(const struct rrt_mapping *m, void *context) {
  uintptr_t here = *(const uintptr_t *)context;
  if (here < m->low || here >= m->high)
    return 0;
  stack_low = m->low;
  stack_high = m->high;
  return 1;
}

// The main thread's stack grows downwards, so it is looked for anew, but not without end.
static int is_known(uintptr_t frame) {
  if (frame >= stack_low && frame < stack_high)
    return 1;
  if (looks >= LOOKS_MAX)
    return 0;
  looks++;
  rrt_maps_visit(visit, &frame);
  return frame >= stack_low && frame < stack_high;
}

uint32_t rrt_site_walk(const uintptr_t *frame, uintptr_t *addresses) {
  uint32_t depth = 0;
  addresses[depth++] = frame[1];
  if (!is_known((uintptr_t)frame))
    return depth;
  while (depth < RRT_SITE_FRAMES) {
    uintptr_t next = frame[0];
    if (next <= (uintptr_t)frame || next % sizeof next || next > stack_high - 2 * sizeof next)
      break;
    frame = (const uintptr_t *)next;
    if (frame[1] < 4096) // the end of the chain, or no frame
      break;
    addresses[depth++] = frame[1];
  }
  return depth;
}
