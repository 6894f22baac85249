// replay_space.h - where elements lie in the memory of a replay.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Elements that were visited are sorted into clusters without large gaps. As written each cluster
// keeps its addresses, and gaps between clusters are closed; changed, the places in a cluster
// become those of each array, in proportion. Elements that the run had and no visit showed follow
// behind.
#ifndef RETICLE_TOOLS_ANALYSIS_REPLAY_REPLAY_SPACE_H
#define RETICLE_TOOLS_ANALYSIS_REPLAY_REPLAY_SPACE_H

#include "tools/analysis/replay/replay_list.h"

struct replay_cluster {
  uint64_t begin, end;               ///< addresses of the first element, and behind the last
  uint64_t slots, first_slot;        ///< elements that there is room for
  uint64_t place[REPLAY_ARRAYS_MAX]; ///< in the memory, of each array
};

struct replay_space {
  const struct replay_input *input;
  const struct replay_layout *layout;
  struct replay_cluster *clusters; ///< [cluster_count] by address; the last one has no addresses
  size_t cluster_count;
  uint64_t slots;      ///< of all clusters
  uint32_t old_bytes;  ///< from one element to the next as written
  bool by_index;       ///< elements lie in arrays
  uint64_t bytes;      ///< of all memory
  uint64_t lead_bytes; ///< of it, in front of the first element
};

void replay_space_make(const struct replay_input *input, const struct replay_layout *layout,
                       struct replay_space *out);
void replay_space_release(struct replay_space *space);

/// Where byte `offset` of array `array` of the element lies.
uint64_t replay_space_at(const struct replay_space *space, uint64_t element, uint32_t array,
                         uint32_t offset);
/// An address that stands for element `number`, 0 <= number < slots, for replay_space_at: those
/// that no visit showed have none of their own.
uint64_t replay_space_element(const struct replay_space *space, uint64_t number);

#endif
