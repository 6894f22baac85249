// md5.h - the first half of MD5: LLVM calls functions by it in section .pseudo_probe.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_BINARY_MD5_H
#define RETICLE_TOOLS_BINARY_MD5_H

#include <stddef.h>
#include <stdint.h>

/// The first 8 bytes of the digest of data [bytes], the lowest one first. Source: RFC 1321.
uint64_t md5_low(const void *data, size_t bytes);

#endif
