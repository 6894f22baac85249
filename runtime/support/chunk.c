// chunk.c - a profile file as it is written: chunks one after the other, their table last of all.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/support/chunk.h"

#include "include/reticle/abi.h"

#include "runtime/support/deadline.h"
#include "runtime/sys/sys.h"

#include <errno.h>

enum { CHUNKS_MAX = 48, BUFFER_BYTES = 16384, PARTS_MAX = 64 };

static struct {
  int fd, error;
  uint64_t offset;  // of the next byte to add
  uint64_t written; // offset up to which it is in the file
  uint32_t chunk_count;
  struct reticle_file_chunk chunks[CHUNKS_MAX];
  struct reticle_file_chunk *chunk; // the one being written
  uint64_t checksum;
  struct rrt_sys_part parts[PARTS_MAX]; // [part_count], of what is added and not yet written
  uint32_t part_count;
  size_t used;
  char buffer[BUFFER_BYTES]; // for records that aren't in memory as the file has them
} state;

void rrt_chunk_flush(void) {
  if (!state.error && !rrt_deadline_left_ns(1))
    state.error = -ETIMEDOUT;
  uint64_t start = rrt_sys_monotonic_raw_ns();
  if (!state.error)
    state.error = rrt_sys_write_parts_at(state.fd, state.parts, state.part_count, state.written);
  rrt_deadline_spend(start);
  state.written = state.offset;
  state.part_count = 0;
  state.used = 0;
}

static void add_part(const void *data, size_t bytes) {
  if (!bytes)
    return;
  struct rrt_sys_part *last = state.part_count ? &state.parts[state.part_count - 1] : NULL;
  if (last && (const char *)last->data + last->bytes == data) {
    last->bytes += bytes;
  } else {
    if (state.part_count == PARTS_MAX)
      rrt_chunk_flush();
    state.parts[state.part_count++] = (struct rrt_sys_part){data, bytes};
  }
  state.offset += bytes;
}

void rrt_chunk_add(const void *data, size_t bytes) {
  state.checksum = reticle_checksum_add(state.checksum, data, bytes);
  state.chunk->bytes += bytes;
  add_part(data, bytes);
}

void rrt_chunk_add_copy(const void *record, size_t bytes) {
  if (BUFFER_BYTES - state.used < bytes || state.part_count == PARTS_MAX)
    rrt_chunk_flush();
  char *copy = state.buffer + state.used;
  rrt_copy(copy, record, bytes);
  state.used += bytes;
  rrt_chunk_add(copy, bytes);
}

void rrt_chunk_begin(const char *name, uint32_t record_bytes) {
  static const char zeros[8];
  state.chunk = &state.chunks[state.chunk_count++];
  rrt_zero(state.chunk, sizeof *state.chunk);
  rrt_copy(state.chunk->name, name, rrt_length(name));
  if (state.offset % 8)
    add_part(zeros, 8 - state.offset % 8);
  state.chunk->offset = state.offset;
  state.chunk->record_bytes = record_bytes;
  state.checksum = RETICLE_CHECKSUM_START;
}

void rrt_chunk_end(void) {
  state.chunk->count = state.chunk->bytes / state.chunk->record_bytes;
  state.chunk->checksum = reticle_checksum_end(state.checksum, state.chunk->bytes);
}

void rrt_chunk_write(const char *name, const void *records, uint32_t record_bytes, uint64_t count) {
  rrt_chunk_begin(name, record_bytes);
  rrt_chunk_add(records, record_bytes * count);
  rrt_chunk_end();
}

void rrt_chunks_begin(int fd) {
  state.fd = fd;
  state.error = 0;
  state.chunk_count = state.part_count = 0;
  state.used = 0;
  state.offset = state.written =
      sizeof(struct reticle_file_header) + CHUNKS_MAX * sizeof state.chunks[0];
}

void rrt_chunks_fail(int error) {
  if (!state.error)
    state.error = error;
}

static void write_head(void) {
  struct reticle_file_header h;
  uint64_t table_bytes = state.chunk_count * sizeof state.chunks[0];
  rrt_zero(&h, sizeof h);
  rrt_copy(h.magic, RETICLE_FILE_MAGIC, sizeof h.magic);
  h.version = RETICLE_FILE_VERSION;
  h.endian = RETICLE_FILE_ENDIAN;
  h.file_bytes = state.offset;
  h.table_offset = sizeof h;
  h.table_checksum = reticle_checksum_end(
      reticle_checksum_add(RETICLE_CHECKSUM_START, state.chunks, table_bytes), table_bytes);
  h.chunk_count = state.chunk_count;
  h.chunk_bytes = sizeof state.chunks[0];
  struct rrt_sys_part parts[] = {{&h, sizeof h}, {state.chunks, table_bytes}};
  if (!state.error)
    state.error = rrt_sys_write_parts_at(state.fd, parts, 2, 0);
}

int rrt_chunks_end(void) {
  rrt_chunk_flush();
  write_head();
  return state.error;
}

uint64_t rrt_chunks_bytes(void) { return state.offset; }
