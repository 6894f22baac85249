// coverage.h - which part of a program was compiled with the plug-in.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_ANALYSIS_RUN_COVERAGE_H
#define RETICLE_TOOLS_ANALYSIS_RUN_COVERAGE_H

#include <stdbool.h>
#include <stddef.h>

/// A source, as the executable or the plug-in names it.
struct coverage_source {
  const char *name;      ///< as the compiler was given it; "" if not known
  const char *directory; ///< compilation directory, "" if unknown
  size_t functions;      ///< of the executable's, those that come from here
  /// The name has no directory although the file may have had one (a linker's file symbol).
  bool bare;
};

struct coverage {
  size_t functions;              ///< of the executable
  size_t functions_instrumented; ///< of these, from sources compiled with the plug-in
  /// [missing_count] sources without the plug-in: those that debug information names first, as they
  /// are most likely the user's own; then by most functions, then by name. Points into the input.
  const struct coverage_source **missing;
  size_t missing_count;
};

/// Compares the sources of an executable with those compiled with the plug-in.
///
/// all           [all_count] every source with code in the executable; kept until coverage_release
/// instrumented  [instrumented_count] `functions` is not looked at
///
/// Two names are the same source when directory and name together spell the same path ("." and ".."
/// taken out), or when one is bare and the last parts of the names agree.
void coverage_compute(const struct coverage_source *all, size_t all_count,
                      const struct coverage_source *instrumented, size_t instrumented_count,
                      struct coverage *out);
void coverage_release(struct coverage *coverage);

#endif
