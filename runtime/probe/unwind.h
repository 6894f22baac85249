// unwind.h - from a frame of the call stack to its caller's, by rules of places or frame pointers.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_RUNTIME_PROBE_UNWIND_H
#define RETICLE_RUNTIME_PROBE_UNWIND_H

#include <stdint.h>

/// What a rule's word says if it is no offset.
#define RRT_UNWIND_SAME 0          ///< the caller's value is still in the register
#define RRT_UNWIND_LOST INT16_MIN  ///< nobody knows
#define RRT_UNWIND_OUTER INT16_MAX ///< of the return address: there is no caller

enum rrt_unwind_base {
  RRT_UNWIND_NONE, ///< no rule here
  RRT_UNWIND_SP,
  RRT_UNWIND_FP,
  RRT_UNWIND_PLT, ///< sp + 8, and 8 more from the stub's byte `offset` on
};

/// How to undo a frame while it runs at a place, up to the next rule's place. Source: .eh_frame
/// (DWARF 5, 6.4).
struct rrt_unwind_row {
  uint32_t at;            ///< bytes from the module's base
  int32_t cfa;            ///< offset of the canonical frame address, times 4, plus rrt_unwind_base
  int16_t frame, returns; ///< where caller's frame pointer and return address are: words from there
};

/// A module's code where it is mapped.
struct rrt_unwind_module {
  uint64_t low, high; ///< of its code
  uint64_t base;      ///< that rows count from
  const struct rrt_unwind_row *rows;
  uint32_t count; ///< of rows, ascending
};

struct rrt_unwind_modules {
  uint32_t count;
  const struct rrt_unwind_module *list; ///< [count] ascending
};

struct rrt_unwind_frame {
  uint64_t pc, sp, fp;
};

/// A word of the stack. 0 or -1.
typedef int rrt_unwind_read(void *context, uint64_t address, uint64_t *out);

/// From now on these hold. What was published before may be in use for ever: it is never freed.
void rrt_unwind_publish(const struct rrt_unwind_modules *modules);

/// Makes a frame its caller's. Where no rule is known the frame pointer is taken for one.
/// Async-signal-safe.
///
/// is_caller  pc is a return address: the call in front of it counts
/// returns    1; 0: there is no caller, or none is known; -1: the stack could not be read there
int rrt_unwind_step(struct rrt_unwind_frame *frame, int is_caller, rrt_unwind_read *read,
                    void *context);

#endif
