// descriptors.h - which object files of an executable were compiled with the plug-in.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_BINARY_DESCRIPTORS_H
#define RETICLE_TOOLS_BINARY_DESCRIPTORS_H

#include "include/reticle/abi.h"

#include <stdbool.h>
#include <stddef.h>

/// What the executable's section "reticle_objects" holds, relocated: the strings are real pointers.
/// Start with descriptors_read, end with descriptors_release.
struct descriptors {
  struct reticle_object_desc *objects; ///< [count]
  size_t count;
  char *memory; ///< the file's bytes; the strings point into them
  size_t bytes;
};

/// Reads the section from a 64-bit little-endian ELF file. A file without it has no objects; a
/// string that can't be found reads "". Returns false if the file can't be read.
bool descriptors_read(const char *path, struct descriptors *out);
void descriptors_release(struct descriptors *descriptors);

#endif
