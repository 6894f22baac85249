// samples.h - samples of the program counter by load file and function.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_MODEL_SAMPLE_SAMPLES_H
#define RETICLE_TOOLS_MODEL_SAMPLE_SAMPLES_H

#include "tools/binary/block/block_labels.h"
#include "tools/binary/code/code_places.h"
#include "tools/model/sample/sampled_runtime.h"
#include "tools/profile/profile.h"
#include "tools/program/program_files.h"
#include "tools/support/notes.h"

/// Whether what the file says now holds for the run.
enum sampled_file_status {
  SAMPLED_FILE_SAME,
  SAMPLED_FILE_UNSURE,  ///< it has no build id: taken for the same
  SAMPLED_FILE_CHANGED, ///< its build id is another one: nothing in it is named
  SAMPLED_FILE_GONE,    ///< it can't be read
  SAMPLED_FILE_NONE,    ///< [vdso], [anonymous]
};

struct sampled_file {
  const struct profile_loadfile *file;
  struct code_places *places; ///< null unless it is the same
  enum sampled_file_status status;
  enum sampled_runtime runtime; ///< whose threads wait in it
  bool has_lines;
  bool in_stacks;             ///< frames of call stacks are in it
  struct block_labels labels; ///< of its blocks, where the profile has counts
  uint64_t samples, time_ns;
  uint64_t own, own_ns; ///< samples and time of them in functions of Reticle
};

/// A sampled address.
struct sampled_place {
  const struct profile_address *record;
  uint64_t address;                    ///< link-time; 0 if the file can't be named
  const struct elf_function *function; ///< null: no symbol
  const char *copy;                    ///< linkage name of the innermost inlined copy, null if none
  const char *source;                  ///< "" if unknown
  unsigned line;
};

/// A function of the source that was inlined.
struct sampled_copy {
  char *name; ///< demangled and short
  uint64_t samples, time_ns;
};

/// A function as the symbol table has it.
struct sampled_function {
  size_t file;        ///< in samples.files
  const char *symbol; ///< linkage name; "" for all of the file's code without one
  char *name;         ///< demangled and short; where there is no symbol, why
  bool own;           ///< of Reticle, not of the program
  uint64_t address, bytes;
  uint64_t samples, time_ns;
  const char *source; ///< of its most sampled line, "" if unknown
  unsigned line;
  uint64_t line_ns;            ///< of that line
  struct sampled_copy *copies; ///< [copy_count] most first, functions that were inlined into it
  size_t copy_count;
  const struct sampled_place *places; ///< [place_count] ascending by address
  size_t place_count;
};

/// Start with samples_read, end with samples_release.
struct samples {
  bool taken;                 ///< the feature was on
  struct sampled_file *files; ///< [file_count] in the order of the profile
  size_t file_count;
  struct sampled_place *places;       ///< those of a function in a row
  struct sampled_function *functions; ///< [function_count] most time first
  size_t function_count;
  // CPU time in user mode, ns, and samples: named + nameless + unmapped + no_room = all.
  uint64_t all_ns, named_ns, nameless_ns, unmapped_ns;
  uint64_t all, named, nameless, unmapped, kernel, lost, no_room;
  uint64_t own, own_ns; ///< in functions of Reticle, of those with a name
  uint64_t runtime[SAMPLED_RUNTIMES], runtime_ns[SAMPLED_RUNTIMES]; ///< in these libraries
};

/// Names all samples of the profile.
///
/// notes  gets which files can't be named, and why
/// files  must outlive the result
void samples_read(const struct profile *profile, struct program_files *files, struct samples *out,
                  struct notes *notes);
void samples_release(struct samples *samples);

/// "same", "unsure", "changed", "gone" or "none".
const char *sampled_file_status_name(enum sampled_file_status status);

/// Share of all sampled CPU time.
struct quantity samples_share(const struct samples *samples, uint64_t time_ns);

#endif
