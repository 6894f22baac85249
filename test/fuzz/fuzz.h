// fuzz.h - the structured fuzzer: mutated profiles and executables through all commands in process.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TEST_FUZZ_FUZZ_H
#define RETICLE_TEST_FUZZ_FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Random numbers from a seed: the same on each machine.
struct fuzz_random {
  uint64_t state;
};
uint64_t fuzz_random(struct fuzz_random *random);
/// Below n; 0 for n = 0.
uint64_t fuzz_below(struct fuzz_random *random, uint64_t n);
/// True once in n times.
bool fuzz_once_in(struct fuzz_random *random, uint64_t n);
/// A number that breaks things: limits, powers of two and their neighbours, small ones.
uint64_t fuzz_number(struct fuzz_random *random);

/// A file in memory.
struct fuzz_bytes {
  unsigned char *data; ///< [count]
  size_t count;
};
/// Reads a file; ends the process where it can't.
struct fuzz_bytes fuzz_read(const char *path);
void fuzz_write(const char *path, const void *data, size_t count);
/// Copies; room: bytes beyond.
struct fuzz_bytes fuzz_copy(const struct fuzz_bytes *bytes, size_t room);

/// A profile taken apart, so that a mutation keeps the rest in order.
struct fuzz_chunk {
  char name[16];
  uint32_t stride;
  unsigned char *data; ///< [count * stride]
  size_t count;
};
enum { FUZZ_CHUNKS_MOST = 48 };
struct fuzz_profile {
  struct fuzz_chunk chunks[FUZZ_CHUNKS_MOST];
  size_t chunk_count;
};

/// Returns false where the bytes are no whole profile.
bool fuzz_profile_parse(const struct fuzz_bytes *bytes, struct fuzz_profile *out);
void fuzz_profile_release(struct fuzz_profile *profile);
/// Writes it with lengths and checksums as they must be.
struct fuzz_bytes fuzz_profile_build(const struct fuzz_profile *profile);
/// Computes the checksums of a damaged file anew, as far as its tables lie in it.
void fuzz_profile_reseal(struct fuzz_bytes *bytes);
/// Paths of the machine that made a profile become those of the run's folder, where there is room
/// for them: .../app, in a folder with a name of some length.
void fuzz_profile_localise(struct fuzz_profile *profile);
/// A text of the profile; "" where there is none.
const char *fuzz_profile_text(const struct fuzz_profile *profile, struct fuzz_random *random);
/// One change: of a value, a record, a chunk or a text. other: to take records from.
void fuzz_profile_mutate(struct fuzz_profile *profile, const struct fuzz_profile *other,
                         struct fuzz_random *random);

/// Changes an ELF file in place: headers, symbols, sections that Reticle reads.
void fuzz_elf_mutate(struct fuzz_bytes *file, struct fuzz_random *random);

/// Writes a study whose timing and counts builds left the two profiles.
///
/// app         the program of its builds; count 0: none
/// is_changed  its tables, blobs, sizes and bytes are changed, each sometimes
void fuzz_study_write(const char *path, const struct fuzz_bytes *profile,
                      const struct fuzz_bytes *other, const struct fuzz_bytes *app, bool is_changed,
                      struct fuzz_random *random);

/// What became of one command.
struct fuzz_outcome {
  int status;
  struct fuzz_bytes out, err; ///< valid until the next run
};

/// Command lines for an input, in the folder of the run.
enum { FUZZ_ARGUMENTS_MOST = 16 };
struct fuzz_command {
  char storage[4096];
  size_t used;
  char *argv[FUZZ_ARGUMENTS_MOST + 1];
  int argc;
  bool is_json;        ///< its output is JSON
  const char *written; ///< file that it writes, null if none
  bool is_binary;      ///< that file is no text
};
/// Commands that fuzz_command_make knows, from 0.
size_t fuzz_command_kinds(void);
/// Whether the command reads the study.
bool fuzz_command_reads_study(size_t kind);
void fuzz_command_make(size_t kind, const struct fuzz_profile *profile, struct fuzz_random *random,
                       struct fuzz_command *out);

/// Runs a command in this process and checks what must hold of it; a violation ends the process.
void fuzz_run(const struct fuzz_command *command, struct fuzz_outcome *outcome);
/// Prepares this process: output into memory, limits. Once.
///
/// any_character  control characters and what is no UTF-8 are no finding
void fuzz_run_prepare(bool any_character);
/// Ends the process as a sanitizer does, after saying what was violated by which command.
_Noreturn void fuzz_fail(const char *format, ...) __attribute__((format(printf, 1, 2)));
/// To the real stderr.
void fuzz_say(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
