// deflate.c - one call of zlib each way.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/store/deflate.h"

#include "tools/support/memory.h"

#include <stdlib.h>
#include <zlib.h>

/// Deflate makes no more of a byte than this, so that a small blob asks for no large room.
#define RATIO_MOST 1100
/// What packs to less is stored as it is, so that readers can bound what a file unpacks to
/// (database.c). Programs and profiles pack to a half or a third.
#define RATIO_KEPT 32
/// What a program printed is never more (study_run.c), packs to anything, and is read one at a
/// time.
#define SMALL_BYTES ((size_t)4 << 20)

unsigned char *deflate_pack(const void *bytes, size_t count, size_t *packed_count) {
  uLongf room = compressBound(count), used = room;
  unsigned char *packed = memory_zeroed(room, 1);
  int result = compress2(packed, &used, bytes, count, Z_BEST_SPEED);
  if (result == Z_OK && used < count / RATIO_KEPT && count > SMALL_BYTES) {
    used = room;
    result = compress2(packed, &used, bytes, count, Z_NO_COMPRESSION);
  }
  if (result != Z_OK)
    memory_exhausted();
  *packed_count = used;
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
