// allocation_types.h - the types that allocations are for, from the compiler's section.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_BINARY_ALLOCATION_TYPES_H
#define RETICLE_TOOLS_BINARY_ALLOCATION_TYPES_H

#include <stddef.h>
#include <stdint.h>

struct allocation_member {
  const char *name;
  uint64_t offset_bytes, size_bytes;
};

struct allocation_struct {
  const char *name, *file;
  unsigned line; ///< 0 if unknown
  uint64_t size_bytes;
  const struct allocation_member *members; ///< [member_count] as declared
  size_t member_count;
};

/// A call that gives memory, or a global variable.
struct allocation_place {
  const char *function; ///< linkage name; of a variable: its own name
  const char *file;
  unsigned line, column;                     ///< column 0: a variable
  unsigned flags;                            ///< enum reticle_allocation_flags
  const char *type;                          ///< "" if it isn't known
  uint64_t size_bytes;                       ///< of one; 0 if it isn't known
  const struct allocation_struct *structure; ///< null if it is none
};

struct allocation_types;

/// Reads the section's text. Lines that can't be read are left out. Null without memory.
///
/// text  [bytes] not modified, and not needed afterwards
struct allocation_types *allocation_types_read(const char *text, size_t bytes);
void allocation_types_release(struct allocation_types *types);

/// The places in that function, line and column: several by macros, or by functions of one name.
///
/// count  out: how many, may be 0
const struct allocation_place *allocation_types_find(const struct allocation_types *types,
                                                     const char *function, unsigned line,
                                                     unsigned column, size_t *count);

#endif
