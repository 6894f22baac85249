// decode.h - what the two halves of the reader share: decode.c and decode_records.c.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_PROFILE_DECODE_H
#define RETICLE_TOOLS_PROFILE_DECODE_H

#include "tools/profile/fields.h"

/// A chunk whose bytes were checked: data [count * stride] lies within the file.
struct decode_chunk {
  const unsigned char *data; ///< null: the file has no such chunk
  uint64_t offset;           ///< of data in the file, for messages
  uint64_t bytes;
  uint64_t count;  ///< records
  uint64_t stride; ///< bytes from one record to the next
};

/// The type of %llu.
typedef unsigned long long llu;

struct decode {
  const unsigned char *bytes; ///< [count] the file
  uint64_t count;
  const char *name; ///< what messages call the file
  struct profile_error *error;
  struct decode_chunk strings;
  struct decode_chunk chunks[PROFILE_CHUNKS];
  uint64_t chunk_bytes;                             ///< of all chunks so far
  uint64_t unknown_count;                           ///< chunks this version does not know
  char first_unknown[RETICLE_CHUNK_NAME_BYTES + 1]; ///< printable name of the first of them
  const char *text;                                 ///< the profile's copy of chunk "strings"
};

/// Fails with a message that starts with the file's name.
#define FAIL(decode, code, format, ...)                                                            \
  profile_fail((decode)->error, code, "%s: " format, (decode)->name __VA_OPT__(, ) __VA_ARGS__)

/// What is wrong with the start of a file, before the rest of it is read.
///
/// header  the file's first bytes, min(count, sizeof *header) of them
/// count   bytes of the file
///
/// Returns 0 or an enum reticle_error.
int profile_decode_start(const struct reticle_file_header *header, uint64_t count, const char *name,
                         struct profile_error *error);

/// Fills in the profile from the checked chunks. Returns 0 or an enum reticle_error; the caller
/// releases the profile either way.
int decode_records(struct decode *decode, struct profile *profile);

#endif
