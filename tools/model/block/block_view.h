// block_view.h - where in the machine code the loops of a profile are.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_MODEL_BLOCK_BLOCK_VIEW_H
#define RETICLE_TOOLS_MODEL_BLOCK_BLOCK_VIEW_H

#include "tools/binary/block/block_loops.h"
#include "tools/model/measurement/measurement.h"

/// A function with hot loops: its machine loops, and what they are in the source.
struct block_view {
  struct block_function function;
  struct block_list list;
  struct block_loops loops;
  const struct measured_loop **labels; ///< [loops.count] null: of no loop in the profile
};

/// A program or library, opened once.
struct block_module {
  const char *path;
  struct block_map *map;     ///< null: `problem` says why
  char problem[300];         ///< "" if there is none
  struct block_view **views; ///< [view_count] the functions read so far
  size_t view_count;
};

/// All that was read so far. Start with {0}.
struct block_views {
  const char *build_id; ///< of the build whose code is meant; null: of the one that was timed
  struct block_module **modules; ///< [module_count] each by itself: problems stay where they are
  size_t module_count;
};

/// The function of that module that holds the address, with its machine loops; null if it can't be
/// read, or was built again since.
const struct block_view *block_views_at(const struct measurement *m, const char *module,
                                        uint64_t address, struct block_views *views);

/// The loop of the profile that a block belongs to; null if it is in none that was timed.
const struct measured_loop *block_view_loop(const struct block_view *view, size_t block);

void block_views_release(struct block_views *views);

/// ns in the loop, inner loops included; 0 if that isn't known.
double block_view_total_ns(const struct measured_loop *loop);

/// Whether the machine loop is one of the loop's, or inside of one with no timed loop between.
bool block_view_is_within(const struct block_view *view, size_t machine_loop,
                          const struct measured_loop *loop);

/// The functions that hold the loop's code, with their machine loops.
///
/// out      [most] gets them, owned by views
/// module   gets the path of their file
/// problem  gets why there are none; null if there are some
///
/// Returns how many.
size_t block_views_find(const struct measurement *m, const struct measured_loop *loop, size_t most,
                        struct block_views *views, struct block_view **out, const char **module,
                        const char **problem);

#endif
