// try_side.h - the runs of one side of reticle try, as written or changed.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_MODEL_STRUCT_TRY_SIDE_H
#define RETICLE_TOOLS_MODEL_STRUCT_TRY_SIDE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// One side: as written, or changed.
struct try_side {
  const char *name;    ///< "as written", "changed"
  const char *letter;  ///< "a", "b": in names of files
  const char *layout;  ///< file; null: as written
  uint32_t hash;       ///< short hash of it; 0
  char *const *argv;   ///< [..., NULL] what is run
  size_t placement;    ///< where functions lie; 0: where the compiler puts them
  const char *program; ///< that --build writes; null: the command builds
  char *copy;          ///< of it, and what runs that
  char **copy_argv;
  char **profiles;    ///< [count] one for each counted run
  double *wall, *cpu; ///< [count] seconds of the process, wall-clock and of processors
  size_t count;
  bool has_threads; ///< in some run several threads ran loops
  size_t builds;    ///< different programs that ran, one after the other; 0: they have no build id
  char *build_id;   ///< of the last one
};

/// The side's times that count: of one thread those of the processor, which other programs disturb
/// less; of several the wall clock's.
const double *try_side_times(const struct try_side *side, const struct try_side *other);

/// Median of the side's times, [count]
double try_side_median(const struct try_side *side, const double *seconds);

/// Whether the wall clock's times count.
bool try_side_by_wall(const struct try_side *a, const struct try_side *b);

#endif
