// strings.h - the profile's string table.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Guarded by the drain lock. Offset 0 is the empty string.
#ifndef RETICLE_RUNTIME_SUPPORT_STRINGS_H
#define RETICLE_RUNTIME_SUPPORT_STRINGS_H

#include <stddef.h>
#include <stdint.h>

int rrt_strings_open(void);
/// Offset of a copy of the string; 0 for null, "", or without memory. Equal strings added close to
/// each other share one copy.
uint32_t rrt_strings_add(const char *string);
const char *rrt_strings_data(void);
/// Bytes in use, each string with its terminating zero.
size_t rrt_strings_bytes(void);
/// Drops what was added after the mark (a value of rrt_strings_bytes).
void rrt_strings_rewind(size_t mark);

#endif
