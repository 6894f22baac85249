// unwind.c - looks for the rule of a place and undoes one frame by it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Called by handlers of signals, which may interrupt anything: it reads what was published once and
// for all, and the stack through the caller's `read`, as any value may be in a register.
#include "runtime/probe/unwind.h"

#include <stddef.h>

enum { WORD_BYTES = 8, PAGE_BYTES = 4096, STUB_BYTES = 16 };

// A frame this far from the stack pointer is none: threads have stacks of 8 MB, seldom more.
#define STACK_BYTES (UINT64_C(64) << 20)

static const struct rrt_unwind_modules *published;

void rrt_unwind_publish(const struct rrt_unwind_modules *modules) {
  __atomic_store_n(&published, modules, __ATOMIC_RELEASE); // pairs with find_module
}

static const struct rrt_unwind_module *find_module(uint64_t pc) {
  const struct rrt_unwind_modules *all = __atomic_load_n(&published, __ATOMIC_ACQUIRE);
  uint32_t low = 0, high = all ? all->count : 0;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (all->list[middle].high <= pc)
      low = middle + 1;
    else
      high = middle;
  }
  return all && low < all->count && all->list[low].low <= pc ? &all->list[low] : NULL;
}

static const struct rrt_unwind_row *find_row(uint64_t pc) {
  const struct rrt_unwind_module *m = find_module(pc);
  uint32_t low = 0, high = m ? m->count : 0;
  while (low < high) { // the first row behind the place
    uint32_t middle = low + (high - low) / 2;
    if (m->rows[middle].at <= pc - m->base)
      low = middle + 1;
    else
      high = middle;
  }
  return low ? &m->rows[low - 1] : NULL;
}

static int by_frame_pointer(struct rrt_unwind_frame *f, rrt_unwind_read *read, void *context) {
  uint64_t caller, returns;
  if (f->fp % WORD_BYTES || f->fp < f->sp || f->fp - f->sp >= STACK_BYTES)
    return 0;
  if (read(context, f->fp, &caller) < 0 || read(context, f->fp + WORD_BYTES, &returns) < 0)
    return -1;
  if (returns < PAGE_BYTES) // no address: the end of the chain, or no frame
    return 0;
  f->pc = returns;
  f->sp = f->fp + 2 * WORD_BYTES;
  f->fp = caller > f->fp ? caller : 0;
  return 1;
}

static uint64_t cfa_of(const struct rrt_unwind_row *row, const struct rrt_unwind_frame *f) {
  uint64_t offset = (uint64_t)(int64_t)(row->cfa >> 2);
  switch ((enum rrt_unwind_base)(row->cfa & 3)) {
  case RRT_UNWIND_SP:
    return f->sp + offset;
  case RRT_UNWIND_FP:
    return f->fp + offset;
  case RRT_UNWIND_PLT:
    return f->sp + WORD_BYTES * (f->pc % STUB_BYTES >= offset ? 2 : 1);
  case RRT_UNWIND_NONE:
    break;
  }
  return 0;
}

int rrt_unwind_step(struct rrt_unwind_frame *f, int is_caller, rrt_unwind_read *read,
                    void *context) {
  const struct rrt_unwind_row *row = find_row(f->pc - (is_caller ? 1 : 0));
  if (!row || (row->cfa & 3) == RRT_UNWIND_NONE)
    return by_frame_pointer(f, read, context);
  if (row->returns == RRT_UNWIND_OUTER || row->returns == RRT_UNWIND_LOST)
    return 0;
  uint64_t cfa = cfa_of(row, f), returns, caller = f->fp;
  if (cfa % WORD_BYTES || cfa <= f->sp || cfa - f->sp >= STACK_BYTES)
    return 0;
  if (row->frame == RRT_UNWIND_LOST)
    caller = 0;
  else if (row->frame != RRT_UNWIND_SAME &&
           read(context, cfa + (uint64_t)(int64_t)row->frame * WORD_BYTES, &caller) < 0)
    return -1;
  if (read(context, cfa + (uint64_t)(int64_t)row->returns * WORD_BYTES, &returns) < 0)
    return -1;
  if (returns < PAGE_BYTES)
    return 0;
  *f = (struct rrt_unwind_frame){returns, cfa, caller};
  return 1;
}
