// type_definitions.h - where the debug information defines a struct, and its typedefs.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_BINARY_TYPE_DEFINITIONS_H
#define RETICLE_TOOLS_BINARY_TYPE_DEFINITIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// One layout of it.
struct type_definition {
  char *file;       ///< path as the unit has it, absolute where that is known
  char *unit;       ///< a source that has it so
  char *members;    ///< "name@offset name@offset ..."
  char *aggregates; ///< " name name ": those that are arrays, structs or unions
  uint64_t size_bytes;
};

/// Start with type_definitions_read, end with type_definitions_release.
struct type_definitions {
  struct type_definition *all; ///< [count] different ones
  size_t count;
  char **typedefs; ///< [typedef_count] different ones
  size_t typedef_count;
};

/// Looks for the struct in all units. Returns false if the file can't be opened; `out` can be
/// released in any case.
///
/// name  without namespaces; of a struct without one: its typedef's
/// file  its last part counts
/// line  of the definition
bool type_definitions_read(const char *executable, const char *name, const char *file,
                           unsigned line, struct type_definitions *out);
void type_definitions_release(struct type_definitions *types);

#endif
