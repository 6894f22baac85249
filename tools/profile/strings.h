// strings.h - builds the chunk "strings": each text once.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_PROFILE_STRINGS_H
#define RETICLE_TOOLS_PROFILE_STRINGS_H

#include "tools/profile/bytes.h"

#include <stdint.h>

/// Zeroed: empty.
struct strings {
  struct bytes text; ///< the chunk; starts with the empty text
  uint32_t *slots;   ///< [slot_count] hash table: offset + 1 of a text, 0 for free
  size_t slot_count; ///< 0 or a power of two
  size_t used;       ///< texts in the table
  bool is_full;      ///< a text would have started above 4 GB
};

/// Offset of the text in the chunk; adds it when it is new. After a failure (text.failed or
/// is_full) the result means nothing.
uint32_t strings_add(struct strings *strings, const char *text);
void strings_release(struct strings *strings);

#endif
