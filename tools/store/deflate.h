// deflate.h - bytes compressed and back, by zlib.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_STORE_DEFLATE_H
#define RETICLE_TOOLS_STORE_DEFLATE_H

#include <stdbool.h>
#include <stddef.h>

/// Compresses. Returns [*packed_count] bytes, which the caller frees.
unsigned char *deflate_pack(const void *bytes, size_t count, size_t *packed_count);

/// The way back.
///
/// count  what it was before; damage may say anything
///
/// Returns [count] bytes, which the caller frees; null if the bytes are no such, or more or less.
unsigned char *deflate_unpack(const void *packed, size_t packed_count, size_t count);

#endif
