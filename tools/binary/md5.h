// md5.h - MD5: LLVM knows functions by its first half, DWARF sources by all of it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_BINARY_MD5_H
#define RETICLE_TOOLS_BINARY_MD5_H

#include <stddef.h>
#include <stdint.h>

/// The first 8 bytes of the digest of data [bytes], the lowest one first. Source: RFC 1321.
uint64_t md5_low(const void *data, size_t bytes);
/// All 16 bytes of it.
void md5_digest(const void *data, size_t bytes, uint8_t out[16]);

#endif
