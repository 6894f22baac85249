// profile.h - a profile in memory, and how it gets from and to a file.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   struct profile
//     env, health   one record each
//     loops         array; each loop points to its own part of ...
//       .hist       ... its histogram's buckets, ascending
//       .raw        ... its raw samples
//     and an array for each other chunk of chunks.def; they refer to each other by index or id
//
// The structs have the fields of abi.def under the same names; text is `const char *` here, never
// null, and belongs to the profile.
#ifndef RETICLE_TOOLS_PROFILE_PROFILE_H
#define RETICLE_TOOLS_PROFILE_PROFILE_H

#include "include/reticle/abi.h"
#include "tools/profile/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PROFILE_U64 uint64_t
#define PROFILE_U32 uint32_t
#define PROFILE_STR const char *

/// What a loop has besides; hist_first and raw_first say where the entries were in the file read.
///
/// hist  [hist_count], raw [raw_count]: owned by the profile; null if none
/// is_tagged  the work of its samples is the sum of tags; of merged profiles
#define PROFILE_MORE_loop                                                                          \
  ~, const struct profile_hist *hist;                                                              \
  const struct profile_sample *raw;                                                                \
  bool is_tagged;
// PROFILE_MORE(record): what PROFILE_MORE_<record> has behind its comma; nothing where there is no
// such macro.
#define PROFILE_SECOND(first, second, ...) second
#define PROFILE_PICK(...) PROFILE_SECOND(__VA_ARGS__, , )
#define PROFILE_MORE(record) PROFILE_PICK(PROFILE_MORE_##record)

// struct profile_<record>
#define RETICLE_FILE_BEGIN(record) struct profile_##record {
#define RETICLE_FILE_FIELD(record, kind, name, merge, unit, doc) PROFILE_##kind name;
#define RETICLE_FILE_END(record)                                                                   \
  PROFILE_MORE(record)                                                                             \
  }                                                                                                \
  ;
#include "include/reticle/abi.def"

/// Something the user should know about a profile that could be used all the same.
struct profile_warning {
  const char *code; ///< stable word for scripts, e.g. "different_executables"
  const char *text; ///< one line, lower case
};

/// Not in the file: belongs to whoever reads or merges.
struct profile_memory;

struct profile {
  uint32_t version; ///< of the format it was read from; what is written has RETICLE_FILE_VERSION
// env and health; of each other chunk the array, and <record>_count, the number of its records.
#define PROFILE_SINGLE(record, array) struct profile_##record array;
#define PROFILE_ALWAYS(record, array)                                                              \
  struct profile_##record *array;                                                                  \
  size_t record##_count;
#define PROFILE_SOME PROFILE_ALWAYS
#define PROFILE_OF_LOOPS(record, array)
#define RETICLE_CHUNK(CHUNK, record, array, place, least, merger) PROFILE_##place(record, array)
#include "include/reticle/chunks.def"
  size_t merged_count;              ///< files that went into it, 1 if it was read from one
  struct profile_warning *warnings; ///< [warning_count], not in the file
  size_t warning_count;
  struct profile_memory *memory; ///< everything above; freed by profile_release
};

/// `when` of samples and chains counts units of 2^n ticks; the n.
static inline uint32_t profile_when_shift(const struct profile_env *env) {
  enum { BEFORE = 16 }; // of runtimes that didn't say
  return env->when_shift ? env->when_shift : BEFORE;
}

/// Reads a profile. The file is taken as hostile: whatever it holds, the result is a profile whose
/// indices are all in range, or an error that names chunk and byte.
///
/// path   regular file; its header is looked at before the rest is read (file.h)
/// out    filled in; the caller releases it. Unchanged on error
/// error  may be null
///
/// Returns 0 or an enum reticle_error. Chunks this version doesn't know are skipped (a warning of
/// the profile says so); chunks other than strings, env and health may be missing: no records then.
/// Several loops may have the same id: profile_merge (merge.h) of one profile adds them up.
int profile_read(const char *path, struct profile *out, struct profile_error *error);

/// Whether the file is a profile with such a chunk; only its table is read, and nothing is said of
/// what can't be.
bool profile_has_chunk(const char *path, const char *chunk);

/// As profile_read, from memory.
///
/// bytes  [count], any alignment; not referred to afterwards
/// name   what messages call it
int profile_decode(const void *bytes, size_t count, const char *name, struct profile *out,
                   struct profile_error *error);

/// True if it holds samples of closed epochs and nothing else: no times, no loops.
bool profile_is_epochs_alone(const struct profile *profile);

/// Frees everything and clears the struct; a zeroed or released profile is fine.
void profile_release(struct profile *profile);

/// Writes a profile, which appears whole, so that a reader never sees half a file. Records come in
/// the order of the arrays, so read and write again gives the same bytes.
///
/// Returns 0, RETICLE_E_WRITE, RETICLE_E_MEMORY or RETICLE_E_LIMIT (text over 4 GB).
int profile_write(const struct profile *profile, const char *path, struct profile_error *error);

/// As profile_write, into memory.
///
/// bytes  gets a block of *count bytes; the caller frees it with free(). Unchanged on error
/// name   what messages call it
int profile_encode(const struct profile *profile, const char *name, unsigned char **bytes,
                   size_t *count, struct profile_error *error);

#endif
