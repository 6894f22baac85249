// chunk.h - a profile file as it is written: chunks one after the other, their table last of all.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One file at a time. Guarded by the drain lock.
#ifndef RETICLE_RUNTIME_SUPPORT_CHUNK_H
#define RETICLE_RUNTIME_SUPPORT_CHUNK_H

#include <stddef.h>
#include <stdint.h>

/// Begins a file that is open for writing, and empty.
void rrt_chunks_begin(int fd);
/// Writes what is left of it, its head and the table. 0, or the first -errno since the begin.
int rrt_chunks_end(void);
/// Of the file that was ended last.
uint64_t rrt_chunks_bytes(void);
/// The file can't become whole.
void rrt_chunks_fail(int error);

/// At most 48 a file, one at a time.
void rrt_chunk_begin(const char *name, uint32_t record_bytes);
void rrt_chunk_end(void);

/// Adds to the chunk. All but the last data of a chunk are multiples of 8 bytes: see the checksum.
/// The memory must stay as it is until the file ends, or rrt_chunk_flush.
void rrt_chunk_add(const void *data, size_t bytes);
/// The same of memory that may change at once.
void rrt_chunk_add_copy(const void *record, size_t bytes);
void rrt_chunk_flush(void);

/// A whole chunk. The memory must stay, as above.
///
/// records  [count]
void rrt_chunk_write(const char *name, const void *records, uint32_t record_bytes, uint64_t count);

#endif
