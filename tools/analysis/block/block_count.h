// block_count.h - how often each machine block of a function was executed, from its labels.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//      A:1            label 1 ran 10 times, label 2 ran 7 times, label 3 ran 10 times
//     /   \           A = 10, B = 7 by their labels;
//   B:2    C          C has none: what A and B leave, 3;
//     \   /           label 3 has two copies: neither is known from it alone, D = 10 by its edges
//      D:3 ...        and the other copy is what is left
//
// Where B and C have no label, as the code generator made them (a division that is tried in 32 bits
// first), D is still 10: whatever leaves A comes to D, and nothing else does.
#ifndef RETICLE_TOOLS_ANALYSIS_BLOCK_BLOCK_COUNT_H
#define RETICLE_TOOLS_ANALYSIS_BLOCK_BLOCK_COUNT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum block_count_status {
  BLOCK_COUNT_LABEL,       ///< a label that has no other copy says it
  BLOCK_COUNT_FLOW,        ///< follows from what blocks around it and other copies ran
  BLOCK_COUNT_UNLABELLED,  ///< not known: no label, and the blocks around it don't tell
  BLOCK_COUNT_COPIES,      ///< not known: its label has other copies, and they don't tell either
  BLOCK_COUNT_CONTRADICTS, ///< labels and edges contradict each other here: nothing is said
  BLOCK_COUNT_AT_MOST,     ///< all that went one of two ways; samples stood on this one alone
};

struct block_count_edge {
  size_t from, to;
};

/// One copy of a label, in the machine code.
struct block_count_label {
  size_t block;
  uint64_t label; ///< which one: copies have the same
  uint64_t count; ///< executions of all its copies
  bool is_part;   ///< it may have run less often than the block: it stands behind a call, or may
                  ///< belong to the block before
};

struct block_count_input {
  size_t blocks;
  const struct block_count_edge *edges; ///< [edge_count] each once
  size_t edge_count;
  const bool *leaves;  ///< [blocks] may be left other than by these edges: calls, returns
  const bool *entered; ///< [blocks] may be entered otherwise: entries, tables of jumps
  const struct block_count_label *labels; ///< [label_count]
  size_t label_count;
  const uint64_t *samples; ///< [blocks] of the program counter; null: counts and edges alone
};

struct block_count {
  enum block_count_status status;
  uint64_t count; ///< executions; 0 where not known
};

/// What counts of one run may differ by: it was read while other threads counted on.
#define BLOCK_COUNT_TOLERANCE 0.005

/// An edge whose executions aren't known.
#define BLOCK_COUNT_EDGE_UNKNOWN UINT64_MAX

/// out    [input->blocks]
/// edges  [input->edge_count] gets the executions of each, or BLOCK_COUNT_EDGE_UNKNOWN; or null
void block_count(const struct block_count_input *input, struct block_count *out, uint64_t *edges);

static inline bool block_count_is_known(const struct block_count *count) {
  return count->status <= BLOCK_COUNT_FLOW || count->status == BLOCK_COUNT_AT_MOST;
}

/// "label", "flow", "unlabelled", "copies", "contradicts" or "at most".
const char *block_count_status_name(enum block_count_status status);

#endif
