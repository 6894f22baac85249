// call_places.h - what the frames of sampled call stacks are called, and where stacks begin.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_MODEL_SAMPLE_CALL_PLACES_H
#define RETICLE_TOOLS_MODEL_SAMPLE_CALL_PLACES_H

#include "tools/model/measurement/measurement.h"

/// Whose code it is.
enum call_kind {
  CALL_PROGRAM, ///< the executable
  CALL_LIBRARY,
  CALL_KERNEL, ///< the code that the kernel lends to processes: [vdso]
  CALL_UNKNOWN ///< in no file, or where a stack stops
};

/// Callers that are none: the stack begins here, ...
#define CALL_BEGINS UINT32_MAX
/// ... who called isn't known: code without unwind information or a frame pointer, ...
#define CALL_STOPS (UINT32_MAX - 1)
/// ... there are more frames than were noted.
#define CALL_CUT (UINT32_MAX - 2)

/// Where a frame is in the code. Strings belong to the measurement.
struct call_place {
  size_t file;                       ///< in samples.files
  uint64_t offset;                   ///< in that file
  uint64_t address;                  ///< link-time; 0 if the file can't be named
  const struct elf_function *symbol; ///< that holds the place; null: none
  const struct elf_function *called; ///< where the place is of a direct call; else null
  enum call_kind kind;               ///< of the file
  size_t frame_first, frame_count;   ///< in frames: the innermost inlined copy first, at least one
};

/// A frame of profile.stacks.
struct call_frame {
  size_t place;    ///< SIZE_MAX: an end of stacks, without code
  uint32_t caller; ///< in frames of the profile, or one of CALL_*
  /// A function between them that has no frame, or null: the caller calls it, and not this one. It
  /// has ended in a jump here (a tail call), or the innermost function had made no frame yet.
  const struct elf_function *between;
};

/// Start with call_places_read, end with call_places_release, before the measurement.
struct call_places {
  struct call_frame *frames; ///< [profile.stack_count]
  struct call_place *places; ///< [place_count]
  size_t place_count;
  struct code_frame *functions; ///< [function_count]; the name is "" where there is no symbol
  size_t function_count;
};

/// Frames outside of main and of the first function of a thread are left out: nobody frames the C
/// library's start.
void call_places_read(const struct measurement *m, struct call_places *out);
void call_places_release(struct call_places *places);

/// "program", "library", "kernel", "unknown".
const char *call_kind_name(enum call_kind kind);

#endif
