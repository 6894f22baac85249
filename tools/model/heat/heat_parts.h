// heat_parts.h - what heat is made of: addresses, and what sampled stacks say of them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_MODEL_HEAT_HEAT_PARTS_H
#define RETICLE_TOOLS_MODEL_HEAT_HEAT_PARTS_H

#include "tools/model/block/block_view.h"
#include "tools/model/heat/heat.h"

/// An address of the code, as heat sees it.
struct heat_spot {
  bool is_program; ///< the program's own code
  bool is_own;     ///< of Reticle
  bool is_fault;   ///< the kernel was entered without a call of it, as far as is known
  size_t file;     ///< in samples.files
  uint64_t address;
  const char *holder;   ///< linkage name of the function that holds the code; "" unknown
  const char *function; ///< of the source: the innermost copy that isn't the standard library's
  const char *source;   ///< "" if unknown
  unsigned line;
  const struct block_view *view; ///< null: not known
  size_t machine_loop;           ///< innermost there, or BLOCK_LOOP_NONE
  bool dispatches;               ///< its block ends in a jump through a table
  const struct measured_loop *loop;
  size_t place;       ///< in places, or NO_PLACE until it is asked for
  int indirect;       ///< whether it is an indirect call; -1: not asked for
  const char *import; ///< what it calls through the file's table of imports; "" nothing, null: not
                      ///< asked for
};

/// What one sampled stack says: its place, and the call it is in.
struct heat_item {
  size_t place;
  const struct measured_loop *around; ///< of the callers, the innermost; null: none
  const char *callee;                 ///< null: the place's own code
  const char *library;                ///< path
  const char *file;
  unsigned line;
  const struct heat_spot *spot;
  const struct heat_spot *caller; ///< the program's function around it; null: not known
  struct heat_time time;
};

struct heat_builder {
  const struct measurement *m;
  struct heat *out;
  struct block_views views;
  struct heat_spot *spots; ///< [spot_count]
  struct heat_spot
      *between; ///< [spot_count] of calls, by place: what is called there; address 0: none
  size_t spot_count;
  struct heat_item *items; ///< [item_count]
  size_t item_count, item_room, place_room;
  size_t *seen; ///< [m->loop_count] the stack, plus 1, that was last added to the loop
  const struct block_view *last; ///< of the file below: most spots in a row are in one function
  size_t last_file;
};

/// Adds the items up, by place and call, names both, and puts them in their order.
void heat_sum(struct heat_builder *b);

#endif
