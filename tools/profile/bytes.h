// bytes.h - a block of bytes that grows.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_PROFILE_BYTES_H
#define RETICLE_TOOLS_PROFILE_BYTES_H

#include <stdbool.h>
#include <stddef.h>

/// Zeroed: empty. Failure stays: after it nothing more is added, and one look at `failed` at the
/// end is enough.
struct bytes {
  unsigned char *data; ///< [count], malloc'ed; null while empty
  size_t count;
  size_t capacity;
  bool failed;
};

/// Room for `count` more bytes, zeroed; null when there is no memory or count is 0. Valid until the
/// next call.
unsigned char *bytes_extend(struct bytes *bytes, size_t count);
void bytes_add(struct bytes *bytes, const void *data, size_t count);
/// Adds zeros up to a multiple of 8.
void bytes_align(struct bytes *bytes);
void bytes_print(struct bytes *bytes, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void bytes_release(struct bytes *bytes);

#endif
