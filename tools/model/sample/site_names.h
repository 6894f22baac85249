// site_names.h - call stacks of allocation sites as the source has them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_MODEL_SAMPLE_SITE_NAMES_H
#define RETICLE_TOOLS_MODEL_SAMPLE_SITE_NAMES_H

#include "tools/analysis/heap/site_use.h"
#include "tools/binary/allocation_types.h"
#include "tools/binary/code/code_places.h"
#include "tools/program/program_files.h"
#include "tools/support/notes.h"

/// A function of the source that was being executed when an object was allocated.
struct site_caller {
  char *function;      ///< demangled and short; "?" if unknown
  const char *file;    ///< "" if unknown
  unsigned line;       ///< 0 if unknown
  unsigned column;     ///< 0 if unknown
  const char *linkage; ///< the function's name in the binary; "" if unknown
  const struct site_module *module;
};

/// A file with code.
struct site_module {
  const char *path, *build_id;
  struct code_places *places; ///< null: gone, or not the same any more
  bool has_lines;
  struct allocation_types *types; ///< null: not compiled with the feature shadow
};

/// Start with site_names_read, end with site_names_release.
struct site_names {
  struct site_module *modules; ///< [module_count]
  size_t module_count;
};

/// Opens the files that the profile's call stacks lead through, and those with global variables.
///
/// notes  gets which of them can't name anything, and why
/// files  must outlive the result
void site_names_read(const struct profile *profile, struct program_files *files,
                     struct site_names *out, struct notes *notes);
void site_names_release(struct site_names *names);

/// The callers, innermost first, inlined ones included. The array and its functions are freed with
/// site_callers_free.
size_t site_callers(const struct site_names *names, const struct site_use *use,
                    struct site_caller **out);
/// The innermost of them whose code isn't the standard library's (operator new, allocators and
/// containers are what C++ programs allocate by); 0 where all of them is.
size_t site_own_caller(const struct site_caller *callers, size_t count);
/// Whether a function of the source is the standard library's.
///
/// file  "" if unknown
bool site_is_library(const char *file, const char *linkage);
void site_callers_free(struct site_caller *callers, size_t count);

#endif
