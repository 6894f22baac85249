// file.h - whole files: read into memory, written in one piece.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_PROFILE_FILE_H
#define RETICLE_TOOLS_PROFILE_FILE_H

#include "tools/profile/bytes.h"
#include "tools/profile/error.h"

#include <stdint.h>

/// Larger files are not read. A process writes some megabytes (its samples alone are at most 64),
/// thousands of them merged some hundred; a file with a hole at its end may have any size.
#define FILE_BYTES_MOST ((uint64_t)1 << 30)

/// Reads a file to its end.
///
/// out  gets the bytes; the caller releases it. Unchanged on error
///
/// Returns 0, RETICLE_E_OPEN, RETICLE_E_READ, RETICLE_E_LIMIT or RETICLE_E_MEMORY.
int file_read(const char *path, struct bytes *out, struct profile_error *error);

/// Writes a file that appears whole (file_new.h); to something that is no regular file (a pipe,
/// /dev/stdout) directly.
///
/// data  [count]
///
/// Returns 0, RETICLE_E_WRITE or RETICLE_E_MEMORY. On error `path` is as it was, with
/// nothing beside it.
int file_write(const char *path, const void *data, size_t count, struct profile_error *error);

#endif
