// call_tree.h - which functions called which, from samples with call stacks.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_MODEL_SAMPLE_CALL_TREE_H
#define RETICLE_TOOLS_MODEL_SAMPLE_CALL_TREE_H

#include "tools/model/sample/call_places.h"
#include "tools/support/string_table.h"

/// A function of the source, wherever it was called; inlined copies are of the same one.
struct call_function {
  char *name;           ///< demangled and short; "[libc.so.6]" for code without a name there
  const char *linkage;  ///< "" without a symbol
  const char *loadfile; ///< path; "" where a stack stops
  enum call_kind kind;
  const char *source;                  ///< "" if unknown
  unsigned line;                       ///< where it is declared; 0 if unknown
  uint64_t samples, time_ns;           ///< in it and in what it called; once where it recurses
  uint64_t self_samples, self_time_ns; ///< in it alone
};

/// A function below its callers. Those of one caller come most samples first.
struct call_node {
  size_t function;
  size_t caller;  ///< in nodes, of which it stands behind; SIZE_MAX: none
  size_t last;    ///< one behind its last callee's callee
  unsigned depth; ///< from 0
  bool inlined;   ///< a copy in its caller's code
  uint64_t samples, time_ns;
  uint64_t self_samples, self_time_ns;
  uint64_t recovered; ///< of samples: it had no frame on the stack (call_places.h: between)
};

/// Time of a function's callee.
struct call_edge {
  size_t caller, callee; ///< in functions
  uint64_t samples, time_ns;
};

/// Start with call_tree_read, end with call_tree_release, before the measurement.
struct call_tree {
  struct call_node *nodes; ///< [node_count] a node's callees right behind it
  size_t node_count;
  struct call_function *functions; ///< [function_count] most samples first
  size_t function_count;
  struct call_edge *edges; ///< [edge_count] those of a caller in a row, most samples first
  size_t edge_count;
  uint64_t samples, time_ns; ///< with a stack
  uint64_t complete;         ///< of them: down to main, or to the start of a thread
  uint64_t cut;              ///< of them: deeper than what is noted of a stack
  uint64_t no_room;          ///< samples whose stack found no place in a full table
  unsigned depth;            ///< of the deepest node, plus 1
  struct string_table keys;  ///< of functions
};

/// Whether enough stacks are complete for the tree to say who calls whom: else the code has
/// neither unwind information nor frame pointers.
bool call_tree_is_sound(const struct call_tree *tree);

void call_tree_read(const struct measurement *m, struct call_tree *out);
void call_tree_release(struct call_tree *tree);
/// Of a report; lives as long as the measurement.
const struct call_tree *call_tree_get(const struct measurement *m);

#endif
