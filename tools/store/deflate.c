// deflate.c - one call of zlib each way.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/store/deflate.h"

#include "tools/support/memory.h"

#include <stdlib.h>
#include <zlib.h>

/// Deflate makes no more of a byte than this, so that a small blob asks for no large room.
#define RATIO_MOST 1100

unsigned char *deflate_pack(const void *bytes, size_t count, size_t *packed_count) {
  uLongf room = compressBound(count);
  unsigned char *packed = memory_zeroed(room, 1);
  if (compress2(packed, &room, bytes, count, Z_BEST_SPEED) != Z_OK)
    memory_exhausted();
  *packed_count = room;
  return packed;
}

unsigned char *deflate_unpack(const void *packed, size_t packed_count, size_t count) {
  if (count / RATIO_MOST > packed_count)
    return NULL;
  uLongf got = count;
  unsigned char *bytes = memory_zeroed(count + 1, 1);
  if (uncompress(bytes, &got, packed, packed_count) == Z_OK && got == count)
    return bytes;
  free(bytes);
  return NULL;
}
