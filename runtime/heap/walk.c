// walk.c - call stacks by frame pointers, within the thread's stack.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A function without a frame pointer leaves anything in the register, so each step stays between
// the frame before and the end of the stack. Where that is, the process's map says: once for each
// thread. A stack that the program switched to itself isn't known: one address, then.
#include "runtime/heap/site.h"

#include "runtime/support/maps.h"

enum { LOOKS_MAX = 8 };

struct stack {
  uintptr_t low, high;
  uint32_t looks;
};
__thread struct stack rrt_stack RRT_THREAD_LOCAL(stack_bounds);

static int visit(const struct rrt_mapping *m, void *context) {
  uintptr_t here = *(const uintptr_t *)context;
  if (here < m->low || here >= m->high)
    return 0;
  rrt_stack.low = m->low;
  rrt_stack.high = m->high;
  return 1;
}

// The main thread's stack grows downwards, so it is looked for anew, but not without end.
static int is_known(uintptr_t frame) {
  if (frame >= rrt_stack.low && frame < rrt_stack.high)
    return 1;
  if (rrt_stack.looks >= LOOKS_MAX)
    return 0;
  rrt_stack.looks++;
  rrt_maps_visit(visit, &frame);
  return frame >= rrt_stack.low && frame < rrt_stack.high;
}

// Multilinear: no product waits for another. The factors are odd digits of pi.
static const uint64_t factors[RRT_SITE_FRAMES] = {
    UINT64_C(0x243f6a8885a308d3), UINT64_C(0x13198a2e03707345), UINT64_C(0xa4093822299f31d1),
    UINT64_C(0x082efa98ec4e6c89), UINT64_C(0x452821e638d01377), UINT64_C(0xbe5466cf34e90c6d),
    UINT64_C(0xc0ac29b7c97c50dd), UINT64_C(0x3f84d5b5b5470917), UINT64_C(0x9216d5d98979fb1b),
    UINT64_C(0xd1310ba698dfb5ad), UINT64_C(0x2ffd72dbd01adfb7), UINT64_C(0xb8e1afed6a267e97)};

uint32_t rrt_site_walk(const uintptr_t *frame, uintptr_t *addresses, uint64_t *key) {
  enum { NULL_PAGE_BYTES = 4096, FRAME_BYTES = 2 * sizeof *frame };
  uint32_t depth = 0;
  uintptr_t returns_to = frame[1],
            last = is_known((uintptr_t)frame) ? rrt_stack.high - FRAME_BYTES : 0;
  uint64_t sum = 0;
  do {
    addresses[depth] = returns_to;
    sum += returns_to * factors[depth];
    depth++;
    uintptr_t next = frame[0];
    if (next <= (uintptr_t)frame || next % sizeof next || next > last)
      break;
    frame = (const uintptr_t *)next;
    returns_to = frame[1]; // none: the end of the chain, or no frame
  } while (returns_to >= NULL_PAGE_BYTES && depth < RRT_SITE_FRAMES);
  sum += depth;
  *key = sum ^ sum >> 32;
  return depth;
}
