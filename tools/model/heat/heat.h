// heat.h - which code takes the program's CPU time: loops, functions, and what they call.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each sample belongs to one place: the innermost of the program's own functions on its stack, and
// there to the innermost loop around the code. What a library or the kernel does for a call belongs
// to who called it.
#ifndef RETICLE_TOOLS_MODEL_HEAT_HEAT_H
#define RETICLE_TOOLS_MODEL_HEAT_HEAT_H

#include "tools/model/measurement/measurement.h"
#include "tools/program/loop_strides.h"

/// Sampled CPU time.
struct heat_time {
  double user_ns;   ///< in user mode
  double system_ns; ///< in system calls
  double fault_ns;  ///< in the kernel otherwise: page faults, interrupts
  uint64_t samples; ///< of all three
};

/// A function of the program that calls a short one, and the line that does most.
struct heat_caller {
  const char *function; ///< of the source, as its symbol; "" unknown
  const char *file;     ///< "" if unknown
  unsigned line;        ///< 0 if unknown
  struct heat_time time;
};

enum { HEAT_CALLERS = 3 };

/// Code of the program.
struct heat_place {
  char *function;                     ///< demangled and short: of the source, inlined ones too
  const char *linkage;                ///< of the function that holds the code; "" unknown
  const char *file;                   ///< "" if unknown
  unsigned line;                      ///< the hottest; 0 if unknown
  const struct measured_loop *loop;   ///< the innermost around it in its function; null: none
  const struct measured_loop *around; ///< of its callers, the innermost; null: none
  bool
      has_loop; ///< its hottest line is in a machine loop, also where that is none of the profile's
  uint64_t short_bytes; ///< of its function's code, where that is short, without a loop, and not
                        ///< inlined; else 0
  struct heat_caller callers[HEAT_CALLERS]; ///< [caller_count] most time first; of short functions
  size_t caller_count;
  struct heat_time time;       ///< calls of other code included
  struct heat_time own;        ///< without them
  struct heat_time dispatch;   ///< of its own, in blocks that end in a jump through a table
  struct heat_time indirect;   ///< of it, where it was called by one of heat's `indirect`
  struct loop_strides strides; ///< of the machine loop around its hottest line
};

/// A function of other code, by the line that calls it.
struct heat_call {
  char *callee;        ///< demangled and short; "[libc.so.6]" where it has no name
  const char *library; ///< path of its file
  size_t place;        ///< in places: who calls
  const char *file;    ///< of the call; "" if unknown
  unsigned line;       ///< 0 if unknown
  struct heat_time time;
};

enum { HEAT_TARGETS = 8 };

/// An indirect call of short functions of the program, which have no loop of their own.
struct heat_indirect {
  size_t place;                 ///< in places: who calls
  const char *file;             ///< of the call; "" if unknown
  unsigned line;                ///< 0 if unknown
  size_t targets[HEAT_TARGETS]; ///< [target_count, of them the first that samples met] in places
  size_t target_count;
  struct heat_time time; ///< in the targets
};

struct heat {
  struct heat_place *places; ///< [place_count] most CPU time first
  size_t place_count;
  struct heat_call *calls; ///< [call_count] most CPU time first
  size_t call_count;
  struct heat_indirect *indirect; ///< [indirect_count] most CPU time first
  size_t indirect_count;
  struct heat_time *loops; ///< [m->loop_count] by position: all code inside, and what it calls
  struct heat_time all;
  double user_part;   ///< of CPU time, in user mode; 1 where the kernel's part isn't known
  bool has_callers;   ///< samples have call stacks
  bool has_kernel;    ///< some samples are in the kernel
  const char *reason; ///< why there is no heat; null where there is
};

void heat_time_add(struct heat_time *sum, const struct heat_time *time);

/// In user mode and the kernel.
static inline double heat_time_ns(const struct heat_time *t) {
  return t->user_ns + t->system_ns + t->fault_ns;
}

/// Of a measurement; lives as long.
const struct heat *heat_get(const struct measurement *m);

/// Part of the program's CPU time, user and kernel, of all threads; of the kernel only what samples
/// say. Unsupported without samples.
struct quantity heat_share(const struct heat *heat, const struct heat_time *time);
/// The same, of the kernel's part alone: system calls and faults.
double heat_kernel_share(const struct heat *heat, const struct heat_time *time);
/// The place of a loop's own code; null where no sample fell into it.
const struct heat_place *heat_loop_place(const struct heat *heat, const struct measured_loop *loop);
/// Of a loop with all code inside; unsupported where no sample fell into it.
struct quantity heat_loop_share(const struct measurement *m, const struct measured_loop *loop);

#endif
