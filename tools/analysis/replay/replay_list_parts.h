// replay_list_parts.h - what the files that make a list share.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_ANALYSIS_REPLAY_REPLAY_LIST_PARTS_H
#define RETICLE_TOOLS_ANALYSIS_REPLAY_REPLAY_LIST_PARTS_H

#include "tools/analysis/replay/replay_space.h"

/// Lines of one visit, at most.
#define REPLAY_VISIT_LINES 64

/// What a visit touches.
struct replay_lines {
  bool is_whole; ///< the visit needs more than a copy has: it reads the struct
  uint64_t numbers[REPLAY_VISIT_LINES];
  bool written[REPLAY_VISIT_LINES];
  uint32_t count;
  uint64_t limit; ///< lines of the memory: what a vector touches behind the last element isn't run
};

/// A list in the making.
struct replay_builder {
  struct replay_space space;
  struct replay_list *out;
  size_t room;
  uint64_t random;
  uint64_t *firsts;   ///< [2 * window_count] where windows begin, and their numbers
  double most_weight; ///< of all places
};

void replay_lines_find(const struct replay_builder *b, const struct visit_place *place,
                       uint64_t element, struct replay_lines *l);

/// Fills in what warms the caches in front of each window: lines as visits touch them in the long
/// run.
void replay_warm_make(struct replay_builder *b);

#endif
