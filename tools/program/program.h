// program.h - the executable of a profile: how much was instrumented, and is it the same file.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_PROGRAM_PROGRAM_H
#define RETICLE_TOOLS_PROGRAM_PROGRAM_H

#include "tools/analysis/run/coverage.h"
#include "tools/binary/code/code_units.h"
#include "tools/profile/profile.h"
#include "tools/support/notes.h"

/// Start with program_read or program_compare, end with program_release.
struct program {
  struct elf_file *file; ///< null if it can't be read
  struct code_units units;
  struct coverage_source *all, *instrumented;
  struct coverage coverage; ///< of the executable alone, not of its libraries
  bool covered;             ///< the coverage is known: the file is readable and not stripped
};

/// Looks at the executable that the profile names.
///
/// notes  gets what makes the names in the report doubtful: "binary_changed", "binary_gone"
///
/// path  where the executable can be read; env.executable unless it is kept elsewhere
void program_read(const struct profile *profile, const char *path, struct program *out,
                  struct notes *notes);

/// Compares an open executable with the sources compiled with the plug-in.
///
/// file          taken over
/// instrumented  [count], from malloc, taken over
void program_compare(const char *path, struct elf_file *file, struct coverage_source *instrumented,
                     size_t count, struct program *out);
void program_release(struct program *program);

/// Name of a source for a report, its directory left out; "code without debug information" if
/// its source is not named.
const char *program_source_name(const struct coverage_source *source);

#endif
