// shadow_memory.h - shadow memory: reserved once, given back in parts.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   0x7fff8000                                                          0x20007fff8000
//   | marks of 0 ...                                    marks of 2^47 - 1 |   one byte for each
//   +---------------------------------------------------------------------+   4 bytes of program
//   0x7fff7000..0x7fff9fff: where all marks go if there is no shadow memory
#ifndef RETICLE_RUNTIME_HEAP_SHADOW_MEMORY_H
#define RETICLE_RUNTIME_HEAP_SHADOW_MEMORY_H

#include "runtime/probe/shadow.h"
#include "runtime/sys/sys.h"

/// Reserves the shadow memory at the first call. 0, or -errno: then marks go nowhere, and masks
/// must stay 0. Async-signal-safe; needs no libc.
int rrt_shadow_memory_open(void);
/// The runtime is unloaded: near marks stay mapped, as another one's code may write them.
void rrt_shadow_memory_close(void);
/// Maps only what marks need where there is no shadow memory. Ends the program if that isn't to be
/// had: it can't run.
void rrt_shadow_memory_open_none(void);

/// From so many marks on the kernel takes whole pages back.
enum { RRT_PLANE_MANY = 1 << 15 };
void rrt_shadow_memory_clear_many(uint8_t *marks, size_t count);

/// Zeroes marks.
static inline void rrt_shadow_memory_clear(uint8_t *marks, size_t count) {
  if (count >= RRT_PLANE_MANY) {
    rrt_shadow_memory_clear_many(marks, count);
    return;
  }
  for (; count >= 8; count -= 8, marks += 8) {
    __builtin_memset(marks, 0, 8);
    __asm__ volatile("" ::: "memory"); // or it becomes a call of memset
  }
  for (unsigned part = 4; part; part /= 2)
    if (count & part) {
      __builtin_memset(marks, 0, part);
      marks += part;
    }
}
/// Gives the memory of marks back that nobody needs any more, where they are many; zeroes them.
static inline void rrt_shadow_memory_release(uint8_t *marks, size_t count) {
  if (count >= RRT_PLANE_MANY)
    rrt_shadow_memory_clear_many(marks, count);
}

typedef void rrt_shadow_memory_visitor(uint8_t *begin, uint8_t *end, void *context);
/// Calls `visit` with the parts of the shadow memory that have memory, ascending. 0, or -errno: the
/// kernel doesn't say. One call at a time.
int rrt_shadow_memory_visit(rrt_shadow_memory_visitor *visit, void *context);
/// The same for whole pages around a part of it; any number of calls at a time.
int rrt_shadow_memory_visit_part(const uint8_t *from, const uint8_t *to,
                                 rrt_shadow_memory_visitor *visit, void *context);
/// Bytes of the shadow memory that have memory; 0: the kernel doesn't say. One call at a time, nor
/// with rrt_shadow_memory_visit.
uint64_t rrt_shadow_memory_touched_bytes(void);

#endif
