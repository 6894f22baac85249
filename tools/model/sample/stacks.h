// stacks.h - samples as profilers exchange them: stacks of addresses, and the functions there.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_MODEL_SAMPLE_STACKS_H
#define RETICLE_TOOLS_MODEL_SAMPLE_STACKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Samples that lie in no load file.
#define STACK_NO_MAPPING SIZE_MAX

/// A function of the source that holds the address.
struct stack_frame {
  const char *name;    ///< as the source spells it
  const char *linkage; ///< linkage name; "" where there is no symbol
  const char *file;    ///< "" if unknown
  unsigned line;       ///< in this function; 0 if unknown
};

/// A segment of code of a load file, at its link-time addresses.
struct stack_mapping {
  const char *path, *build_id; ///< build id in hex, "" if there is none
  uint64_t start, limit;       ///< addresses
  uint64_t offset;             ///< of start, in the file
  bool has_functions, has_lines;
};

/// An instruction; of a caller the last byte of its call.
struct stack_location {
  size_t mapping; ///< in mappings, or STACK_NO_MAPPING
  uint64_t address;
  size_t frame_first, frame_count; ///< in frames: the innermost inlined copy first, at least one
};

/// No stack.
#define STACK_NO_CALLER SIZE_MAX

/// All samples of one instruction below the same callers.
struct stack {
  size_t location;           ///< in locations
  size_t caller;             ///< in stacks, before this one; or STACK_NO_CALLER
  uint64_t samples, time_ns; ///< 0: other stacks go through it
};

struct stacks {
  struct stack_mapping *mappings; ///< [mapping_count]
  size_t mapping_count;
  struct stack_location *locations; ///< [location_count]
  size_t location_count;
  struct stack *stacks; ///< [stack_count]
  size_t stack_count;
  struct stack_frame *frames; ///< [frame_count]
  size_t frame_count;
  bool has_callers;            ///< else a stack is a function and what was inlined into it
  uint64_t period_ns;          ///< CPU time from one sample to the next
  uint64_t start_time_s;       ///< seconds since 1970
  uint64_t elapsed_ns;         ///< of all runs together; 0 if it is not known
  const char *const *comments; ///< [comment_count] what a reader should know
  size_t comment_count;
};

#endif
